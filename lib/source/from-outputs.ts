import { InputError, type Problem } from "../errors";
import { canonicalAddress } from "../hostnames";
import { defined } from "../json/defined";
import { type Fields, fieldsOf, isFields, parseJson } from "../json/fields";
import { type LoadBalancerKind, loadBalancerKinds } from "../plan";
import { locationIn, resourceNameIn } from "../resource-names";
import { isSafeToShow, quote } from "../text/quote";
import {
  isZoneName,
  type MigrationSource,
  previousOf,
  resourceOf,
  type SourceCertificate,
  type SourceIssuer,
  type SourceMigration,
  type SourceRecord,
  type SourceResource,
  type SourceServingProxy,
  type SourceTraffic,
} from "./model";
import { type ReportProblem, ShapeReader } from "./shape";

/**
 * Reads the output of `terraform output -json`: all outputs, or `cert_migration` alone.
 *
 * @param source name of the text in problems, usually a path
 * @throws InputError with all problems of the text
 */
export function sourceFromOutputs(text: string, source: string): MigrationSource {
  const outputs = parseJson(text);
  if (outputs === undefined) {
    const message = `${quote(source)} is not JSON; give what 'terraform output -json' prints`;
    throw new InputError("outputs-malformed", message);
  }
  const all = fieldsOf(outputs);
  const own = isFields(all.cert_migration) ? all.cert_migration.value : all;
  if (!isFields(own) || !isFields(own.migrations)) {
    const has = Object.keys(all).length === 0 ? "has no outputs" : "has no output cert_migration";
    const advice =
      "the first apply has not succeeded yet, the root module doesn't export the migration's output, or the migration has 'outputs: false'";
    const message = `${quote(source)} ${has}: ${advice}; use --stack with the synthesized stack or the module's folder`;
    throw new InputError("outputs-without-migration", message);
  }
  return { kind: "outputs", migrations: migrationsOf(own, source, (text) => text), warnings: [] };
}

/** Resolves a reference in a text; returns undefined if only Terraform knows the value. */
export type Resolve = (text: string) => string | undefined;

/**
 * Reads the value of the output `cert_migration`.
 *
 * @param uploadOf returns the PEM that is uploaded for a certificate, by the certificate's id as written in the output
 * @throws InputError with all problems of the value
 */
export function migrationsOf(
  value: Fields,
  source: string,
  resolve: Resolve,
  uploadOf: Resolve = () => undefined,
): readonly SourceMigration[] {
  const problems: Problem[] = [];
  const report: ReportProblem = (at, what) =>
    problems.push({ code: "outputs-malformed", message: `${quote(source)}: ${quote(at)} ${what}` });
  if (value.version !== 1) {
    report("/version", "is not 1; use a release of cert-migration that is as new as the one that made the stack");
  }
  const migrations = fieldsOf(value.migrations);
  const read = Object.entries(migrations).map(([path, fields]) =>
    readMigration(path, new ShapeReader(fields, `/migrations/${path}`, report), { resolve, uploadOf }),
  );
  for (const path of Object.keys(migrations)) {
    if (!isSafeToShow(path)) report(`/migrations/${path}`, "has characters in its name that can't be seen");
  }
  if (read.length === 0) report("/migrations", "is empty");
  if (problems.length > 0) throw new InputError(problems);
  return read;
}

/** The functions that resolve texts of an output. */
interface Resolvers {
  readonly resolve: Resolve;
  readonly uploadOf: Resolve;
}

function readMigration(path: string, fields: ShapeReader, resolvers: Resolvers): SourceMigration {
  const { resolve } = resolvers;
  const read = fields.list("certificates").map((certificate) => readCertificate(certificate, resolvers));
  // Entries refer to certificates by id. In a stack the id is a reference, whose text still identifies the certificate.
  const nameOf = new Map(read.map(({ writtenId, certificate }) => [writtenId, certificate.name]));
  const addresses = fields.object("addresses", (reader) => reader);
  const addressesOf = (family: string) => {
    const known = (addresses?.texts(family) ?? []).flatMap((address) => resolve(address) ?? []);
    return known.map(canonicalAddress);
  };
  return {
    path,
    name: fields.text("name"),
    phase: fields.oneOf("phase", ["issue", "serve"]),
    gate: fields.oneOf("gate", ["wait", "precondition", "check", "none"]),
    loadBalancer: fields.oneOf("loadBalancer", Object.keys(loadBalancerKinds) as LoadBalancerKind[]),
    certificates: read.map(({ certificate }) => certificate),
    entries: fields.list("entries").map((entry) => ({
      ...resourceFor(entry.text("id"), resolve),
      hostname: canonicalName(entry.text("hostname")),
      certificates: entry.texts("certificates").map((id) => nameOf.get(id) ?? resolve(id) ?? id),
    })),
    authorizations: fields.list("authorizations").map((authorization) => {
      const authorizationResource = resourceFor(authorization.text("id"), resolve);
      return {
        ...authorizationResource,
        domain: canonicalName(authorization.text("domain")),
        location: locationIn(authorizationResource.id ?? "") ?? "global",
      };
    }),
    records: fields.list("records").map((record) => readRecord(record, resolve)),
    ...(fields.isAbsent("map") ? {} : { map: resourceFor(fields.text("map"), resolve) }),
    proxies: fields.texts("proxies").map((id) => resourceFor(id, resolve)),
    ...(fields.isAbsent("servingProxies")
      ? {}
      : { servingProxies: fields.list("servingProxies").map(readServingProxy) }),
    addresses: { ipv4: addressesOf("ipv4"), ipv6: addressesOf("ipv6") },
    ...defined({ traffic: fields.object("traffic", (traffic) => readTraffic(traffic, resolve)) }),
  };
}

/** Returns a hostname or domain as the service has it; outputs may have been edited. */
function canonicalName(name: string): string {
  return name === "PRIMARY" ? name : name.toLowerCase();
}

function readServingProxy(proxy: ShapeReader): SourceServingProxy {
  return {
    id: proxy.text("proxy"),
    addresses: proxy.texts("addresses").map(canonicalAddress),
    certificates: proxy.list("certificates").map((certificate) => {
      return { id: certificate.text("id"), domains: certificate.texts("domains").map(canonicalName) };
    }),
  };
}

function resourceFor(text: string, resolve: Resolve): SourceResource {
  const id = resolve(text);
  return id === undefined ? {} : resourceOf(resourceNameIn(id));
}

function readCertificate(
  fields: ShapeReader,
  { resolve, uploadOf }: Resolvers,
): { readonly writtenId: string; readonly certificate: SourceCertificate } {
  const name = fields.text("name");
  const writtenId = fields.text("id");
  const certificate: SourceCertificate = {
    ...resourceFor(writtenId, resolve),
    name,
    kind: fields.oneOf("kind", ["managed", "selfManaged", "existing"]),
    domains: fields.texts("domains").map(canonicalName),
    location: fields.text("location"),
    scope: fields.oneOf("scope", ["DEFAULT", "ALL_REGIONS"]),
    ...defined({ uploadedPem: uploadOf(writtenId) }),
    ...(fields.value("isPrivatelyIssued") === true ? { isPrivatelyIssued: true } : {}),
    ...defined({ issuedBy: fields.object("issuedBy", (issuer) => readIssuer(issuer, resolve)) }),
  };
  return { writtenId, certificate };
}

function readIssuer(fields: ShapeReader, resolve: Resolve): SourceIssuer {
  const isGiven = (name: string) => fields.value(name) !== undefined;
  const idOf = (name: string) => (isGiven(name) ? resolve(fields.text(name)) : undefined);
  const pool = defined({ caPool: idOf("caPool"), existingIssuanceConfig: idOf("existingIssuanceConfig") });
  const lifetimeSeconds = fields.value("lifetimeSeconds");
  if (!isGiven("keyAlgorithm")) return pool;
  return {
    ...pool,
    ...(typeof lifetimeSeconds === "number" ? { lifetimeSeconds } : {}),
    keyAlgorithm: fields.oneOf("keyAlgorithm", ["RSA_2048", "ECDSA_P256"]),
  };
}

function readRecord(record: ShapeReader, resolve: Resolve): SourceRecord {
  const [name, data] = ["name", "data"].map((key) => {
    const known = resolve(record.text(key));
    if (known === undefined || known === "" || isZoneName(known)) return known;
    record.report(key, `is ${quote(known)}, which is not a domain name with a trailing dot`);
    return "";
  });
  return {
    domain: canonicalName(record.text("domain")),
    published: record.oneOf("published", ["cloudDns", "custom", "external"]),
    ...defined({ name, data }),
  };
}

function readTraffic(fields: ShapeReader, resolve: Resolve): SourceTraffic {
  const previous = fields.object("previous", (before) => before.entries()) ?? [];
  const records = previous.map(([hostname, reader]) => {
    const cname = reader.value("cname") === undefined ? {} : { cname: reader.text("cname") };
    return [canonicalName(hostname), { a: reader.texts("a"), aaaa: reader.texts("aaaa"), ...cname }] as const;
  });
  return {
    to: fields.oneOf("to", ["previous", "loadBalancer"]),
    hostnames: fields.texts("hostnames").map(canonicalName),
    records: fields.list("records").map((record) => {
      return { name: canonicalName(record.text("name")), type: record.text("type"), data: record.texts("data") };
    }),
    ...previousOf(Object.fromEntries(records), resolve),
  };
}
