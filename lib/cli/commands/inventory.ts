import type { Inventory, InventoryCertificate, SpecFromInventory } from "../../migrate";
import type { Command, ExitCode, Invocation, Io } from "../command";
import { readTextFile, writeWhole } from "../files";
import { formatTable, safe } from "../text";

export const inventoryCommand: Command = {
  name: "inventory",
  summary: "read certificates from files and write the migration that replaces them",
  description:
    "Reads certificates from files and folders (PEM, DER, PKCS#7, PKCS#12; told apart by content) and says what each is for and what stands against replacing it. With --out it writes the migration that replaces them, for the constructs and every other command.",
  arguments: [
    {
      name: "path",
      description: "certificate files, or folders that are read with all below them",
      takes: "one or more",
    },
  ],
  options: [
    { flags: "--json", description: "print the inventory as JSON" },
    { flags: "--out <file>", description: "write the migration as YAML to this file" },
    { flags: "--name <name>", description: "identity of the migration in --out", default: "migration" },
    { flags: "--force", description: "replace the file of --out if there is one" },
    { flags: "--password-file <file>", description: "a file with a password for PKCS#12 on each line" },
  ],
  examples: [
    { command: "cert-migration inventory certificates/", what: "what is there" },
    { command: "cert-migration inventory certificates/ --out migration.yaml", what: "a migration of all of it" },
    { command: "cert-migration inventory store.p12 --password-file password.txt --json", what: "for a script" },
  ],
  exitCodes: { 4: "no certificate was found, or some files could not be read; what could is reported" },
  run: runInventory,
};

async function runInventory({ arguments: given, options }: Invocation, io: Io): Promise<ExitCode> {
  const { takeInventory, inventoryToSpec } = require("../../migrate") as typeof import("../../migrate");
  const inventory = takeInventory(given.path as readonly string[], {
    now: io.now(),
    passwords: await readPasswords(options.passwordFile as string | undefined),
  });
  if (options.json === true) io.stdout.write(`${JSON.stringify(inventory, undefined, 2)}\n`);
  else printInventory(inventory, io);
  for (const { source, message } of inventory.errors) io.stderr.write(`${safe(source)}: ${safe(message)}\n`);
  if (typeof options.out === "string") {
    const made = inventoryToSpec(inventory, options.name as string);
    await writeSpec(made, options.out, options.force === true, io);
  }
  return inventory.certificates.length > 0 && inventory.errors.length === 0 ? 0 : 4;
}

async function readPasswords(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined) return [];
  return (await readTextFile(path, "--password-file")).split(/\r?\n/).filter((line) => line !== "");
}

function printInventory({ certificates }: Inventory, io: Io): void {
  if (certificates.length === 0) return;
  const rows = certificates.map((certificate) => [
    certificate.domains.join(", ") || "-",
    certificate.notAfter.slice(0, 10),
    certificate.keyType,
    certificate.index === 0 ? certificate.source : `${certificate.source} #${certificate.index}`,
  ]);
  io.stdout.write(formatTable(["names", "expires", "key", "file"], rows));
  for (const certificate of certificates) printProblems(certificate, io);
}

function printProblems({ source, domains, problems }: InventoryCertificate, io: Io): void {
  if (problems.length === 0) return;
  io.stdout.write(`\n${safe(domains[0] ?? source)} (${safe(source)})\n`);
  for (const { code, message } of problems) io.stdout.write(`  - ${safe(message)} [${code}]\n`);
}

async function writeSpec(made: SpecFromInventory | undefined, path: string, force: boolean, io: Io): Promise<void> {
  if (made === undefined) {
    io.stderr.write(`${safe(path)} is not written: no certificate has a name that can be migrated\n`);
    return;
  }
  const { writeMigrationDocument } = require("../../plan") as typeof import("../../plan");
  const comment = [
    "What is migrated to Google Cloud, and how; made from an inventory of certificates.",
    "The records are to be published by hand (dns: external). To have them written in Cloud DNS:",
    "  dns: { kind: cloudDns, zones: { example.com: name-of-the-zone } }",
    ...made.notices,
  ];
  await writeWhole(path, writeMigrationDocument(made.spec, { comment }), { force });
  for (const notice of made.notices) io.stderr.write(`${safe(notice)}\n`);
  io.stderr.write(
    `${safe(path)}: ${made.spec.certificates.length} certificates, ${made.spec.mustServe?.length} names\n`,
  );
}
