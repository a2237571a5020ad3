import type { KnownMigration, PlanDanger } from "../../check-plan";
import { InputError, type Problem } from "../../errors";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { readDuration } from "../duration";
import { jsonOption } from "../options";
import { createProgress, type Progress } from "../progress";
import { nameOfInput, readInput } from "../standard-input";
import { type Fold, folderFor, type Paint, paintFor } from "../style";
import { adviceOn } from "../suggest";
import { jsonDocument, safe } from "../text";

export const checkPlanCommand: CommandDetails = {
  description:
    "Reads the JSON of a Terraform plan and refuses, with reasons, a plan that would leave a hostname without its certificate or its address: a live entry, map, proxy, address, DNS zone or authorization CNAME deleted, an entry or a proxy left without certificates, a certificate destroyed before its successor serves, an entry repointed to a certificate that is not issued or not for its name, a proxy led to entries that Terraform may create later, CAA records that forbid issuance, address records replaced, traffic moved before it could be verified, an expired certificate uploaded. Works for any configuration with these resources, also without this library, and with records and zones of Cloud DNS, Route 53, Cloudflare or Azure. The command sends no request; 'cert-migration explain CODE' explains each code.",
  arguments: [
    {
      name: "plan",
      description: "file with the output of 'terraform show -json PLAN'; - for standard input",
      completes: "file",
    },
  ],
  options: [
    {
      flags: "--allow <code>",
      description:
        "allow this danger; CODE=HOSTNAME allows it for one hostname only (PRIMARY: clients that match no other entry)",
      repeatable: true,
      offers: () => Object.keys((require("../../check-plan") as typeof import("../../check-plan")).planDangers),
    },
    {
      flags: "--outputs <file>",
      description:
        "what 'terraform output -json' prints for a migration whose map another configuration than the plan's manages",
      repeatable: true,
    },
    {
      flags: "--verified <file>",
      description: "the log of 'cert-migration verify --log', which shows for how long every name has been served",
    },
    {
      flags: "--verified-for <time>",
      description:
        "how long 'verify' has to pass before a certificate is deleted that a proxy served before the migration",
      default: "72h",
    },
    jsonOption,
  ],
  examples: [
    {
      command: "terraform plan -out=tfplan && terraform show -json tfplan | cert-migration check-plan -",
      what: "before an apply, in a pipeline",
    },
    { command: "cert-migration check-plan plan.json --allow proxy-deleted", what: "allow the deletion of a proxy" },
    {
      command: "cert-migration check-plan plan.json --allow entry-deleted=old.example.com",
      what: "allow the deletion of one hostname's entry, and of no other entry",
    },
    {
      command: "cert-migration check-plan plan.json --outputs outputs.json",
      what: "the plan of a proxy's owner, and the outputs of the migration that has the map",
    },
  ],
  exitCodes: { 4: "the plan is refused" },
  run: runCheckPlan,
};

/** Maximum size of a plan in bytes. A plan of 100,000 resources is smaller. */
const mostBytes = 400 * 1024 * 1024;

/** Length of a plan from which the check may take more than 2 seconds, in characters: about 10,000 resources. */
const largeLength = 16_000_000;

async function runCheckPlan({ arguments: given, options }: Invocation, io: Io): Promise<ExitCode> {
  const { checkPlan, planDangers, readTerraformPlan } =
    require("../../check-plan") as typeof import("../../check-plan");
  const allows = readAllowed(options.allow as readonly string[], Object.keys(planDangers));
  const path = given.plan as string;
  const dangers = await withProgress(io, async (progress) => {
    // In a pipe, Terraform may still be writing the plan.
    progress.show("reading the plan");
    const text = await readInput(path, "<plan>", io, mostBytes);
    if (text.length >= largeLength) progress.announce(`checking a plan of ${Math.round(text.length / 1_000_000)} MB`);
    return checkPlan(readTerraformPlan(text, nameOfInput(path)), io.now(), {
      migrations: await readMigrations(options.outputs as readonly string[], io),
      leastVerifiedMs: readDuration(options.verifiedFor as string, "--verified-for"),
      ...defined({ verifiedMs: await readVerified(options.verified as string | undefined, io) }),
    }).dangers;
  });
  const judged = dangers.map((one) => ({ ...one, allowed: allows(one) }));
  const refused = judged.filter(({ severity, allowed }) => severity === "error" && !allowed);
  const ok = refused.length === 0;
  if (options.json === true) io.stdout.write(jsonDocument({ ok, findings: judged }));
  else for (const one of judged) io.stdout.write(linesOf(one, paintFor(io, "stdout"), folderFor(io, "stdout")));
  const warned = dangers.length - refused.length;
  if (io.quiet !== true) {
    io.stderr.write(
      `the plan is ${ok ? "not refused" : `refused: ${countOf(refused.length, "danger")}`}, ${countOf(warned, "warning")}\n`,
    );
  }
  return ok ? 0 : 4;
}

async function readMigrations(paths: readonly string[], io: Io): Promise<readonly KnownMigration[]> {
  const { sourceFromOutputs } = require("../../source") as typeof import("../../source");
  const read = await Promise.all(
    paths.map(async (path) => sourceFromOutputs(await readInput(path, "--outputs", io), nameOfInput(path))),
  );
  return read.flatMap(({ migrations }) => migrations);
}

async function readVerified(path: string | undefined, io: Io): Promise<ReadonlyMap<string, number> | undefined> {
  if (path === undefined) return undefined;
  const { passingTimes, readVerifyLog } = require("../../live/verify") as typeof import("../../live/verify");
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
  const { readPrivateHostname } = require("../../hostnames") as typeof import("../../hostnames");
  const everywhere = new Set<string>();
  const single = new Set<string>();
  const problems: Problem[] = [];
  for (const text of given) {
    const at = text.indexOf("=");
    const code = at === -1 ? text : text.slice(0, at);
    const hostname = at === -1 ? undefined : text.slice(at + 1);
    const read = hostname === undefined || hostname === "PRIMARY" ? { hostname } : readPrivateHostname(hostname);
    if (!codes.includes(code)) {
      const advice = adviceOn(code, codes, "'cert-migration explain' and docs/checks.md list them");
      const message = `--allow ${quote(code)} is not a code of check-plan; ${advice}`;
      problems.push({ code: "danger-unknown", message });
    } else if ("problem" in read) {
      problems.push({ ...read.problem, message: `--allow ${quote(text)}: ${read.problem.message}` });
    } else if (read.hostname === undefined) everywhere.add(code);
    else single.add(`${code}=${read.hostname}`);
  }
  if (problems.length > 0) throw new InputError(problems);
  return ({ code, hostnames = [] }) => {
    if (everywhere.has(code)) return true;
    return hostnames.length > 0 && hostnames.every((hostname) => single.has(`${code}=${hostname}`));
  };
}

function linesOf(one: PlanDanger & { readonly allowed: boolean }, paint: Paint, fold: Fold): string {
  const { severity, subject, message, remedy, command, code, allowed } = one;
  const word = allowed ? "allowed" : severity === "error" ? "refused" : severity;
  const where = subject === "" ? "" : `${safe(subject)}: `;
  const text = fold(`${word}: ${where}${safe(message)} [${code}]`, 2).slice(word.length);
  // The command stays on one line, so that users can copy it.
  const run = command === undefined ? "" : `  run: ${safe(command)}\n`;
  return `${paint(word === "refused" ? "bad" : "pending", word)}${text}\n${fold(`  ${remedy}`, 2)}\n${run}`;
}
