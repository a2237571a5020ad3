/** Compares the evidence of a rehearsal with its verdict, from the files alone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { digestsName, lineNames, terraformFolder } from "../folder";
import type { Probe } from "../probe";
import { type Certificates, readEvidenceCertificates } from "./check-certificates";
import { recountClients } from "./check-clients";
import { readDiscarded, recountDiscarded } from "./check-discarded";
import { courseCheck, courseOf } from "./check-migrations";
import { createRecount } from "./check-probes";
import { readAnswers, recountReachedServers } from "./check-reached-servers";
import { deletionsCheck, readRequests } from "./check-requests";
import { terraformChecks } from "./check-terraform";
import { readVerdict, verdictCheck } from "./check-verdict";
import { fileDigest, filesIn, type Verdict } from "./evidence";
import { check, checkWithout, type EvidenceCheck, evidenceAdvice, linesOf, textOf } from "./evidence-lines";
import { withPresentSide } from "./former-evidence";

const probeShape = { time: "string", hostname: "string", ok: "boolean" } as const;

/** Number of handshakes between two calls of `onProgress`. */
const handshakesPerCall = 10_000;

/**
 * @param manifest expected SHA-256 of the file of digests, in hexadecimal, as a report shows it; undefined accepts any
 * @param onProgress called with what is in progress, as in "20000 handshakes checked"
 * @throws InputError `evidence-unreadable` for a folder without evidence
 */
export async function checkEvidence(
  folder: string,
  manifest?: string,
  onProgress: (text: string) => void = () => undefined,
): Promise<readonly EvidenceCheck[]> {
  const result = readVerdict(folder);
  onProgress("reading answers of the name server, and certificates");
  const answers = await readAnswers(join(folder, lineNames.answers));
  const certificates = await readEvidenceCertificates(folder);
  const course = courseOf(join(folder, terraformFolder));
  const discarded = recountDiscarded(await readDiscarded(join(folder, lineNames.discarded)), result.discarded ?? 0);
  onProgress("comparing the digests of all files");
  const digests = checkDigests(folder);
  const manifestFound = fileDigest(join(folder, digestsName));
  const recount = createRecount(result);
  const clients = recountClients(result);
  const meetings = recountReachedServers(result, answers.byName, certificates);
  let checked = 0;
  for await (const probe of linesOf<Probe>(join(folder, lineNames.probes), probeShape)) {
    if (checked % handshakesPerCall === 0) onProgress(`${checked} handshakes checked`);
    checked += 1;
    recount.add(probe);
    discarded.add(probe);
    meetings.add(withPresentSide(probe));
    clients.add(probe);
  }
  onProgress("checking requests, and states and plans of Terraform");
  const requests = await readRequests(join(folder, lineNames.requests));
  const counts = {
    [lineNames.requests]: requests.count,
    [lineNames.answers]: answers.count,
    [lineNames.certificates]: certificates.count,
  };
  return [
    digests,
    manifestCheck(manifestFound, manifest),
    ...recount.totals(),
    meetings.hostnamesCheck(course),
    ...recount.checks(),
    discarded.check(),
    ...meetings.checks(),
    clients.check(),
    check(
      "requests",
      requests.count > 0 && requests.isWhole,
      requests.isWhole ? `${requests.count}, numbered from 1 without gaps` : "the numbers have gaps",
    ),
    deletionsCheck(requests, result),
    linesCheck(counts, result),
    ...certificatesChecks(certificates, requests.created),
    ...terraformChecks(join(folder, terraformFolder), result),
    courseCheck(course, result),
    verdictCheck(result),
  ];
}

/** Checks that files have as many lines as the verdict states. */
function linesCheck(counts: Readonly<Record<string, number>>, { lines }: Verdict): EvidenceCheck {
  const unlike = Object.entries(counts)
    .filter(([name, count]) => lines?.[name] !== count)
    .map(([name, count]) => `${count} in ${name}, ${lines?.[name] ?? "none"} in the result`);
  return checkWithout(unlike, "lines of each file", "as many as in the result");
}

function certificatesChecks(
  { names, known, broken }: Certificates,
  created: ReadonlySet<string>,
): readonly EvidenceCheck[] {
  const unasked = names.filter((name) => !created.has(name));
  const unrequested = unasked.length === 0 ? [] : [`no request for ${unasked.join(", ")}`];
  const unchained = broken.length === 0 ? [] : [`broken: ${broken.join(", ")}`];
  return [
    checkWithout(unrequested, "requested certificates", `${names.length} certificates, each by a request`),
    checkWithout(unchained, "certificate chains", `${known.size} chains end in a root`),
  ];
}

/** Compares the file of digests with the digest in a report, which a change of the folder does not affect. */
function manifestCheck(found: string, expected: string | undefined): EvidenceCheck {
  const line = `SHA-256 of ${digestsName}: ${found}`;
  if (expected === undefined) return check("manifest", true, line);
  const isSame = found === expected.toLowerCase();
  return check("manifest", isSame, isSame ? `${line}, as expected` : `${line}, not ${expected}`);
}

/** Checks that every file is unchanged since the verdict was written. */
function checkDigests(folder: string): EvidenceCheck {
  const file = join(folder, digestsName);
  if (!existsSync(file)) throw new InputError("evidence-unreadable", `${quote(file)} is not there; ${evidenceAdvice}`);
  const listed = new Map(
    textOf(file)
      .split("\n")
      .flatMap((line) => {
        const [, digest = "", name = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
        return name === "" ? [] : [[name, digest] as const];
      }),
  );
  const present = filesIn(folder);
  const isAsWritten = (name: string): boolean => {
    try {
      return listed.get(name) === fileDigest(join(folder, name));
    } catch {
      // An unreadable file counts as changed.
      return false;
    }
  };
  const unlike = [
    ...present.filter((name) => !isAsWritten(name)),
    ...[...listed.keys()].filter((name) => !present.includes(name)),
  ];
  const changed = unlike.length === 0 ? [] : [`added, changed or missing: ${unlike.join(", ")}`];
  return checkWithout(changed, "digests", `${present.length} files unchanged`);
}
