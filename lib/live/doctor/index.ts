export { createDnsView, type DnsView, machineResolvers, type NameServerAddress, readNameServer } from "../../dns";
export { type DoctorCode, doctorCodes } from "./codes";
export { examine } from "./examine";
export type { CheckName, DoctorCheck, DoctorFinding, DoctorReport } from "./model";
export { type OldCertificate, readInventory } from "./old-certificates";
export type { DoctorGoogle, DoctorOptions } from "./options";
export { hasNoAnswers } from "./unanswered";
