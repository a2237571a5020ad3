import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { acceptedInRehearsal, acceptedOnGoogle } from "../../conformance/accepted";
import { type Group, idOf, sourcesOf } from "../../conformance/behavior";
import { groups } from "../../conformance/behaviors";
import type { ResultsFile } from "../../conformance/results";
import { tableOf, withTables } from "./markdown";

const results = join(__dirname, "..", "..", "conformance", "results");

/** Returns the recorded runs on Google Cloud, the latest first. */
export function readGoogleRuns(folder = results): readonly ResultsFile[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith("-google.json"));
  } catch {
    // Without a recorded run, the folder does not exist.
  }
  return [...names]
    .sort()
    .reverse()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as ResultsFile)
    .filter(({ behaviors }) => Object.values(behaviors).some(({ result }) => result !== "not observed"));
}

/** Returns what is known of a behavior from runs on Google Cloud. */
export function seenOnGoogle(id: string, runs: readonly ResultsFile[]): string {
  for (const { date, behaviors } of runs) {
    const recorded = behaviors[id];
    if (recorded === undefined || recorded.result === "not observed") continue;
    return recorded.result === "as expected" ? date : `${date}: ${recorded.result}`;
  }
  return notYet;
}

const notYet = "not yet";
const onlyInRehearsal = "only in the rehearsal";

/** Returns the page with the behaviors of the suite. */
export function conformanceTables(
  all: readonly Group[],
  runs: readonly ResultsFile[],
): Readonly<Record<string, string>> {
  const sources = [...new Set(all.flatMap(({ behaviors }) => behaviors.flatMap(sourcesOf)))];
  const rows = all.flatMap((group) =>
    group.behaviors.map((behavior) => [
      `\`${idOf(group, behavior)}\``,
      behavior.statement,
      sourcesOf(behavior)
        .map((source) => `[${sources.indexOf(source) + 1}]`)
        .join(" "),
      behavior.staysInRehearsal === true ? onlyInRehearsal : seenOnGoogle(idOf(group, behavior), runs),
    ]),
  );
  const services = [...new Set(all.map(({ service }) => service))];
  const counts = services.map((service) => {
    const own = rows.filter(([id = ""]) => id.startsWith(`\`${service}.`));
    return [
      `\`${service}\``,
      String(own.length),
      String(own.filter(([, , , seen]) => ![notYet, onlyInRehearsal].includes(seen ?? "")).length),
    ];
  });
  const accepted = Object.entries({ ...acceptedInRehearsal, ...acceptedOnGoogle }).map(([id, reason]) => [
    `\`${id}\``,
    Object.hasOwn(acceptedOnGoogle, id) ? "Google Cloud" : "rehearsal cloud",
    reason,
  ]);
  const last = runs[0];
  return {
    state:
      last === undefined
        ? "**No run on Google Cloud has been recorded yet.** Every expected value comes from a document.\n"
        : `The latest recorded run on Google Cloud is of ${last.date}.\n`,
    counts: tableOf(["Service", "Behaviors", "Seen on Google Cloud"], counts),
    accepted: accepted.length === 0 ? "None.\n" : tableOf(["Behavior", "Side", "Reason"], accepted),
    behaviors: tableOf(["Behavior", "Statement", "Source", "Seen on Google Cloud"], rows),
    sources: sources.map((source, index) => `[${index + 1}]: ${source}\n`).join(""),
  };
}

export function conformancePage(): string {
  const page = readFileSync(join(__dirname, "..", "conformance.md"), "utf8");
  return withTables(page, conformanceTables(groups, readGoogleRuns()));
}
