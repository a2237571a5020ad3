import type { SourceMigration } from "../../source";
import type { PlanDifference, PlanRow } from "../../source/plan-view";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { defineCommand } from "../declare";
import * as load from "../load";
import { jsonOption } from "../options";
import { readProject, readSource, readSpec, sourceOptions } from "../source";
import { folderFor } from "../style";
import { safe } from "../text";
import { writeTable } from "../text-table";
import { foldBranch } from "../tree";

export const command = defineCommand({
  description:
    "Shows the resources of a migration in the order of their creation: APIs to enable, authorizations, records, certificates, map, entries, proxies, forwarding rules and traffic, with the gates between them. The command sends no request. With --diff it shows the differences from another spec; replaced certificates serve until the new certificates are active.",
  options: {
    ...sourceOptions,
    "--tree": "show a tree: each certificate with its authorizations, gate and hostnames; map, proxies, traffic",
    "--diff <file>": "compare with this newer spec; - for standard input",
    ...jsonOption,
  },
  json: "migrations?, differences?",
  examples: {
    "cert-migration plan --spec migration.yaml": "the resources of a migration file",
    "cert-migration plan --stack cdktf.out/stacks/shop --tree": "a tree by certificate",
    "cert-migration plan --spec migration.yaml --diff next.yaml": "the changes of the next version",
  },
  exitCodes: { 4: "with --diff: there are differences" },
  run: async ({ options, json }, io) => {
    const { comparePlans, planRows, planTrees, treeLines } = load.planView();
    const source = await readSource(options, io);
    const rows = planRows(source);
    if (options.diff !== undefined) {
      const newer = await readSpec(options.diff, "--diff", readProject(options, io), io);
      const differences = comparePlans(rows, planRows(newer));
      if (options.json) io.stdout.write(json({ differences }));
      else printDifferences(differences, io);
      if (io.quiet !== true) {
        const outcome = differences.length === 0 ? "no differences" : countOf(differences.length, "difference");
        io.stderr.write(`${outcome}\n`);
      }
      return differences.length === 0 ? 0 : 4;
    }
    if (options.json) {
      io.stdout.write(json({ migrations: source.migrations.map(withoutPems) }));
    } else if (options.tree) {
      const fold = folderFor(io, "stdout");
      for (const line of treeLines(planTrees(source))) io.stdout.write(`${foldBranch(safe(line), fold)}\n`);
    } else {
      const several = source.migrations.length > 1;
      const cells = rows.map((row) => [...(several ? [row.migration] : []), ...cellsOf(row)]);
      const head = [...(several ? ["migration"] : []), "what", "name", "for"];
      writeTable(head, cells, io);
    }
    return 0;
  },
});

/** Removes the certificates' PEM, which other commands need: the output goes into logs. */
function withoutPems(migration: SourceMigration): SourceMigration {
  return {
    ...migration,
    certificates: migration.certificates.map(({ uploadedPem: _, ...certificate }) => certificate),
  };
}

function printDifferences(differences: readonly PlanDifference[], io: Io): void {
  const rows = differences.map(({ change, before, after }) => {
    const row = after ?? before;
    const [what = "", name = "", detail = ""] = row === undefined ? [] : cellsOf(row);
    const was = before === undefined || after === undefined || before.name === name ? "" : `, was ${before.name}`;
    return [change, what, name, `${detail}${was}`];
  });
  if (rows.length === 0) return;
  writeTable(["change", "what", "name", "for"], rows, io, (column, row) =>
    column === 0 ? tones[differences[row]?.change ?? "changed"] : undefined,
  );
}

const tones = { added: "good", removed: "bad", replaced: "pending", changed: "pending" } as const;

function cellsOf({ what, name, detail }: PlanRow): readonly string[] {
  return [what, name === "" ? "-" : name, detail];
}
