export { createDnsView, type DnsView, machineResolvers, type NameServerAddress, readNameServer } from "../../dns";
export { type DoctorCode, doctorCodes } from "./codes";
export { examine, hasNoAnswers } from "./examine";
export type { CheckName, DoctorCheck, DoctorFinding, DoctorReport } from "./model";
export { type DoctorGoogle, type DoctorOptions, type OldCertificate, readInventory } from "./options";
