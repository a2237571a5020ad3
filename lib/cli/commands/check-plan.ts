import type { HostnameEffect, KnownMigration, PlanDanger } from "../../check-plan";
import { InputError, type Problem } from "../../errors";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { argument, defineCommand, type OptionValues, text, value, values } from "../declare";
import * as load from "../load";
import { createProgress, type Progress } from "../progress";
import { filesAt, filesOfConfiguration } from "../result-files";
import { type FoundResult, formatOptions, resultFormOf, resultWriter } from "../results";
import { nameOfInput, readInput } from "../standard-input";
import { type Fold, folderFor, type Paint, paintFor } from "../style";
import { adviceOn } from "../suggest";
import { safe } from "../text";
import { duration } from "../value-types";

const checkPlanOptions = {
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
  ...formatOptions,
};

export const command = defineCommand({
  description:
    "Reads the JSON of a Terraform plan and refuses, with reasons, a plan that would leave a hostname without its certificate or its address: a live entry, map, proxy, address, DNS zone or authorization CNAME deleted, an entry or a proxy left without certificates, a certificate destroyed before its successor serves, an entry repointed to a certificate that is not issued or not for its name, a proxy led to entries that Terraform may create later, CAA records that forbid issuance, address records replaced, traffic moved before it could be verified, an expired certificate uploaded. Works for any configuration with these resources, also without this library, and with records and zones of Cloud DNS, Route 53, Cloudflare or Azure, and with records of Akamai, Alibaba, DigitalOcean, DNSimple, Gandi, NS1, OVH, PowerDNS and RFC 2136. The command sends no request; 'cert-migration explain CODE' explains each code.",
  arguments: {
    plan: argument({
      description: "file with the output of 'terraform show -json PLAN'; - for standard input",
      completes: "file",
    }),
  },
  options: checkPlanOptions,
  json: "ok, findings, effects",
  examples: {
    "terraform plan -out=tfplan && terraform show -json tfplan | cert-migration check-plan -":
      "before an apply, in a pipeline",
    "cert-migration check-plan plan.json --allow proxy-deleted": "allow the deletion of a proxy",
    "cert-migration check-plan plan.json --allow entry-deleted=old.example.com":
      "allow the deletion of one hostname's entry, and of no other entry",
    "cert-migration check-plan plan.json --format markdown > comment.md":
      "a comment for a pull request: what changes for each hostname",
    "cert-migration check-plan plan.json --outputs outputs.json":
      "the plan of a proxy's owner, and the outputs of the migration that has the map",
  },
  exitCodes: { 4: "the plan is refused" },
  run: async ({ arguments: { plan }, options, given, json }, io) => {
    const form = resultFormOf(options, given);
    const files = () => [...filesOfConfiguration(io), ...filesAt(plan === "-" ? [] : [plan], io)];
    const writer = resultWriter(form, "check-plan", files, io);
    const check = async () => {
      const { findings, effects } = await judgePlan(plan, options, io);
      const refused = findings.filter(isRefused);
      const ok = refused.length === 0;
      const warned = countOf(findings.length - refused.length, "warning");
      const summary = `the plan is ${ok ? "not refused" : `refused: ${countOf(refused.length, "danger")}`}, ${warned}`;
      if (writer !== undefined) writer.write(resultOf(ok, summary, findings, effects));
      else if (form === "json") io.stdout.write(json({ ok, findings, effects }));
      else writeDangers(findings, io);
      if (io.quiet !== true) io.stderr.write(`${summary}\n`);
      return ok ? 0 : 4;
    };
    return writer === undefined ? check() : writer.reporting(check);
  },
});

interface JudgedDanger extends PlanDanger {
  readonly allowed: boolean;
}

async function judgePlan(path: string, options: OptionValues<typeof checkPlanOptions>, io: Io) {
  const { checkPlan, planDangers, readTerraformPlan } = load.checkPlan();
  const allows = readAllowed(options.allow, Object.keys(planDangers));
  const { dangers, effects } = await withProgress(io, async (progress) => {
    // In a pipe, Terraform may still be writing the plan.
    progress.show("reading the plan");
    const planText = await readInput(path, "<plan>", io, mostBytes);
    if (planText.length >= largeLength) {
      progress.announce(`checking a plan of ${Math.round(planText.length / 1_000_000)} MB`);
    }
    return checkPlan(readTerraformPlan(planText, nameOfInput(path)), io.now(), {
      migrations: await readMigrations(options.outputs, io),
      leastVerifiedMs: options.verifiedFor,
      ...defined({ verifiedMs: await readVerified(options.verified, io) }),
    });
  });
  return { findings: dangers.map((danger): JudgedDanger => ({ ...danger, allowed: allows(danger) })), effects };
}

function isRefused({ severity, allowed }: JudgedDanger): boolean {
  return severity === "error" && !allowed;
}

/** Returns the result for the formats of other tools: a check for each hostname that the plan changes. */
function resultOf(
  ok: boolean,
  summary: string,
  findings: readonly JudgedDanger[],
  effects: readonly HostnameEffect[],
): FoundResult {
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
    summary,
    checks: hostnames.map((hostname) => ({ name: `${hostname}: the plan has no danger`, group: hostname })),
    findings,
    tables: rows.length === 0 ? [] : [table],
  };
}

function writeDangers(findings: readonly JudgedDanger[], io: Io): void {
  for (const found of findings) io.stdout.write(linesOf(found, paintFor(io, "stdout"), folderFor(io, "stdout")));
}

/** Maximum size of a plan in bytes. A plan of 100,000 resources is smaller. */
const mostBytes = 400 * 1024 * 1024;

/** Length of a plan from which the check may take more than 2 seconds, in characters: about 10,000 resources. */
const largeLength = 16_000_000;

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

async function withProgress<Result>(io: Io, work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = createProgress(io);
  return work(progress).finally(progress.end);
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
      const advice = adviceOn(code, codes, "'cert-migration explain' and docs/checks.md list them");
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

function linesOf(
  { severity, subject, message, remedy, command, code, allowed }: JudgedDanger,
  paint: Paint,
  fold: Fold,
): string {
  const word = allowed ? "allowed" : severity === "error" ? "refused" : severity;
  const where = subject === "" ? "" : `${safe(subject)}: `;
  const line = fold(`${word}: ${where}${safe(message)} [${code}]`, 2).slice(word.length);
  // The command stays on one line, so that users can copy it.
  const run = command === undefined ? "" : `  run: ${safe(command)}\n`;
  return `${paint(word === "refused" ? "bad" : "pending", word)}${line}\n${fold(`  ${remedy}`, 2)}\n${run}`;
}
