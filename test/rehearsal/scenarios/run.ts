import { join } from "node:path";
import { type FaultPlan, makeThirdPartyCertificates } from "../../../lib/cloud";
import { InputError } from "../../../lib/errors";
import { defined } from "../../../lib/json/defined";
import type { MigrationSpec } from "../../../lib/plan";
import { type RehearsalResult, rehearse } from "../../../lib/rehearsal/rehearsal";
import { type Script, scriptOf } from "../../../lib/rehearsal/script";
import { type StackJson, withProviderVersion } from "../../../lib/rehearsal/stack";
import { plainStackOf } from "./plain-stack";
import { type Scenario, type Scene, smallSpec, type Upload } from "./scenario";
import { createMeetings, type Evidence } from "./seen";
import { problemsOf, proofOf } from "./verdict";

export interface ScenarioOptions {
  /** Returns the stack that the constructs synthesize from a spec. */
  readonly synthesize: (spec: MigrationSpec, project: string) => StackJson;
  /** The command with which a gate calls `cert-migration`. */
  readonly gateCommand: string;
  /** Contains one folder for each scenario, with its name. */
  readonly folder: string;
  readonly terraform?: string;
  /** Provider that Terraform uses. @default "stand-in" */
  readonly provider?: "stand-in" | "real";
  /** Version of the google provider in the stack. @default - version of the bindings */
  readonly providerVersion?: string;
  /** Overrides the seed of the fault plan. */
  readonly seed?: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called with the timeline of the handshakes at the end. */
  readonly onTimeline?: (timeline: RehearsalResult["timeline"]) => void;
}

/** The result of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  /** Whether all expectations were met. */
  readonly ok: boolean;
  /** Expectations that were not met. */
  readonly problems: readonly string[];
  /** Observed faults and events, for example `requests compute.targetHttpsProxies.insert INTERNAL: 6`. */
  readonly proof: readonly string[];
  readonly probes: number;
  readonly failedHandshakes: number;
  /** How often faults took effect and Terraform was killed. */
  readonly faultCount: number;
  /**
   * Whether steps, acts, rotation and rollback succeeded, with no failed handshake and every second plan empty.
   */
  readonly completed: boolean;
  /** Number of resources that were missing from Terraform's state and were imported. */
  readonly imported: number;
  /** Whether the last plan was empty, after at most one more run without faults. */
  readonly converged: boolean;
  /** Resources after the destroy that did not exist before the migration. */
  readonly left: readonly string[];
  readonly seconds: number;
}

const project = "rehearsal-project";
/** Pause between probes that leaves CPU time to Terraform while two rehearsals run. */
const probePauseMs = 40;

/** Rehearses a scenario and compares its result with the expectations. */
export async function runScenario(scenario: Scenario, options: ScenarioOptions): Promise<ScenarioResult> {
  const startedAt = performance.now();
  const { authority } = await makeThirdPartyCertificates([], { now: () => new Date() });
  const upload = async (domains: readonly string[]): Promise<Upload> => {
    const { chainPem, privateKeyPem } = await authority.issue({
      names: domains,
      publicKeyAlgorithm: "rsa-2048",
      validDays: 397,
    });
    return { chainPem, privateKeyPem, spec: { kind: "selfManaged", domains, certificatePem: chainPem, privateKeyPem } };
  };
  const uploads = await Promise.all((scenario.uploads ?? []).map(upload));
  const given = scenario.spec ?? smallSpec;
  const spec = { ...given, certificates: [...given.certificates, ...uploads.map((each) => each.spec)] };
  const script = scriptOf(spec, options.gateCommand);
  const evidence = {
    requests: [] as Evidence["requests"][number][],
    runs: [] as Evidence["runs"][number][],
    issued: [] as Evidence["issued"][number][],
    said: [] as string[],
    faultCounts: [] as Evidence["faultCounts"][number][],
  };
  const meetings = createMeetings();
  const say = (line: string) => {
    evidence.said.push(line);
    options.say(line);
  };
  const plainly = scenario.plain === true ? plainStackOf : options.synthesize;
  const synthesize = (each: MigrationSpec): StackJson => {
    const stack = plainly(each, project);
    const edited = scenario.edit === undefined ? stack : scenario.edit(stack);
    return options.providerVersion === undefined ? edited : withProviderVersion(edited, options.providerVersion);
  };
  const scene = sceneOf({ script, synthesize, upload, say, evidence, gateCommand: options.gateCommand });
  const { prepare } = scenario;
  const result = await rehearse({
    migration: {
      synthesize: (variant) => synthesize(script.specOf(variant)),
      hostnames: script.hostnames,
    },
    course: {
      acts: (scenario.acts ?? []).map(({ name, run }) => ({ name, run: (stage) => run(stage, scene) })),
      extras: scenario.extras ?? false,
      ...scenario.course,
    },
    world: {
      trusted: [authority.trustBundlePem],
      ...(prepare === undefined ? {} : { prepare: (cloud) => prepare(cloud, scene) }),
      ...defined({ behavior: scenario.behavior, existingPolicyMode: scenario.existingPolicyMode }),
    },
    terraform: {
      folder: join(options.folder, scenario.name),
      ...defined({ program: options.terraform, provider: options.provider, attempts: scenario.attempts }),
    },
    faults: defined({
      plan: seededFaults(scenario, options),
      kills: scenario.kills,
      losesState: scenario.losesState,
    }),
    probes: { pauseMs: probePauseMs },
    output: {
      say,
      observers: [
        {
          request: (request) => void evidence.requests.push(request),
          run: (run) => void evidence.runs.push(run),
          issued: (issued) => void evidence.issued.push(issued),
          probe: meetings.add,
        },
      ],
    },
    signal: options.signal,
  });
  options.onTimeline?.(result.timeline);
  const whole: Evidence = {
    ...evidence,
    faultCounts: [...faultCountsOf(scenario.faults, result), ...evidence.faultCounts],
    met: meetings.list(),
  };
  const problems = problemsOf(scenario, result, whole);
  return {
    name: scenario.name,
    ok: problems.length === 0,
    problems,
    proof: proofOf(scenario, whole, result.partsEndedAt),
    probes: result.probes,
    failedHandshakes: result.failedHandshakes,
    faultCount: whole.faultCounts.reduce((sum, { count }) => sum + count, result.kills),
    completed: result.completed,
    imported: result.imports,
    converged: result.converged === true,
    left: result.left,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  };
}

function seededFaults({ faults }: Scenario, { seed }: ScenarioOptions): FaultPlan | undefined {
  return faults === undefined || seed === undefined ? faults : { ...faults, seed };
}

function faultCountsOf(faults: FaultPlan | undefined, { faultCounts }: RehearsalResult): Evidence["faultCounts"] {
  const { requests = [], operations = [], dns = [], issuance = [], authorities = [] } = faults ?? {};
  const plan = [...requests, ...operations, ...dns, ...issuance, ...authorities];
  return plan.map((fault, index) => ({ list: "", count: 0, ...faultCounts[index], fault }));
}

interface SceneParts {
  readonly script: Script;
  readonly synthesize: (spec: MigrationSpec) => StackJson;
  readonly upload: Scene["upload"];
  readonly say: (line: string) => void;
  readonly evidence: Pick<Evidence, "requests"> & { readonly faultCounts: Evidence["faultCounts"][number][] };
  readonly gateCommand: string;
}

function sceneOf({ script, synthesize, upload, say, evidence, gateCommand }: SceneParts): Scene {
  return {
    script,
    spec: script.specOf({ phase: "serve", traffic: "loadBalancer", rotated: false, reissues: 0 }),
    gateCommand,
    project,
    requests: evidence.requests,
    say,
    upload,
    stackOf: synthesize,
    deploy: async (stage, spec) => {
      try {
        return await stage.pipeline.deployStack(synthesize(spec));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        say(`refused before Terraform runs: ${error.message}`);
        return false;
      }
    },
    suffer: async ({ cloud: { faults } }, plan, work) => {
      faults.set(plan);
      const done = await work();
      const counts = faults.counts();
      evidence.faultCounts.push(...counts);
      faults.set({});
      return done && counts.every(({ count }) => count > 0);
    },
  };
}
