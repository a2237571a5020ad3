import { type Hostname, readHostname, registrableDomain } from "../../hostnames";

/** Returns the registered domain of a name, which is the highest possible zone of the name. */
export function registered(domain: string): string {
  const read = readHostname(domain);
  return "hostname" in read ? (registrableDomain(read.hostname as Hostname) ?? domain) : domain;
}
