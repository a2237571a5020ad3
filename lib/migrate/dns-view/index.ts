export { type DelegationReading, findDelegation } from "./delegation";
export type { NameServerAddress } from "./exchange";
export type { Resolution } from "./follow";
export { type AskedType, bareName, type DnsRecord } from "./message";
export { isAtOrBelow, parentOf } from "./names";
export { machineResolvers, readNameServer } from "./resolvers";
export { createDnsView, type DnsView } from "./view";
