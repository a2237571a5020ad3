import { InputError } from "../../errors";
import type {
  Inventory,
  InventoryCertificate,
  InventoryFinding,
  InventoryHost,
  InventoryName,
  NameRecords,
} from "../../inventory";
import { groupBy } from "../../json/group-by";
import type { MigrationSpec } from "../../plan";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { checkWritable, writeWhole } from "../files";
import * as load from "../load";
import { folderFor } from "../style";
import { safe, writeLine, writeNote } from "../text";
import { writeTable } from "../text-table";

export interface InventoryOutput {
  /** Path of the file, or `-` for standard output. */
  readonly path: string;
  readonly force: boolean;
}

export interface OutputOptions {
  readonly out: string | undefined;
  readonly json: boolean;
  readonly force: boolean;
}

/** Reads the output options, and checks before the survey, which takes minutes, that the file can be written. */
export async function readOutput({ out, json, force }: OutputOptions): Promise<InventoryOutput | undefined> {
  if (out === undefined) return undefined;
  const output = { path: out, force };
  if (out !== "-") await checkWritable(out, output);
  else if (json) {
    throw new InputError(
      "stdout-twice",
      "--out - and --json or --format both print to standard output; give --out a file",
    );
  }
  return output;
}

interface Made {
  readonly spec: MigrationSpec;
  readonly notices: readonly string[];
}

/**
 * Writes a migration as YAML, with its notices as comments and on stderr.
 *
 * @param comment first lines of the document
 * @param nothing reason that is reported if there is no migration
 * @returns whether there was a migration to write
 */
export async function writeMigration(
  made: Made | undefined,
  { comment, nothing }: { readonly comment: readonly string[]; readonly nothing: string },
  { path, force }: InventoryOutput,
  io: Io,
): Promise<boolean> {
  const place = path === "-" ? "standard output" : path;
  if (made === undefined) {
    writeNote("migration-not-written", `${place} is not written: ${nothing}`, io);
    return false;
  }
  const { writeMigrationDocument } = load.plan();
  const document = writeMigrationDocument(made.spec, { comment: [...comment, ...made.notices] });
  if (path === "-") io.stdout.write(document);
  else await writeWhole(path, document, { force });
  for (const notice of made.notices) writeNote("migration-notice", notice, io);
  const names = countOf(made.spec.mustServe?.length ?? 0, "name");
  writeLine(`${place}: ${countOf(made.spec.certificates.length, "certificate")}, ${names}`, io, "stderr");
  return true;
}

export function printInventory({ certificates, hosts, names, findings }: Inventory, io: Io): void {
  if (certificates.length > 0) {
    const where = hosts.length === 0 ? "file" : "found at";
    const rows = certificates.map(rowOfCertificate);
    writeTable(["names", "expires", "key", where], rows, io);
  }
  const byFingerprint = new Map(certificates.map((certificate) => [certificate.fingerprintSha256, certificate]));
  if (hosts.length > 0) {
    const rows = hosts.flatMap((host) => rowsOfHost(host, byFingerprint));
    io.stdout.write("\n");
    writeTable(["host", "address", "served", "for it", "chain"], rows, io);
  }
  // Wildcard names without DNS records are hidden: wildcard certificates are common, wildcard records are not.
  const listed = names.filter(
    ({ name, records }) => !(name.startsWith("*.") && records !== null && hasNothing(records)),
  );
  if (listed.length > 0) {
    const rows = listed.map(rowOfName);
    io.stdout.write("\n");
    writeTable(["name", "in DNS", "kept for", ""], rows, io);
  }
  for (const certificate of certificates) printProblems(certificate, io);
  printFindings(findings, io);
  const errors = certificates.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error");
  printRemedies([...findings, ...errors], io);
}

function rowOfCertificate({
  domains,
  notAfter,
  keyType,
  source,
  index,
  places,
}: InventoryCertificate): readonly string[] {
  const further = places.length - 1;
  const place = `${source}${index === 0 ? "" : ` #${index}`}${further === 0 ? "" : ` and ${further} more`}`;
  return [domains.join(", ") || "-", notAfter.slice(0, 10), keyType, place];
}

function rowsOfHost(
  { host, port, endpoints }: InventoryHost,
  byFingerprint: ReadonlyMap<string, InventoryCertificate>,
): readonly (readonly string[])[] {
  const label = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  if (endpoints.length === 0) return [[label, "-", "no address", "", ""]];
  return endpoints.flatMap(({ address, served, failure }) => {
    if (failure !== null) return [[label, address, failure.code, "", ""]];
    return served.map(({ fingerprintSha256, protocol, coverage, trusted }) => {
      const certificate = byFingerprint.get(fingerprintSha256);
      const what = `${certificate?.keyType ?? ""} until ${certificate?.notAfter.slice(0, 10) ?? ""}, ${protocol}`;
      return [label, address, what, coverage ?? "-", trusted ? "trusted" : "not trusted"];
    });
  });
}

function hasNothing({ cname, a, aaaa }: NameRecords): boolean {
  return cname === null && a.addresses.length + aaaa.addresses.length === 0;
}

function rowOfName({ name, listed, records }: InventoryName): readonly string[] {
  const note = listed ? "" : "not listed";
  if (records === null) return [name, "look-up failed", "", note];
  const { cname, a, aaaa } = records;
  const today = cname === null ? [...a.addresses, ...aaaa.addresses].join(", ") : `alias of ${cname.target}`;
  const ttlSeconds = cname?.ttlSeconds ?? Math.max(a.ttlSeconds ?? 0, aaaa.ttlSeconds ?? 0);
  return [name, today || "nothing", today === "" ? "" : `${ttlSeconds} s`, note];
}

function printProblems({ source, domains, problems }: InventoryCertificate, io: Io): void {
  if (problems.length === 0) return;
  const fold = folderFor(io, "stdout");
  io.stdout.write(`\n${fold(`${safe(domains[0] ?? source)} (${safe(source)})`, 2)}\n`);
  for (const { code, message, severity } of problems) {
    const what = `${severity === "error" ? "error: " : ""}${safe(message)}`;
    io.stdout.write(`${fold(`  - ${what} [${code}]`, 4)}\n`);
  }
}

function printFindings(findings: readonly InventoryFinding[], io: Io): void {
  const fold = folderFor(io, "stdout");
  for (const [about, found] of groupBy(findings, ({ subject }) => subject)) {
    io.stdout.write(`\n${fold(safe(about), 2)}\n`);
    for (const { code, severity, message } of found) {
      io.stdout.write(`${fold(`  - ${severity}: ${safe(message)} [${code}]`, 4)}\n`);
    }
  }
}

function printRemedies(found: readonly { readonly code: string; readonly remedy: string }[], io: Io): void {
  if (found.length === 0) return;
  const fold = folderFor(io, "stdout");
  io.stdout.write("\nwhat to do\n");
  // A code may have one remedy for hosts and another for addresses.
  const remedies = new Map(found.map(({ code, remedy }) => [`${code}: ${remedy}`, true]));
  for (const line of remedies.keys()) io.stdout.write(`${fold(`  ${line}`, 4)}\n`);
}
