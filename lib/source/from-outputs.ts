import { InputError, type Problem } from "../errors";
import { canonicalAddress } from "../hostnames";
import { defined } from "../json/defined";
import { type Fields, isFields, parseJson } from "../json/fields";
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
import { ShapeReader } from "./shape";

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
  const all = isFields(outputs) ? outputs : {};
  const own = isFields(all.cert_migration) ? all.cert_migration.value : all;
  if (!isFields(own) || !isFields(own.migrations)) {
    const message = `${quote(source)} has no output cert_migration; apply a stack with a migration first`;
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
  const reader = new ShapeReader(source, problems);
  if (value.version !== 1) {
    reader.report(
      "/version",
      "is not 1; use a release of cert-migration that is as new as the one that made the stack",
    );
  }
  const migrations = isFields(value.migrations) ? value.migrations : {};
  const reading: Reading = { reader, resolve, uploadOf };
  const read = Object.entries(migrations).map(([path, fields]) => {
    const at = `/migrations/${path}`;
    return readMigration(path, reader.fields(fields, at), at, reading);
  });
  for (const path of Object.keys(migrations)) {
    if (!isSafeToShow(path)) reader.report(`/migrations/${path}`, "has characters in its name that can't be seen");
  }
  if (read.length === 0) reader.report("/migrations", "is empty");
  if (problems.length > 0) throw new InputError(problems);
  return read;
}

/** The functions that read the parts of an output. */
interface Reading {
  readonly reader: ShapeReader;
  readonly resolve: Resolve;
  readonly uploadOf: Resolve;
}

function readMigration(path: string, fields: Fields, at: string, reading: Reading): SourceMigration {
  const { reader, resolve } = reading;
  const read = reader
    .list(fields, "certificates", at)
    .map((certificate, index) => readCertificate(certificate, `${at}/certificates/${index}`, reading));
  // Entries refer to certificates by id. In a stack the id is a reference, whose text still identifies the certificate.
  const nameOf = new Map(read.map(({ writtenId, certificate }) => [writtenId, certificate.name]));
  const addresses = fields.addresses === undefined ? {} : reader.fields(fields.addresses, `${at}/addresses`);
  const addressesOf = (family: string) =>
    reader
      .texts(addresses, family, `${at}/addresses`)
      .flatMap((address) => resolve(address) ?? [])
      .map(canonicalAddress);
  return {
    path,
    name: reader.text(fields, "name", at),
    phase: reader.oneOf(fields, "phase", at, ["issue", "serve"]),
    gate: reader.oneOf(fields, "gate", at, ["wait", "precondition", "check", "none"]),
    loadBalancer: reader.oneOf(fields, "loadBalancer", at, Object.keys(loadBalancerKinds) as LoadBalancerKind[]),
    certificates: read.map(({ certificate }) => certificate),
    entries: reader.list(fields, "entries", at).map((entry, index) => {
      const here = `${at}/entries/${index}`;
      return {
        ...resourceFor(reader.text(entry, "id", here), resolve),
        hostname: reader.text(entry, "hostname", here),
        certificates: reader.texts(entry, "certificates", here).map((id) => nameOf.get(id) ?? resolve(id) ?? id),
      };
    }),
    authorizations: reader.list(fields, "authorizations", at).map((authorization, index) => {
      const here = `${at}/authorizations/${index}`;
      const own = resourceFor(reader.text(authorization, "id", here), resolve);
      const location = locationIn(own.id ?? "") ?? "global";
      return { ...own, domain: reader.text(authorization, "domain", here), location };
    }),
    records: reader
      .list(fields, "records", at)
      .map((record, index) => readRecord(record, `${at}/records/${index}`, reading)),
    ...(fields.map === undefined ? {} : { map: resourceFor(reader.text(fields, "map", at), resolve) }),
    proxies: reader.texts(fields, "proxies", at).map((id) => resourceFor(id, resolve)),
    ...(fields.servingProxies === undefined ? {} : { servingProxies: readServingProxies(fields, at, reader) }),
    addresses: { ipv4: addressesOf("ipv4"), ipv6: addressesOf("ipv6") },
    ...(fields.traffic === undefined
      ? {}
      : { traffic: readTraffic(reader.fields(fields.traffic, `${at}/traffic`), `${at}/traffic`, reading) }),
  };
}

function readServingProxies(fields: Fields, at: string, reader: ShapeReader): readonly SourceServingProxy[] {
  return reader.list(fields, "servingProxies", at).map((proxy, index) => {
    const here = `${at}/servingProxies/${index}`;
    return {
      id: reader.text(proxy, "proxy", here),
      addresses: reader.texts(proxy, "addresses", here).map(canonicalAddress),
      certificates: reader.list(proxy, "certificates", here).map((certificate, number) => {
        const place = `${here}/certificates/${number}`;
        return { id: reader.text(certificate, "id", place), domains: reader.texts(certificate, "domains", place) };
      }),
    };
  });
}

function resourceFor(text: string, resolve: Resolve): SourceResource {
  const id = resolve(text);
  return id === undefined ? {} : resourceOf(resourceNameIn(id));
}

function readCertificate(
  fields: Fields,
  at: string,
  { reader, resolve, uploadOf }: Reading,
): { readonly writtenId: string; readonly certificate: SourceCertificate } {
  const name = reader.text(fields, "name", at);
  const writtenId = reader.text(fields, "id", at);
  const uploadedPem = uploadOf(writtenId);
  const certificate: SourceCertificate = {
    ...resourceFor(writtenId, resolve),
    name,
    kind: reader.oneOf(fields, "kind", at, ["managed", "selfManaged", "existing"]),
    domains: reader.texts(fields, "domains", at),
    location: reader.text(fields, "location", at),
    scope: reader.oneOf(fields, "scope", at, ["DEFAULT", "ALL_REGIONS"]),
    ...defined({ uploadedPem }),
    ...(fields.isPrivatelyIssued === true ? { isPrivatelyIssued: true } : {}),
    ...(fields.issuedBy === undefined
      ? {}
      : {
          issuedBy: readIssuer(reader.fields(fields.issuedBy, `${at}/issuedBy`), `${at}/issuedBy`, { reader, resolve }),
        }),
  };
  return { writtenId, certificate };
}

function readIssuer(
  fields: Fields,
  at: string,
  { reader, resolve }: Pick<Reading, "reader" | "resolve">,
): SourceIssuer {
  // Terraform fills missing attributes with null if objects of one list have different attributes.
  const isGiven = (name: string) => (fields[name] ?? undefined) !== undefined;
  const idOf = (name: string) => (isGiven(name) ? resolve(reader.text(fields, name, at)) : undefined);
  const [caPool, existingIssuanceConfig] = ["caPool", "existingIssuanceConfig"].map(idOf);
  const { lifetimeSeconds } = fields;
  if (!isGiven("keyAlgorithm")) return defined({ caPool, existingIssuanceConfig });
  return {
    ...defined({ caPool, existingIssuanceConfig }),
    ...(typeof lifetimeSeconds === "number" ? { lifetimeSeconds } : {}),
    keyAlgorithm: reader.oneOf(fields, "keyAlgorithm", at, ["RSA_2048", "ECDSA_P256"]),
  };
}

function readRecord(record: Fields, at: string, { reader, resolve }: Reading): SourceRecord {
  const [name, data] = ["name", "data"].map((key) => {
    const known = resolve(reader.text(record, key, at));
    if (known === undefined || known === "" || isZoneName(known)) return known;
    reader.report(`${at}/${key}`, `is ${quote(known)}, which is not a domain name with a trailing dot`);
    return "";
  });
  return {
    domain: reader.text(record, "domain", at),
    published: reader.oneOf(record, "published", at, ["cloudDns", "external"]),
    ...defined({ name, data }),
  };
}

function readTraffic(fields: Fields, at: string, { reader, resolve }: Reading): SourceTraffic {
  const before = fields.previous === undefined ? {} : reader.fields(fields.previous, `${at}/previous`);
  const previous = Object.entries(before).map(([hostname, value]) => {
    const here = `${at}/previous/${hostname}`;
    const records = reader.fields(value, here);
    // Terraform fills missing attributes with null if objects of one list have different attributes.
    const cname = (records.cname ?? undefined) === undefined ? {} : { cname: reader.text(records, "cname", here) };
    return [hostname, { a: reader.texts(records, "a", here), aaaa: reader.texts(records, "aaaa", here), ...cname }];
  });
  return {
    to: reader.oneOf(fields, "to", at, ["previous", "loadBalancer"]),
    hostnames: reader.texts(fields, "hostnames", at),
    records: reader.list(fields, "records", at).map((record, index) => ({
      name: reader.text(record, "name", `${at}/records/${index}`),
      type: reader.text(record, "type", `${at}/records/${index}`),
      data: reader.texts(record, "data", `${at}/records/${index}`),
    })),
    ...previousOf(Object.fromEntries(previous), resolve),
  };
}
