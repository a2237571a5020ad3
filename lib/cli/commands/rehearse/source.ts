import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import { formOf, type MigrationSpec } from "../../../plan";
import type { StackVariant } from "../../../rehearsal";
import type { RehearsedInput } from "../../../report";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { stackFolder } from "../../files";
import * as load from "../../load";
import { readSpecText } from "../../source";
import { installedKit, synthesizeSpec } from "../../synthesize";
import type { WorkFolder } from "./folders";
import type { RehearseOptions } from "./options";
import { readApp, readStack } from "./own-stack";
import { type RehearsalSource, sha256Of } from "./rehearsed";
import { readTerraformDir } from "./terraform-dir";

/**
 * Reads the source that the options name: a spec, certificate files, a synthesized stack, or an app.
 *
 * @param own command with which gates call this program, and the program that runs as Terraform
 * @param work folder in which an app may put its stacks
 */
export async function readRehearsalSource(
  options: RehearseOptions,
  { gateCommand, terraform }: { readonly gateCommand: string; readonly terraform: string },
  work: WorkFolder,
  io: Io,
): Promise<RehearsalSource> {
  const { spec, certificates, stack, app, terraformDir, skipUnknown: skips } = options;
  const given = [spec, certificates, app ?? stack, terraformDir].filter((named) => named !== undefined);
  if (given.length !== 1) {
    throw new InputError(
      "rehearsal-source",
      "the migration is missing; use one of --spec, --certificates, --stack, --app, --terraform-dir",
    );
  }
  const isReal = options.provider === "real";
  if (app !== undefined) return readApp(app, stack, { gateCommand, skips, isReal, io }, work);
  if (terraformDir !== undefined) {
    return readTerraformDir(terraformDir, { gateCommand, skips, isReal, terraform, io }, work);
  }
  if (stack !== undefined) return readStack(stackFolder(stack), { gateCommand, skips, isReal, io });
  const { dnsNotes, ...source } = readSpec(await specOf(spec, certificates, io), gateCommand);
  // A spec that was generated from certificates has no DNS settings by the user, so the notes about DNS are omitted.
  return spec === undefined ? source : { ...source, notes: [...source.notes, ...dnsNotes] };
}

/**
 * Reads a spec.
 *
 * @returns the source, with notes on the records that the rehearsal publishes in place of a person
 */
function readSpec(
  { spec, ...input }: GivenSpec,
  gateCommand: string,
): RehearsalSource & { readonly dnsNotes: readonly string[] } {
  const { scriptOf } = load.rehearsal();
  const { hostnames, specOf } = scriptOf(spec, gateCommand);
  // A missing kit is an error before the notes and all preparations.
  installedKit();
  const synthesize = (variant: StackVariant) =>
    synthesizeSpec(specOf(variant), "rehearsal-project", defined({ publicRoots: variant.publicRoots }));
  const { certificates, name, project } = spec;
  const migration = {
    name,
    ...defined({ project }),
    certificates: certificates.map(({ name: given, domains, hostnames: named, ...certificate }) => {
      const { kinds } = formOf(certificate);
      const uploaded = kinds.includes("selfManaged") ? ("selfManaged" as const) : ("managed" as const);
      const kind = kinds.includes("existing") ? ("existing" as const) : uploaded;
      return { name: given ?? domains?.[0] ?? "", kind, domains: domains ?? named ?? [] };
    }),
  };
  return {
    input: { ...input, migrations: [migration] },
    migration: { synthesize, hostnames },
    notes: [
      `${countOf(hostnames.all.length, "hostname")}, ${countOf(certificates.length, "certificate")}; the rehearsal takes a minute or so`,
    ],
    dnsNotes:
      spec.dns.kind === "external"
        ? [
            "dns is external: Terraform creates the records that you publish manually (CNAMEs, and addresses in step 8) in zones of the rehearsal",
          ]
        : [],
  };
}

interface GivenSpec extends Pick<RehearsedInput, "kind" | "name" | "sha256"> {
  readonly spec: MigrationSpec;
}

async function specOf(spec: string | undefined, certificates: string | undefined, io: Io): Promise<GivenSpec> {
  if (certificates !== undefined) {
    const { inventoryToSpec, takeInventory } = load.inventory();
    const made = inventoryToSpec(takeInventory([certificates], { now: io.now() }), "shop");
    if (made === undefined) {
      const message = `${quote(certificates)} has no certificate that can be migrated; see the findings of 'cert-migration inventory'`;
      throw new InputError("inventory-empty", message);
    }
    return { kind: "certificates", name: certificates, sha256: sha256Of(JSON.stringify(made.spec)), spec: made.spec };
  }
  const { sourceFromSpec } = load.source();
  const source = spec ?? "";
  const { text, reading } = await readSpecText(source, "--spec", io);
  // A spec that cannot be planned cannot be rehearsed. It is refused as by other commands, with the location of each
  // mistake.
  return { kind: "spec", name: reading.source, sha256: sha256Of(text), spec: sourceFromSpec(text, reading).spec };
}
