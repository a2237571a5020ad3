export { coverageOf, covers, groupByRegistrableDomain, longestSuffix, registrableDomain } from "./coverage";
export {
  baseDomain,
  canonicalAddress,
  compareHostnames,
  type Hostname,
  type HostnameReading,
  hostnameIn,
  isPrivateDomain,
  isPrivateHostname,
  isWildcard,
  parseHostname,
  readHostname,
  readPrivateHostname,
  toUnicodeForDisplay,
} from "./hostname";
export { registered } from "./registered";
