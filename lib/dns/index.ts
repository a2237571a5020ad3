export { type DelegationReading, findDelegation } from "./delegation";
export type { NameServerAddress } from "./exchange";
export type { Resolution } from "./follow";
export { type Answer, createLookUp, type LookUp, type RecordType, withDot } from "./look-up";
export { type AskedType, type DnsRecord, withoutDot } from "./message";
export { isAtOrBelow, parentOf } from "./names";
export { createResolver, type Resolver, type ResolverOptions } from "./resolver";
export { machineResolvers, readNameServer } from "./resolvers";
export { createDnsView, type DnsView, type DnsViewOptions } from "./view";
