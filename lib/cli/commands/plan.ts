import type { SourceMigration } from "../../source";
import type { PlanDifference, PlanRow } from "../../source/plan-view";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { jsonOption } from "../options";
import { readProject, readSource, readSpec, sourceOptions } from "../source";
import { paintFor } from "../style";
import { formatTable, jsonDocument, safe } from "../text";

export const planCommand: CommandDetails = {
  description:
    "Shows the resources of a migration in the order of their creation: APIs to enable, authorizations, records, certificates, map, entries, proxies, forwarding rules and traffic, with the gates between them. The command sends no request. With --diff it shows the differences from another spec; replaced certificates serve until the new certificates are active.",
  options: [
    ...sourceOptions,
    {
      flags: "--tree",
      description: "show a tree: each certificate with its authorizations, gate and hostnames; map, proxies, traffic",
    },
    { flags: "--diff <file>", description: "compare with this newer spec; - for standard input" },
    jsonOption,
  ],
  examples: [
    { command: "cert-migration plan --spec migration.yaml", what: "the resources of a migration file" },
    { command: "cert-migration plan --stack cdktf.out/stacks/shop --tree", what: "a tree by certificate" },
    { command: "cert-migration plan --spec migration.yaml --diff next.yaml", what: "the changes of the next version" },
  ],
  exitCodes: { 4: "with --diff: there are differences" },
  run: runPlan,
};

async function runPlan(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { comparePlans, planRows, planTrees, treeLines } =
    require("../../source/plan-view") as typeof import("../../source/plan-view");
  const { options } = invocation;
  const source = await readSource(invocation, io);
  const rows = planRows(source);
  if (typeof options.diff === "string") {
    const newer = await readSpec(options.diff, "--diff", readProject(options, io), io);
    return printDifferences(comparePlans(rows, planRows(newer)), options.json === true, io);
  }
  if (options.json === true) {
    io.stdout.write(jsonDocument({ migrations: source.migrations.map(withoutPems) }));
  } else if (options.tree === true) {
    for (const line of treeLines(planTrees(source))) io.stdout.write(`${safe(line)}\n`);
  } else {
    const several = source.migrations.length > 1;
    const cells = rows.map((row) => [...(several ? [row.migration] : []), ...cellsOf(row)]);
    io.stdout.write(formatTable([...(several ? ["migration"] : []), "what", "name", "for"], cells));
  }
  return 0;
}

/** Removes the certificates' PEM, which other commands need: the output goes into logs. */
function withoutPems(migration: SourceMigration): SourceMigration {
  return {
    ...migration,
    certificates: migration.certificates.map(({ uploadedPem: _, ...certificate }) => certificate),
  };
}

function printDifferences(differences: readonly PlanDifference[], json: boolean, io: Io): ExitCode {
  if (json) {
    io.stdout.write(jsonDocument({ differences }));
  } else {
    const paint = paintFor(io, "stdout");
    const rows = differences.map(({ change, before, after }) => {
      const [what = "", name = "", detail = ""] = cellsOf((after ?? before) as PlanRow);
      const was = before === undefined || after === undefined || before.name === name ? "" : `, was ${before.name}`;
      return [change, what, name, `${detail}${was}`];
    });
    const paintChange = (cell: string, column: number, row: number) =>
      column === 0 ? paint(tones[differences[row]?.change ?? "changed"], cell) : cell;
    if (rows.length > 0) io.stdout.write(formatTable(["change", "what", "name", "for"], rows, paintChange));
  }
  if (io.quiet !== true) {
    io.stderr.write(differences.length === 0 ? "no differences\n" : `${countOf(differences.length, "difference")}\n`);
  }
  return differences.length === 0 ? 0 : 4;
}

const tones = { added: "good", removed: "bad", replaced: "pending", changed: "pending" } as const;

function cellsOf({ what, name, detail }: PlanRow): readonly string[] {
  return [what, name === "" ? "-" : name, detail];
}
