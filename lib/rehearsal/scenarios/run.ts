import { join } from "node:path";
import { makeThirdPartyCertificates } from "../../cloud";
import type { CertificateSpec, MigrationSpec } from "../../plan";
import { type RehearsalResult, rehearse } from "../rehearsal";
import { scriptOf } from "../script";
import type { StackJson } from "../stack";
import { plainStackOf } from "./plain-stack";
import { type Scenario, smallSpec } from "./scenario";

export interface ScenarioOptions {
  /** The stack that the constructs make of a spec. */
  readonly synthesize: (spec: MigrationSpec, project: string) => StackJson;
  /** How a gate calls `cert-migration`. */
  readonly gateCommand: string;
  /** Each scenario works in a folder of its name in it. */
  readonly folder: string;
  readonly terraform?: string;
  /** In place of that of the fault plan. */
  readonly seed?: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a scenario showed. */
export interface ScenarioResult {
  readonly name: string;
  /** Whether all that was expected came to be. */
  readonly ok: boolean;
  /** What did not. */
  readonly problems: readonly string[];
  readonly probes: number;
  readonly failedHandshakes: number;
  /** How often faults struck and Terraform was killed. */
  readonly struck: number;
  /** Whether the migration ended as it should: every second plan empty, and nothing left after a destroy. */
  readonly completed: boolean;
  readonly seconds: number;
}

const project = "rehearsal-project";

/** Rehearses a scenario and holds it against what is expected. */
export async function runScenario(scenario: Scenario, options: ScenarioOptions): Promise<ScenarioResult> {
  const startedAt = performance.now();
  const { uploads, trusted } = await makeUploads(scenario.uploads ?? []);
  const spec = scenario.spec ?? smallSpec;
  const whole = { ...spec, certificates: [...spec.certificates, ...uploads] };
  const script = scriptOf(whole, options.gateCommand);
  const { faults, kills, cloud, attempts, order, mend, extras = false, plain = false } = scenario;
  const said: string[] = [];
  const synthesize = plain ? plainStackOf : options.synthesize;
  const result = await rehearse({
    synthesize: (variant) => synthesize(script.specOf(variant), project),
    hostnames: script.hostnames,
    addedHostname: script.addedHostname,
    folder: join(options.folder, scenario.name),
    extras,
    trusted,
    say: (line) => {
      said.push(line);
      options.say(line);
    },
    signal: options.signal,
    ...(options.terraform === undefined ? {} : { terraform: options.terraform }),
    ...(faults === undefined
      ? {}
      : { faults: options.seed === undefined ? faults : { ...faults, seed: options.seed } }),
    ...(kills === undefined ? {} : { kills }),
    ...(cloud === undefined ? {} : { cloud }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(order === undefined ? {} : { order }),
    ...(mend === undefined ? {} : { mend }),
  });
  const problems = problemsOf(scenario, result, said);
  return {
    name: scenario.name,
    ok: problems.length === 0,
    problems,
    probes: result.probes,
    failedHandshakes: result.failedHandshakes,
    struck: result.struck.reduce((sum, { count }) => sum + count, result.kills),
    completed: result.ok,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  };
}

/** What a result lacks of what a scenario expects. */
export function problemsOf(
  { kills = [], expect }: Scenario,
  result: RehearsalResult,
  said: readonly string[],
): readonly string[] {
  const missed = result.struck.filter(({ count }) => count === 0).length;
  const { failedHandshakes, probes } = result;
  return [
    ...(missed > 0 ? [`${missed} of ${result.struck.length} faults never struck`] : []),
    ...(result.kills < kills.length ? [`killed ${result.kills} times, not ${kills.length}`] : []),
    ...(expect.failedHandshakes === "none" && failedHandshakes > 0
      ? [`${failedHandshakes} of ${probes} handshakes failed`]
      : []),
    ...(expect.failedHandshakes === "some" && failedHandshakes === 0
      ? ["no handshake failed, and some had to: the measurement is wrong"]
      : []),
    ...(expect.told === undefined || said.some((line) => line.includes(expect.told ?? ""))
      ? []
      : [`nobody was told: ${expect.told}`]),
    ...(expect.completes && !result.ok && failedHandshakes === 0 ? ["the migration did not complete"] : []),
    ...(!expect.completes && result.ok ? ["the migration completed, and should not have"] : []),
  ];
}

async function makeUploads(lists: readonly (readonly string[])[]) {
  if (lists.length === 0) return { uploads: [], trusted: [] };
  const { certificates, authority } = await makeThirdPartyCertificates(
    lists.map((names) => ({ names })),
    { now: () => new Date() },
  );
  const uploads = certificates.map(
    ({ chainPem, privateKeyPem }, index): CertificateSpec => ({
      domains: lists[index] ?? [],
      selfManaged: { certificatePem: chainPem, privateKeyPem },
    }),
  );
  return { uploads, trusted: [authority.trustBundlePem] };
}
