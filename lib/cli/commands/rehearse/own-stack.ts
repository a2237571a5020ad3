import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../../errors";
import { defined } from "../../../json/defined";
import type { CourseOptions, OwnStackOptions, StackJson, StackVariant, Unrehearsed } from "../../../rehearsal";
import type { RehearsalContext } from "../../../rehearsed";
import type { SourceMigration } from "../../../source";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import { type AppStack, synthesizeApp } from "../../app";
import type { Io } from "../../command";
import { readStackFile } from "../../files";
import * as load from "../../load";
import { servedNamesOf } from "../../subjects";
import type { WorkFolder } from "./folders";
import { type RehearsalSource, rehearsedMigrations, sha256Of } from "./rehearsed";

interface OwnOptions {
  readonly gateCommand: string;
  /** Whether to skip parts that cannot be rehearsed. */
  readonly skips: boolean;
  /** Whether Terraform uses the real provider; resources that the cloud does not implement are then left out. */
  readonly isReal: boolean;
  readonly io: Io;
}

/**
 * Reads an app, which is synthesized again for each point of the migration. The context passes that point to its
 * constructs.
 */
export async function readApp(
  command: string,
  stackName: string | undefined,
  rehearsing: OwnOptions,
  work: WorkFolder,
): Promise<RehearsalSource> {
  const synthesizeAt = appSynthesis(command, stackName, rehearsing, work);
  const begin: StackVariant = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 };
  const first = await synthesizeAt(begin, undefined);
  const before = migrationsOf(first);
  const rotating = before.find(({ certificates }) => certificates.some(({ kind }) => kind === "managed"))?.path;
  const rotated = await synthesizeAt({ ...begin, rotated: true }, rotating);
  const checked = ownStackFrom(rotated, rehearsing);
  const known = new Set(hostnamesOf(before));
  const issued = ownStackFrom(await synthesizeAt({ ...begin, phase: "issue" }, rotating), rehearsing).stack;
  const isOne = hasBareProxy(issued);
  const all = hostnamesOf(migrationsOf(rotated));
  return {
    input: { kind: "app", name: command, sha256: sha256Of(first.text), migrations: rehearsedMigrations(before) },
    migration: {
      synthesize: async (variant) => ownStackFrom(await synthesizeAt(variant, rotating), rehearsing).stack,
      hostnames: { all, added: all.find((hostname) => !known.has(hostname)) },
      alsoKept: checked.alsoKept,
      ...defined({ assets: rotated.assets }),
    },
    course: { ...manualStepOf(checked.stack, before), ...(isOne ? { order: "one deploy" } : {}) },
    notes: [
      `stack ${first.name} of the app: ${countOf(all.length, "hostname")}, ${migrationSummary(before)}`,
      "the rehearsal sets phase, traffic and DNS with the app's context: records that you publish manually, or with DnsPublication.custom, are records in the rehearsal's DNS; the app is not changed",
      ...(isOne
        ? [
            "the stack makes a target proxy that has no certificate before the migration's: one deploy does steps 1 to 6",
          ]
        : []),
      ...skippedNotes(checked.unrehearsed),
    ],
  };
}

type Synthesize = (variant: StackVariant, rotating: string | undefined) => Promise<ChosenStack>;

/** Returns a function that synthesizes the app for a point of the migration, once for each point. */
function appSynthesis(
  command: string,
  stackName: string | undefined,
  { io: { env, signal }, gateCommand }: OwnOptions,
  { path: workFolder, endSignal }: WorkFolder,
): Synthesize {
  const { publicRootsContextKey, rehearsalContextKey } = load.rehearsed();
  const made = new Map<string, Promise<ChosenStack>>();
  return (variant, rotating) => {
    const context: RehearsalContext = { version: 2, variant, gateCommand, ...defined({ rotating }) };
    const key = JSON.stringify(context);
    const place = { command, folder: process.cwd(), workFolder };
    const ofApp = { [rehearsalContextKey]: context, [publicRootsContextKey]: variant.publicRoots ?? [] };
    const run = { ...place, context: ofApp, env, signal, endSignal };
    const stack = made.get(key) ?? synthesizeApp(run).then((stacks) => chooseStack(stacks, stackName));
    made.set(key, stack);
    return stack;
  };
}

/** Returns whether a target proxy would be created without any certificate, which Compute Engine refuses. */
function hasBareProxy(stack: StackJson): boolean {
  const attributes = ["ssl_certificates", "certificate_map", "certificate_manager_certificates"];
  return blocksOf(stack, /^google_compute_(?:region_)?target_(?:https|ssl)_proxy$/).some((block) =>
    attributes.every((name) => !(name in block)),
  );
}

/** Returns the blocks of the resources whose type matches. */
function blocksOf(stack: StackJson, type: RegExp): readonly Readonly<Record<string, unknown>>[] {
  const resources = Object.entries(
    (stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, object>>>>,
  );
  return resources.flatMap(([name, blocks]) =>
    type.test(name) ? (Object.values(blocks) as Record<string, unknown>[]) : [],
  );
}

/** Reads a synthesized stack, which is rehearsed unchanged on an empty cloud. */
export async function readStack(folder: string, rehearsing: OwnOptions): Promise<RehearsalSource> {
  const file = join(folder, "cdk.tf.json");
  const text = await readStackFile(file, rehearsing.io.signal);
  const given = { name: folder, text, others: stacksBeside(folder) };
  const migrations = migrationsOf(given);
  const { stack, alsoKept, unrehearsed } = ownStackFrom(given, rehearsing);
  const withoutVariants = rehearsalAsItStands(migrations);
  const { publishes, hostnames } = withoutVariants.migration;
  const extent = {
    "certificates alone": "it is of the phase 'issue', so the rehearsal ends with step 3",
    "without traffic": "its traffic stays where it is, so the rehearsal ends with step 7",
    "traffic at once": "its traffic is on the load balancer, so one deploy does all eight steps",
  } as const;
  return {
    input: { kind: "stack", name: folder, sha256: sha256Of(text), migrations: rehearsedMigrations(migrations) },
    migration: { synthesize: () => stack, ...withoutVariants.migration, alsoKept, assets: join(folder, "assets") },
    course: { ...withoutVariants.course, ...manualStepOf(stack, migrations) },
    notes: [
      `${folder}: ${countOf(hostnames.all.length, "hostname")}, ${migrationSummary(migrations)}`,
      `the stack is rehearsed as it stands: ${extent[withoutVariants.course.order]}; --app rehearses all of them, rotation and rollback`,
      ...(publishes
        ? [
            "CNAMEs that the stack leaves to you or to another DNS provider are published in the rehearsal's DNS, as soon as their authorizations are there",
          ]
        : []),
      ...skippedNotes(unrehearsed),
    ],
  };
}

/** Returns the other stacks of the same app, from the folders beside the stack; unreadable stacks are left out. */
function stacksBeside(folder: string): ReadonlyMap<string, StackJson> {
  const all = dirname(resolve(folder));
  const names = readdirSync(all).filter((name) => name !== basename(resolve(folder)));
  const found = names.flatMap((name): readonly (readonly [string, StackJson])[] => {
    const file = join(all, name, "cdk.tf.json");
    if (!existsSync(file)) return [];
    try {
      return [[name, stackIn(readFileSync(file, "utf8"))]];
    } catch {
      return [];
    }
  });
  return new Map(found);
}

/** Reads the JSON of a stack, which a kit has synthesized. */
function stackIn(text: string): StackJson {
  return JSON.parse(text);
}

/** Returns what the rehearsal creates manually, so that the load balancer answers. */
function manualStepOf(stack: StackJson, migrations: readonly SourceMigration[]): Pick<CourseOptions, "manualStep"> {
  // A forwarding rule without port 443, for example for redirects, cannot serve a certificate.
  const isMet = blocksOf(stack, /^google_compute_(?:global_)?forwarding_rule$/).some((rule) =>
    /\b443\b|\$\{|^$/.test(String(rule.port_range ?? "")),
  );
  if (isMet) return {};
  return { manualStep: migrations.some(({ proxies }) => proxies.length > 0) ? "addresses" : "proxies" };
}

/** Returns the stack to rehearse. */
function chooseStack(stacks: readonly AppStack[], name: string | undefined): ChosenStack {
  const isFit = ({ text }: AppStack) => text.includes('"cert_migration"');
  const found = name === undefined ? stacks.filter(isFit) : stacks.filter((stack) => stack.name === name);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    const beside = stacks.filter((stack) => stack !== only);
    return { ...only, others: new Map(beside.map((stack) => [stack.name, stackIn(stack.text)])) };
  }
  const names = stacks.map((stack) => stack.name).join(", ");
  throw new InputError(
    "rehearsal-stack",
    name !== undefined
      ? `--stack: the app has no stack ${quote(name)}; it has ${names}`
      : found.length === 0
        ? `no stack of the app has a migration; it has ${names}`
        : `${found.length} stacks of the app have migrations; name one with --stack: ${found.map((stack) => stack.name).join(", ")}`,
  );
}

function migrationsOf({ name, text }: AppStack): readonly SourceMigration[] {
  const { sourceFromStack } = load.source();
  return sourceFromStack(text, name).migrations;
}

interface ChosenStack extends AppStack {
  readonly others: ReadonlyMap<string, StackJson>;
}

function ownStackFrom({ text, others }: ChosenStack, { gateCommand, skips, isReal, io }: OwnOptions) {
  const { openKnownTypes, createOwnStack, refuseUnrehearsed, requirementOf } = load.rehearsal();
  const stack = stackIn(text);
  const known: OwnStackOptions["known"] = openKnownTypes(requirementOf(stack));
  const made = createOwnStack(stack, { gateCommand, known, isReal, others, env: io.env });
  if (!skips) refuseUnrehearsed(made.unrehearsed);
  return made;
}

/** Returns the options for a migration that is rehearsed in the phase in which it is. */
export function rehearsalAsItStands(migrations: readonly SourceMigration[]) {
  const isMoved = migrations.some(({ traffic }) => traffic?.to === "loadBalancer");
  const isIssued = migrations.every(({ phase }) => phase === "issue");
  const order = isIssued ? "certificates alone" : isMoved ? "traffic at once" : "without traffic";
  const publishes = migrations.some(({ records }) => records.some(({ published }) => published !== "cloudDns"));
  const moved = migrations.flatMap(({ traffic }) => traffic?.hostnames ?? []);
  return {
    migration: {
      hostnames: {
        all: hostnamesOf(migrations),
        ...(isMoved ? { moved: moved.map(standInOf) } : {}),
        added: undefined,
      },
      isMoved,
      publishes,
    },
    course: { order, extras: false },
  } as const;
}

/** Returns every served name, with a covered hostname in place of each wildcard. */
function hostnamesOf(migrations: readonly SourceMigration[]): readonly string[] {
  const names = migrations.flatMap((migration) => [
    ...servedNamesOf(migration),
    ...(migration.traffic?.hostnames ?? []),
  ]);
  return [...new Set(names.map(standInOf))].sort();
}

/** Returns a name to which clients can connect: one below a wildcard in its place. */
function standInOf(name: string): string {
  return name.replace(/^\*\./, "covered-by-wildcard.");
}

export function migrationSummary(migrations: readonly SourceMigration[]): string {
  const certificates = migrations.flatMap((migration) => migration.certificates).length;
  const paths = migrations.map(({ path }) => path).join(", ");
  return `${countOf(certificates, "certificate")} in ${paths}`;
}

function skippedNotes(unrehearsed: readonly Unrehearsed[]): readonly string[] {
  return unrehearsed.map(({ address, what }) => `not rehearsed: ${address} is ${what}`);
}
