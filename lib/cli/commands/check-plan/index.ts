import type { Io } from "../../command";
import { argument, defineCommand } from "../../declare";
import { createProgress, type Progress } from "../../progress";
import { formatOptions, resultFormOf, resultWriter } from "../../results";
import { nameOfInput, readInput } from "../../standard-input";
import { folderFor, paintFor } from "../../style";
import { commandText, safe } from "../../text";
import { writeVerdict } from "../../verdict";
import { type JudgedDanger, planJudge, planResult, planRuleOptions } from "./judge";

export const command = defineCommand({
  description:
    "Reads the JSON of a Terraform plan and refuses, with reasons, a plan that would leave a hostname without its certificate or its address: a live entry, map, proxy, address, DNS zone or authorization CNAME deleted, an entry or a proxy left without certificates, a certificate destroyed before its successor serves, an entry repointed to a certificate that is not issued or not for its name, a proxy led to entries that Terraform may create later, CAA records that forbid issuance, address records replaced, traffic moved before it could be verified, an expired certificate uploaded. Works for any configuration with these resources, also without this library, and with records and zones of Cloud DNS, Route 53, Cloudflare or Azure, and with records of Akamai, Alibaba, DigitalOcean, DNSimple, Gandi, NS1, OVH, PowerDNS and RFC 2136. The command sends no request; 'cert-migration explain CODE' explains each code.",
  arguments: {
    plan: argument({
      description: "file with the output of 'terraform show -json PLAN'; - for standard input",
      completes: "file",
    }),
  },
  options: { ...planRuleOptions, ...formatOptions },
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
    const files = () => {
      const { filesAt, filesOfConfiguration }: typeof import("../../result-files") = require("../../result-files");
      return [...filesOfConfiguration(io), ...filesAt(plan === "-" ? [] : [plan], io)];
    };
    const writer = resultWriter(form, "check-plan", files, io);
    const check = async () => {
      const judge = planJudge(options, io);
      const judged = await withProgress(io, async (progress) => {
        // In a pipe, Terraform may still be writing the plan.
        progress.show("reading the plan");
        const planText = await readInput(plan, "<plan>", io, mostBytes);
        if (planText.length >= largeLength) {
          progress.announce(`checking a plan of ${Math.round(planText.length / 1_000_000)} MB`);
        }
        return judge(planText, nameOfInput(plan));
      });
      const { ok, findings, effects } = judged;
      if (writer !== undefined) writer.write(planResult(judged));
      else if (form === "json") io.stdout.write(json({ ok, findings, effects }));
      else writeDangers(findings, io);
      if (io.quiet !== true) writeVerdict(judged.verdict, io, "stderr");
      return ok ? 0 : 4;
    };
    return writer === undefined ? check() : writer.reporting(check);
  },
});

function writeDangers(findings: readonly JudgedDanger[], io: Io): void {
  for (const found of findings) io.stdout.write(linesOf(found, io));
}

/** Maximum size of a plan in bytes. A plan of 100,000 resources is smaller. */
const mostBytes = 400 * 1024 * 1024;

/** Length of a plan from which the check may take more than 2 seconds, in characters: about 10,000 resources. */
const largeLength = 16_000_000;

async function withProgress<Result>(io: Io, work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = createProgress(io);
  return work(progress).finally(progress.end);
}

function linesOf({ severity, subject, message, remedy, command, code, allowed }: JudgedDanger, io: Io): string {
  const fold = folderFor(io, "stdout");
  const paint = paintFor(io, "stdout");
  const word = allowed ? "allowed" : severity === "error" ? "refused" : severity;
  const where = subject === "" ? "" : `${safe(subject)}: `;
  const line = fold(`${word}: ${where}${safe(message)} [${code}]`, 2).slice(word.length);
  const run = command === undefined ? "" : commandText("  run: ", command, io);
  return `${paint(word === "refused" ? "bad" : "pending", word)}${line}\n${fold(`  ${remedy}`, 2)}\n${run}`;
}
