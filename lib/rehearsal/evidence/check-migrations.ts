/** Reads from the Terraform states of a rehearsal what was migrated and how far, and compares it with the verdict. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RehearsalResult } from "../rehearsal";
import { namesIn, readEvidenceJson } from "./check-terraform";
import { check, checkWithout, type EvidenceCheck } from "./evidence-lines";

/** Fields of a stack's output `cert_migration` that are read here. */
interface Migration {
  readonly phase?: string;
  readonly entries?: readonly { readonly hostname?: string }[];
  readonly certificates?: readonly { readonly domains?: readonly string[] }[];
  readonly traffic?: { readonly to?: string; readonly hostnames?: readonly string[] };
}

interface StateJson {
  readonly outputs?: {
    readonly cert_migration?: { readonly value?: { readonly migrations?: Readonly<Record<string, Migration>> } };
  };
}

/** Summary of the states after successful applies, in order. */
export interface Course {
  /** Hostnames of map entries and of moved traffic, including wildcards. */
  readonly hostnames: readonly string[];
  /**
   * The last of the eight steps that was run: 3 for certificates alone, 7 for everything but traffic, 8 for all.
   * Undefined if no state contains a migration.
   */
  readonly lastStep: 3 | 7 | 8 | undefined;
  /** Whether a domain was added to a certificate. */
  readonly isRotated: boolean;
  /** Whether traffic was rolled back from the load balancer and moved to it again. */
  readonly isRolledBack: boolean;
}

/** @param folder Terraform's folder in the evidence */
export function courseOf(folder: string): Course {
  const moments = namesIn(join(folder, "states"))
    .filter((name) => existsSync(join(folder, "plans", name.replace(".json", "-after.json"))))
    .map((name) => readEvidenceJson(join(folder, "states", name), momentOf));
  const [first, last] = [moments[0], moments.at(-1)];
  const back = moments.findIndex(({ isMoved }, index) => !isMoved && moments.slice(0, index).some(wasMoved));
  return {
    hostnames: [...new Set(moments.flatMap(({ hostnames }) => hostnames))].sort(),
    lastStep: lastStepOf(moments),
    isRotated: last?.domains.some((domain) => first?.domains.includes(domain) === false) ?? false,
    isRolledBack: back >= 0 && moments.slice(back).some(wasMoved),
  };
}

/** Summary of one state. */
interface Moment {
  /** Number of migrations in the state. */
  readonly migrations: number;
  readonly hostnames: readonly string[];
  /** Domains of all certificates. */
  readonly domains: readonly string[];
  /** Whether the phase of a migration is `serve`, in which the map exists. */
  readonly isServed: boolean;
  /** Whether traffic is on the load balancer. */
  readonly isMoved: boolean;
}

function momentOf({ outputs }: StateJson): Moment {
  const all = Object.values(outputs?.cert_migration?.value?.migrations ?? {});
  const entries = all.flatMap((migration) => migration.entries ?? []);
  const served = entries.flatMap(({ hostname }) =>
    hostname === undefined || hostname === "PRIMARY" ? [] : [hostname],
  );
  return {
    migrations: all.length,
    hostnames: [...served, ...all.flatMap(({ traffic }) => traffic?.hostnames ?? [])],
    domains: all.flatMap(({ certificates = [] }) => certificates.flatMap((certificate) => certificate.domains ?? [])),
    isServed: all.some(({ phase }) => phase === "serve"),
    isMoved: all.some(({ traffic }) => traffic?.to === "loadBalancer"),
  };
}

function wasMoved({ isMoved }: Moment): boolean {
  return isMoved;
}

function lastStepOf(moments: readonly Moment[]): Course["lastStep"] {
  if (moments.every(({ migrations }) => migrations === 0)) return undefined;
  if (moments.some(wasMoved)) return 8;
  return moments.some(({ isServed }) => isServed) ? 7 : 3;
}

/** Returns the hostnames that were not probed. A wildcard counts as probed if a name directly below it was probed. */
export function unprobedOf({ hostnames }: Course, probed: ReadonlySet<string>): readonly string[] {
  const parents = new Set([...probed].map((name) => name.replace(/^[^.]+/, "*")));
  return hostnames.filter((name) => !(name.startsWith("*.") ? parents : probed).has(name));
}

/** Checks that a successful verdict names exactly the steps and parts that were run. */
export function courseCheck({ lastStep, isRotated, isRolledBack }: Course, result: RehearsalResult): EvidenceCheck {
  const { ok, steps, watch, rotation, rollback } = result;
  const name = "steps and parts";
  if (!ok) return check(name, true, "the rehearsal failed");
  if (lastStep === undefined) return check(name, false, "no state contains a migration");
  const reported = { watch, rotation, rollback };
  const expected = { watch: lastStep === 8, rotation: isRotated, rollback: isRolledBack };
  const unlike = (["watch", "rotation", "rollback"] as const).filter(
    (part) => (reported[part] ?? false) !== expected[part],
  );
  const wrong = [
    ...(steps.length === lastStep ? [] : [`the states show ${lastStep} steps, the result has ${steps.length}`]),
    ...unlike.map(
      (part) => `${part} was ${expected[part] ? "" : "not "}run, the result has ${reported[part] ?? "none"}`,
    ),
  ];
  return checkWithout(wrong, name, `${lastStep} steps, as in the states`);
}
