export { type DelegationReading, findDelegation } from "./delegation";
export type { NameServerAddress } from "./exchange";
export { type AskedType, bareName, type DnsRecord } from "./message";
export { isAtOrBelow, parentOf } from "./names";
export { createDnsView, type DnsView, machineResolvers, type Resolution, readNameServer } from "./view";
