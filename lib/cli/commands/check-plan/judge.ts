import type { HostnameEffect, KnownMigration, PlanDanger } from "../../../check-plan";
import { InputError, type Problem } from "../../../errors";
import { defined } from "../../../json/defined";
import { quote } from "../../../text/quote";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { type OptionValues, text, value, values } from "../../declare";
import * as load from "../../load";
import type { FoundResult } from "../../results";
import { nameOfInput, readInput } from "../../standard-input";
import { duration } from "../../value-types";
import { type VerdictLine, verdictText } from "../../verdict";

/** Options of the rules by which a plan is judged. */
export const planRuleOptions = {
  "--allow <code>": values(
    "allow this danger; CODE=HOSTNAME allows it for one hostname only (PRIMARY: clients that match no other entry)",
    { ...text, offers: () => Object.keys(load.checkPlan().planDangers) },
  ),
  "--outputs <file>": values(
    "what 'terraform output -json' prints for a migration whose map another configuration than the plan's manages",
  ),
  "--verified <file>": "the log of 'cert-migration verify --log', which shows for how long every name has been served",
  "--verified-for <time>": value(
    duration(),
    "how long 'verify' has to pass before a certificate is deleted that a proxy served before the migration",
    "72h",
  ),
};

export type PlanRuleOptions = OptionValues<typeof planRuleOptions>;

export interface JudgedDanger extends PlanDanger {
  readonly allowed: boolean;
}

/** A plan with its verdict. */
export interface JudgedPlan {
  readonly ok: boolean;
  readonly verdict: VerdictLine;
  readonly findings: readonly JudgedDanger[];
  readonly effects: readonly HostnameEffect[];
}

/**
 * Reads the options, and returns a function that judges the JSON of a plan by them.
 *
 * @throws InputError for an unknown code or hostname
 */
export function planJudge(options: PlanRuleOptions, io: Io): (plan: string, name: string) => Promise<JudgedPlan> {
  const { checkPlan, planDangers, readTerraformPlan } = load.checkPlan();
  const allows = readAllowed(options.allow, Object.keys(planDangers));
  return async (plan, name) => {
    const { dangers, effects } = checkPlan(readTerraformPlan(plan, name), io.now(), {
      migrations: await readMigrations(options.outputs, io),
      leastVerifiedMs: options.verifiedFor,
      ...defined({ verifiedMs: await readVerified(options.verified, io) }),
    });
    const findings = dangers.map((danger): JudgedDanger => ({ ...danger, allowed: allows(danger) }));
    const { length: refused } = findings.filter(isRefused);
    const warned = countOf(findings.length - refused, "warning");
    const verdict: VerdictLine =
      refused === 0
        ? { state: "done", headline: "the plan is accepted", rest: `: ${warned}` }
        : { state: "failed", headline: "the plan is refused", rest: `: ${countOf(refused, "danger")}, ${warned}` };
    return { ok: refused === 0, verdict, findings, effects };
  };
}

function isRefused({ severity, allowed }: JudgedDanger): boolean {
  return severity === "error" && !allowed;
}

/** Returns the result for the formats of other tools: a check for each hostname that the plan changes. */
export function planResult({ ok, verdict, findings, effects }: JudgedPlan): FoundResult {
  const refused = new Set(findings.filter(isRefused).flatMap(({ hostnames = [] }) => hostnames));
  const hostnames = [...new Set(effects.map(({ hostname }) => hostname))].filter((name) => !refused.has(name));
  const rows = effects.map(({ hostname, part, before, after, when, protectedBy }) => [
    hostname,
    part,
    before.join(", ") || "-",
    after.join(", ") || "-",
    when,
    protectedBy.join(", ") || "nothing",
  ]);
  const head = ["Hostname", "What", "Before", "After", "When", "Protected by"];
  const table = { title: "Effect on each hostname", head, rows };
  return {
    ok,
    summary: verdictText(verdict),
    checks: hostnames.map((hostname) => ({ name: `${hostname}: the plan has no danger`, group: hostname })),
    findings,
    tables: rows.length === 0 ? [] : [table],
  };
}

async function readMigrations(paths: readonly string[], io: Io): Promise<readonly KnownMigration[]> {
  // Reading outputs loads the planner, which a plan alone does not need.
  if (paths.length === 0) return [];
  const { sourceFromOutputs } = load.source();
  const read = await Promise.all(
    paths.map(async (path) => sourceFromOutputs(await readInput(path, "--outputs", io), nameOfInput(path))),
  );
  return read.flatMap(({ migrations }) => migrations);
}

async function readVerified(path: string | undefined, io: Io): Promise<ReadonlyMap<string, number> | undefined> {
  if (path === undefined) return undefined;
  const { passingTimes, readVerifyLog } = load.verify();
  return passingTimes(readVerifyLog(await readInput(path, "--verified", io), nameOfInput(path)), io.now());
}

/**
 * Reads `--allow`: a plain code allows that danger everywhere, `CODE=HOSTNAME` only if no other hostname is affected.
 */
function readAllowed(given: readonly string[], codes: readonly string[]): (danger: PlanDanger) => boolean {
  const { readPrivateHostname } = load.hostnames();
  const everywhere = new Set<string>();
  const single = new Set<string>();
  const problems: Problem[] = [];
  for (const words of given) {
    const at = words.indexOf("=");
    const code = at === -1 ? words : words.slice(0, at);
    const hostname = at === -1 ? undefined : words.slice(at + 1);
    const read = hostname === undefined || hostname === "PRIMARY" ? { hostname } : readPrivateHostname(hostname);
    if (!codes.includes(code)) {
      const advice = load.suggestions().adviceOn(code, codes, "'cert-migration explain' and docs/checks.md list them");
      const message = `--allow ${quote(code)} is not a code of check-plan; ${advice}`;
      problems.push({ code: "danger-unknown", message });
    } else if ("problem" in read) {
      problems.push({ ...read.problem, message: `--allow ${quote(words)}: ${read.problem.message}` });
    } else if (read.hostname === undefined) everywhere.add(code);
    else single.add(`${code}=${read.hostname}`);
  }
  if (problems.length > 0) throw new InputError(problems);
  return ({ code, hostnames = [] }) => {
    if (everywhere.has(code)) return true;
    return hostnames.length > 0 && hostnames.every((hostname) => single.has(`${code}=${hostname}`));
  };
}
