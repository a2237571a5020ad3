export { coverageOf, covers, groupByRegistrableDomain, longestSuffix, registered, registrableDomain } from "./coverage";
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
