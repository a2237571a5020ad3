import { CloudError } from "../cloud-error";
import { type Call, invalidField, type Json } from "../front";
import type { CertificateResource } from "./certificates";
import { baseOf, isDomain, locationOf, locationPart } from "./names";

export interface CertificateMapResource extends Json {
  readonly name: string;
}

/** A map entry as the API returns it, but without its state, which depends on its certificates. */
export interface CertificateMapEntry extends Json {
  readonly name: string;
  readonly hostname?: string;
  readonly matcher?: "PRIMARY";
  readonly certificates: readonly string[];
  readonly createTime: string;
  readonly updateTime: string;
}

const mostCertificates = 4;

export function checkMapLocation(name: string): void {
  const { location } = locationOf(name);
  if (location !== "global") throw invalidField("parent", `certificate maps are global, not in ${location}`);
}

/**
 * Returns the entry of a create call. @param rivals entries for the same hostname or also PRIMARY; a map can have one
 */
export function newEntry(
  call: Call,
  name: string,
  rivals: Iterable<CertificateMapEntry>,
  certificate: (name: string) => CertificateResource | undefined,
): Pick<CertificateMapEntry, "name" | "certificates" | "hostname" | "matcher"> {
  const { hostname, matcher } = call.body;
  const hasHostname = typeof hostname === "string" && hostname !== "";
  const isPrimary = matcher === "PRIMARY";
  if (hasHostname === isPrimary)
    throw invalidField("certificate_map_entry", "exactly one of hostname and matcher is required");
  if (hasHostname && !isDomain(baseOf(hostname)))
    throw invalidField(
      "certificate_map_entry.hostname",
      `'${hostname.slice(0, 300)}' is not a hostname, nor one with '*.' before it`,
    );
  const certificates = checkCertificates(call.body.certificates, name, certificate);
  for (const rival of rivals) {
    const what = isPrimary ? "a PRIMARY entry" : `an entry for '${hostname}'`;
    throw new CloudError("ALREADY_EXISTS", `the certificate map already has ${what}: '${rival.name}'`);
  }
  const match = isPrimary ? { matcher: "PRIMARY" as const } : { hostname: hostname as string };
  const { matcher: _, hostname: __, ...rest } = call.body;
  return { ...rest, ...match, name, certificates };
}

/** Checks the certificates of an entry: 1 to 4 global certificates of its project with the scope DEFAULT. */
export function checkCertificates(
  given: unknown,
  entry: string,
  certificate: (name: string) => CertificateResource | undefined,
): readonly string[] {
  const field = "certificate_map_entry.certificates";
  const names = (given ?? []) as readonly string[];
  if (names.length === 0 || names.length > mostCertificates)
    throw invalidField(field, `has ${names.length} certificates; 1 to ${mostCertificates} are allowed`);
  if (new Set(names).size !== names.length) throw invalidField(field, "names a certificate twice");
  const location = locationPart(entry);
  for (const name of names) {
    if (!name.startsWith(`${location}/certificates/`))
      throw invalidField(field, `'${name.slice(0, 300)}' is not a certificate in ${location}`);
    const found = certificate(name);
    if (found === undefined) throw invalidField(field, `'${name}' does not exist`);
    if (found.scope !== undefined && found.scope !== "DEFAULT")
      throw invalidField(
        field,
        `'${name}' has the scope ${found.scope}; map entries take certificates of scope DEFAULT`,
      );
  }
  return names;
}
