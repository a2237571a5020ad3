import { registrableDomain } from "./coverage";
import { readHostname } from "./hostname";

/** Returns the registered domain of a name, which is the highest possible zone of the name. */
export function registered(domain: string): string {
  const read = readHostname(domain);
  return "hostname" in read ? (registrableDomain(read.hostname) ?? domain) : domain;
}
