export { canonicalAddress } from "./canonical-address";
export { covers, groupByRegistrableDomain, longestSuffix, registrableDomain } from "./coverage";
export {
  baseDomain,
  compareHostnames,
  type Hostname,
  type HostnameReading,
  isWildcard,
  parseHostname,
  readHostname,
  toUnicodeForDisplay,
} from "./hostname";
export { coverageOf } from "./name-coverage";
