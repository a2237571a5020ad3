/** Holds the evidence of a rehearsal against its verdict, from the files alone. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../errors";
import { quote } from "../quote";
import { readAnswers, wasTold } from "./check-answers";
import { readCertificates } from "./check-certificates";
import { readDiscarded, recountDiscarded } from "./check-discarded";
import { courseCheck, courseOf, unprobedOf } from "./check-migrations";
import { createRecount } from "./check-probes";
import { deletionsCheck, readRequests } from "./check-requests";
import { check, type EvidenceCheck, terraformChecks } from "./check-terraform";
import { digestOf, digestsName, filesIn, lineNames, resultName, type Verdict } from "./evidence";
import { evidenceAdvice, linesOf } from "./evidence-lines";
import { terraformFolder } from "./folder";
import type { Probe } from "./prober";
import type { RehearsalResult } from "./rehearsal";

/** @throws InputError `evidence-unreadable` for a folder that is none */
export async function checkEvidence(folder: string): Promise<readonly EvidenceCheck[]> {
  const result = readResult(folder);
  const told = await readAnswers(join(folder, lineNames.answers));
  const certificates = await readCertificates(folder);
  const steps = result.steps.map((step) => ({ ...step, probed: new Set<string>() }));
  const hostnames = new Set<string>();
  const course = courseOf(join(folder, terraformFolder));
  const recount = createRecount(result);
  const discarded = recountDiscarded(await readDiscarded(join(folder, lineNames.discarded)), result.discarded ?? 0);
  const wrong = { unled: 0, unknown: 0, uncovered: 0, elsewhere: 0 };
  const counted = { probes: 0, failed: 0 };
  const digests = checkDigests(folder);
  for await (const probe of linesOf<Probe>(join(folder, lineNames.probes), "time", "hostname", "ok")) {
    counted.probes += 1;
    if (!probe.ok) counted.failed += 1;
    recount.add(probe);
    discarded.add(probe);
    hostnames.add(probe.hostname);
    for (const { from, until, probed } of steps)
      if (probe.time >= from && probe.time <= until) probed.add(probe.hostname);
    if (probe.address !== undefined && !wasTold(told.byName.get(probe.hostname) ?? [], probe)) wrong.unled += 1;
    const presented = probe.certificate === undefined ? undefined : certificates.known.get(probe.certificate);
    if (probe.certificate !== undefined && presented === undefined) wrong.unknown += 1;
    const side = certificates.sideOf(probe.certificate);
    if (side !== undefined && side !== probe.side) wrong.elsewhere += 1;
    // A handshake that is said to be good was one for this name.
    if (probe.ok && presented?.checkHost(probe.hostname) === undefined) wrong.uncovered += 1;
  }
  const unprobed = steps.filter(({ probed }) => probed.size < hostnames.size).map(({ number }) => number);
  const missed = unprobedOf(course, hostnames);
  const { probes, failedHandshakes, ok } = result;
  const requests = await readRequests(join(folder, lineNames.requests));
  const { lines } = result;
  const unlike = Object.entries({
    [lineNames.requests]: requests.count,
    [lineNames.answers]: told.count,
    [lineNames.certificates]: certificates.count,
  })
    .filter(([name, count]) => lines?.[name] !== count)
    .map(([name, count]) => `${count} in ${name}, ${lines?.[name] ?? "none"} in the verdict`);
  const unasked = certificates.names.filter((name) => !requests.created.has(name));
  return [
    digests,
    check("probes", counted.probes === probes, `${counted.probes} in the file, ${probes} in the verdict`),
    check(
      "failed handshakes",
      counted.failed === failedHandshakes,
      `${counted.failed} in the file, ${failedHandshakes} in the verdict`,
    ),
    check(
      "every hostname in every step",
      unprobed.length + missed.length === 0,
      missed.length > 0
        ? `never ${missed.map(quote).join(", ")}`
        : unprobed.length === 0
          ? `${hostnames.size} hostnames in ${steps.length} steps`
          : `not in ${unprobed.join(", ")}`,
    ),
    ...recount.checks(),
    discarded.check(),
    check("addresses as DNS gave them", wrong.unled === 0, `${wrong.unled} probes went elsewhere`),
    check("certificates that were presented", wrong.unknown === 0, `${wrong.unknown} probes met one that is not kept`),
    check("sides by certificate", wrong.elsewhere === 0, `${wrong.elsewhere} probes met one of the other side`),
    check(
      "names of certificates",
      wrong.uncovered === 0,
      `${wrong.uncovered} good probes without one for their hostname`,
    ),
    check(
      "requests",
      requests.count > 0 && requests.isWhole,
      requests.isWhole ? `${requests.count}, numbered from 1` : "their numbers have gaps",
    ),
    deletionsCheck(requests, result),
    check("lines", unlike.length === 0, unlike.length === 0 ? "as many as in the verdict" : unlike.join("; ")),
    check(
      "certificates that were asked for",
      unasked.length === 0,
      unasked.length === 0
        ? `${certificates.names.length} certificates, each by a request`
        : `nobody asked for ${unasked.join(", ")}`,
    ),
    check(
      "chains",
      certificates.broken.length === 0,
      certificates.broken.length === 0
        ? `${certificates.known.size} certificates lead to a root`
        : `broken: ${certificates.broken.join(", ")}`,
    ),
    ...terraformChecks(join(folder, terraformFolder), result),
    courseCheck(course, result),
    check("verdict", !ok || wentWell(result), ok ? "all went well" : "not all went well"),
  ];
}

/** The last step of what can be rehearsed: certificates alone, everything but traffic, or all. */
const lastSteps = [3, 7, 8];

/** Whether what a verdict says in detail is what it says as a whole. */
function wentWell({
  steps,
  failedHandshakes,
  destroyed,
  completed,
  converged,
  watch,
  rotation,
  rollback,
}: RehearsalResult): boolean {
  const numbers = steps.map(({ number }) => number);
  const isWhole = lastSteps.includes(numbers.length) && numbers.every((number, index) => number === index + 1);
  const parts = [watch, rotation, rollback].map((ok) => ok ?? true);
  const went = [destroyed, completed, converged, ...parts, ...steps.map(({ ok }) => ok)];
  return isWhole && failedHandshakes === 0 && went.every((one) => one);
}

/** Whether every file is what it was when the verdict was written. */
function checkDigests(folder: string): EvidenceCheck {
  const file = join(folder, digestsName);
  if (!existsSync(file)) throw new InputError("evidence-unreadable", `${quote(file)} is not there; ${evidenceAdvice}`);
  const listed = new Map(
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, digest = "", name = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
        return name === "" ? [] : [[name, digest] as const];
      }),
  );
  const there = filesIn(folder);
  const other = [
    ...there.filter((name) => listed.get(name) !== digestOf(join(folder, name))),
    ...[...listed.keys()].filter((name) => !there.includes(name)),
  ];
  return check(
    "digests",
    other.length === 0,
    other.length === 0 ? `${there.length} files as they were written` : `not as it was written: ${other.join(", ")}`,
  );
}

function readResult(folder: string): Verdict {
  try {
    const result = JSON.parse(readFileSync(join(folder, resultName), "utf8")) as Verdict | null;
    if (Array.isArray(result?.steps)) return result as Verdict;
    throw new InputError(
      "evidence-unreadable",
      `${resultName} in ${quote(folder)} is no verdict: it has no list of steps`,
    );
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      "evidence-unreadable",
      `${quote(folder)} has no ${resultName} that can be read; ${evidenceAdvice}`,
    );
  }
}
