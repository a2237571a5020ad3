import { readPrivateHostname } from "../hostnames";

/** Returns a DNS name, for example a key of `zones`, in a comparable form, also if it is not a hostname. */
export function zoneDomain(name: string): string {
  const read = readPrivateHostname(name);
  return "hostname" in read ? read.hostname : name.trim().toLowerCase().replace(/\.$/, "");
}
