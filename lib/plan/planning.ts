import { type Hostname, type HostnameReading, readHostname, readPrivateHostname } from "../hostnames";
import { pointerTo } from "../json/pointer";
import { parseLocatedName, withoutCertificateManager } from "../resource-names";
import { isOfPrivateCa } from "./certificate-form";
import type { CheckCode, Findings } from "./findings";
import { traitsOf } from "./load-balancer-kinds";
import type { INaming, NamedResourceKind } from "./naming";
import { isReference } from "./shape/reference";
import type { LoadBalancerKind, MigrationSpec } from "./spec";

/** Options of {@link planMigration}. */
export interface PlanOptions {
  /** Time with which the dates of certificates in files are compared. @default - expiry is not checked */
  readonly now?: Date;

  /** Returns a stable identity of a reference, used for names and sorting. @default - the reference's text */
  readonly identityOf?: (reference: string) => string;

  /**
   * Returns the reference that a token of the kit stands for, for example `var.zone`; undefined for any other value.
   *
   * @default - the spec is data: text in the form of a token is refused
   */
  readonly readToken?: (value: unknown) => string | undefined;

  /**
   * JSON pointers of values that the caller refused already. Findings that may follow from them are left out.
   *
   * @default - none
   */
  readonly refused?: readonly string[];

  /**
   * Version of the google provider that applies the plan, for example `7.45.0`.
   *
   * @default - unknown; the plan must be valid with every supported version, but `privateKeyStorage` is accepted
   */
  readonly providerVersion?: string;

  /** Returns the names of resources. @default - derived names */
  readonly naming?: INaming | undefined;

  /**
   * Returns the root certificates of public CAs as PEM, for example `tls.rootCertificates` of Node.
   *
   * @default - the lifetimes of uploaded certificates are not compared with the limits of public CAs, and alerts treat
   * every uploaded chain as public
   */
  readonly publicRoots?: (() => readonly string[]) | undefined;
}

/** The features of the Terraform provider that depend on its version. */
interface ProviderFeatures {
  /** Whether a target SSL proxy can have a map and certificates together; from 7.19. */
  readonly sslProxyHoldsBoth: boolean;
  /** Whether there are write-only private keys, or the version is unknown; from 7.45. */
  readonly hasWriteOnlyKeys: boolean;
}

/** What the lifetimes of uploaded certificates are compared with, as far as known. */
interface UploadLimits {
  readonly now: Date | undefined;
  /** Returns the root certificates of public CAs. */
  readonly publicRoots: (() => readonly string[]) | undefined;
}

/** State that the parts of the planner share. */
export interface Planning {
  readonly spec: MigrationSpec;
  readonly findings: Findings;
  readonly loadBalancer: LoadBalancerKind;
  /** `global` or a region. */
  readonly location: string;
  /** Returns the name of a resource from its derived name. */
  readonly nameOf: (kind: NamedResourceKind, suggested: string) => string;
  readonly provider: ProviderFeatures;
  readonly uploads: UploadLimits;
  /** Returns the identity of a value that may be a reference. `undefined` becomes `null`, for use in hashes. */
  readonly identityOf: (value: string | undefined) => string | null;
}

/** Returns whether the load balancer uses a certificate map. */
export function usesMap({ loadBalancer }: Pick<Planning, "loadBalancer">): boolean {
  return traitsOf(loadBalancer).presents === "map";
}

/**
 * Returns the reader for hostnames that any certificate of a migration may serve: names that no public CA certifies are
 * valid if a private CA issues one of the certificates.
 */
export function hostnameReader({
  spec,
}: {
  readonly spec: Pick<MigrationSpec, "certificates">;
}): (text: string) => HostnameReading {
  return spec.certificates.some(isOfPrivateCa) ? readPrivateHostname : readHostname;
}

/** Reads a list of hostnames. Invalid hostnames are reported and left out; repeated hostnames are dropped. */
export function readHostnames(
  texts: readonly string[],
  at: string,
  owner: string,
  findings: Findings,
  read: (text: string) => HostnameReading = readHostname,
): readonly Hostname[] {
  return [...readPlacedHostnames(texts, at, owner, findings, read).keys()].sort();
}

/** Reads hostnames as {@link readHostnames} does, each with its place in the spec, in the order of the list. */
export function readPlacedHostnames(
  texts: readonly string[],
  at: string,
  owner: string,
  findings: Findings,
  readName: (text: string) => HostnameReading = readHostname,
): ReadonlyMap<Hostname, string> {
  const places = new Map<Hostname, string>();
  texts.forEach((text, index) => {
    const place = pointerTo(at, index);
    const read = readName(text);
    if ("problem" in read) {
      findings.reject(read.problem, place, `${owner}: `);
    } else if (places.has(read.hostname)) {
      findings.report("certificate-domain-repeated", place, `${owner}: '${read.hostname}' is listed twice`);
    } else {
      places.set(read.hostname, place);
    }
  });
  return places;
}

/** A value of a mapping whose keys are hostnames. */
export interface Keyed<Value> {
  readonly value: Value;
  /** JSON pointer of its place in the spec. */
  readonly at: string;
}

/**
 * Reads a mapping whose keys are hostnames. A key that is invalid, or that repeats another key in a different spelling,
 * is reported and left out.
 */
export function readHostnameKeys<Value>(
  mapping: Readonly<Record<string, Value>>,
  at: string,
  owner: string,
  findings: Findings,
  readName: (text: string) => HostnameReading = readHostname,
): ReadonlyMap<Hostname, Keyed<Value>> {
  const values = new Map<Hostname, Keyed<Value>>();
  for (const [key, value] of Object.entries(mapping)) {
    const place = pointerTo(at, key);
    const read = readName(key);
    if ("problem" in read) findings.reject(read.problem, place, `${owner}: `);
    else if (values.has(read.hostname)) {
      findings.report("key-repeated", place, `${owner}: '${read.hostname}' appears twice as a key`);
    } else values.set(read.hostname, { value, at: place });
  }
  return values;
}

const collections = {
  certificates: "certificate",
  certificateIssuanceConfigs: "issuance config",
  certificateMaps: "map",
  dnsAuthorizations: "authorization",
} as const;

/**
 * Parses the id of an existing resource of Certificate Manager, with or without the prefix of the service.
 *
 * @returns the id without prefix and its location; a reference unchanged and without location; undefined if the format
 * is invalid
 */
export function readResourceId(
  id: string,
  collection: keyof typeof collections,
): { readonly id: string; readonly location?: string } | undefined {
  if (isReference(id)) return { id };
  const bare = withoutCertificateManager(id);
  const parts = parseLocatedName(bare);
  if (parts?.collection !== collection) return undefined;
  const { project, location, name } = parts;
  // Only characters without a meaning in shells are allowed: the command lines of gates contain ids.
  const isSafe =
    /^[A-Za-z0-9.:_-]{1,100}$/.test(project) &&
    /^[a-z0-9-]{1,32}$/.test(location) &&
    /^[A-Za-z0-9_-]{1,64}$/.test(name);
  return isSafe ? { id: bare, location } : undefined;
}

/** Reports a malformed id of an existing resource. */
export function rejectResourceId(code: CheckCode, id: string, at: string, findings: Findings): void {
  findings.report(code, at, `'${id}' is not the id of ${/^[aeiou]/.test(code) ? "an" : "a"} ${code.split("-")[0]}`);
}
