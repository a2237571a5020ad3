export { createDnsView, type DnsView, machineResolvers, type NameServerAddress, readNameServer } from "../../dns";
export type { CheckName } from "./check-names";
export { type DoctorCode, doctorCodes } from "./codes";
export { examine, hasNoAnswers } from "./examine";
export type { DoctorCheck, DoctorFinding, DoctorReport } from "./model";
export { type DoctorGoogle, type DoctorOptions, type PreviousCertificate, readInventory } from "./options";
