/** Holds the evidence of a rehearsal against its verdict, from the files alone. */
import { X509Certificate } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { InputError } from "../errors";
import { quote } from "../quote";
import { isCertificateBlock, readPemBlocks } from "../x509";
import { recountDiscarded } from "./check-discarded";
import { courseCheck, courseOf, unprobedOf } from "./check-migrations";
import { createRecount } from "./check-probes";
import { check, type EvidenceCheck, terraformChecks } from "./check-terraform";
import { digestOf, digestsName, filesIn, lineNames, resultName, type Verdict } from "./evidence";
import { bundleName, oldBundleName, oldCertificatesName, terraformFolder, uploadedName } from "./folder";
import type { DiscardedTry, Probe } from "./prober";
import type { RehearsalResult } from "./rehearsal";

interface Answer {
  readonly time: string;
  readonly name: string;
  readonly answers: readonly { readonly data: string; readonly ttl: number }[];
}

/** A probe says when it began, DNS when it was answered; the cloud's time may run a hundred times as fast as the machine's. */
const slackMs = 120_000;

/** What to do where evidence can't be read. */
const advice = "name a folder that 'rehearse --evidence' has filled";

/** @throws InputError `evidence-unreadable` for a folder that is none */
export async function checkEvidence(folder: string): Promise<readonly EvidenceCheck[]> {
  const result = readResult(folder);
  const told = await readAnswers(join(folder, "answers.jsonl"));
  const certificates = await readCertificates(folder);
  const steps = result.steps.map((step) => ({ ...step, probed: new Set<string>() }));
  const hostnames = new Set<string>();
  const course = courseOf(join(folder, terraformFolder));
  const recount = createRecount(result);
  const discarded = recountDiscarded(await readDiscarded(join(folder, lineNames.discarded)), result.discarded ?? 0);
  const wrong = { unled: 0, unknown: 0, uncovered: 0, elsewhere: 0 };
  const counted = { probes: 0, failed: 0 };
  const digests = checkDigests(folder);
  for await (const probe of linesOf<Probe>(join(folder, "probes.jsonl"), "time", "hostname", "ok")) {
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
  const requests = await readRequests(join(folder, "requests.jsonl"));
  const { lines } = result;
  const unlike = Object.entries({
    "requests.jsonl": requests.count,
    "answers.jsonl": told.count,
    "certificates.jsonl": certificates.count,
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
  if (!existsSync(file)) throw new InputError("evidence-unreadable", `${quote(file)} is not there; ${advice}`);
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

interface Request {
  readonly number: number;
  readonly method?: string;
  readonly status: number;
  readonly target: string;
  readonly caller?: string;
}

/** Where nothing was in the way of any request, what Terraform has made is deleted in the end. */
function deletionsCheck(
  { created, deleted, inserted }: Awaited<ReturnType<typeof readRequests>>,
  { destroyed, struck, kills }: RehearsalResult,
): EvidenceCheck {
  const isUndisturbed = kills === 0 && struck.every(({ count }) => count === 0);
  const left = [
    ...[...created].filter((name) => !deleted.has(name)),
    ...[...inserted].filter(([, count]) => count > 0).map(([collection, count]) => `${count} of ${collection}`),
  ];
  const isWhole = !destroyed || !isUndisturbed || left.length === 0;
  return check(
    "deletions",
    isWhole,
    isWhole ? `${deleted.size} of ${created.size} by name` : `nobody deleted ${left.slice(0, 5).join(", ")}`,
  );
}

/** How many there were, whether all of them are there, what they have made and deleted by name, and how much more by collection of Compute Engine. */
async function readRequests(file: string) {
  const created = new Set<string>();
  const deleted = new Set<string>();
  const inserted = new Map<string, number>();
  let count = 0;
  let isWhole = true;
  for await (const { number, method, status, target, caller } of linesOf<Request>(file, "number", "status")) {
    count += 1;
    if (number !== count) isWhole = false;
    if (!(status < 300)) continue;
    const [, service, collection = "", verb] = /^(\w+)\.(?:.*\.)?(\w+)\.(\w+)$/.exec(method ?? "") ?? [];
    if (service === "certificatemanager" && verb === "create") {
      const [, parent = "", name = ""] = /(projects\/[^?]+)\?(?:.*&)?[a-zA-Z]+Id=([^&]+)/.exec(target ?? "") ?? [];
      created.add(`${parent}/${nameIn(name)}`);
    }
    if (service === "certificatemanager" && verb === "delete") {
      deleted.add(/projects\/[^?]+/.exec(target ?? "")?.[0] ?? "");
    }
    // What others make for the rehearsal is no affair of Terraform's.
    if (service === "compute" && caller?.startsWith("token ") === true) {
      const change = verb === "insert" ? 1 : verb === "delete" ? -1 : 0;
      inserted.set(collection, (inserted.get(collection) ?? 0) + change);
    }
  }
  return { count, isWhole, created, deleted, inserted };
}

function nameIn(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
    throw new InputError("evidence-unreadable", `${quote(folder)} has no ${resultName} that can be read; ${advice}`);
  }
}

/** @param fields those that a line can't be without */
async function* linesOf<Item>(file: string, ...fields: readonly (keyof Item & string)[]): AsyncGenerator<Item> {
  if (!existsSync(file)) throw new InputError("evidence-unreadable", `${quote(file)} is not there; ${advice}`);
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    let item: unknown;
    try {
      item = JSON.parse(line);
    } catch {
      throw new InputError("evidence-unreadable", `${quote(file)}, line ${number}: is not JSON`);
    }
    const lacking = fields.filter((field) => (item as Readonly<Record<string, unknown>> | null)?.[field] === undefined);
    if (lacking.length > 0) {
      throw new InputError("evidence-unreadable", `${quote(file)}, line ${number}: has no ${lacking.join(", no ")}`);
    }
    yield item as Item;
  }
}

type Told = readonly { readonly timeMs: number; readonly data: string; readonly ttlMs: number }[];

async function readAnswers(
  file: string,
): Promise<{ readonly byName: ReadonlyMap<string, Told>; readonly count: number }> {
  const told = new Map<string, Told[number][]>();
  let count = 0;
  for await (const { time, name, answers } of linesOf<Answer>(file, "time", "name", "answers")) {
    count += 1;
    const known = told.get(name) ?? [];
    told.set(name, known);
    const timeMs = Date.parse(time);
    for (const { data, ttl } of answers) known.push({ timeMs, data, ttlMs: ttl * 1_000 });
  }
  return { byName: told, count };
}

/** Evidence that was written before there was such a file has none. */
async function readDiscarded(file: string): Promise<readonly DiscardedTry[]> {
  const found: DiscardedTry[] = [];
  if (!existsSync(file)) return found;
  for await (const one of linesOf<DiscardedTry>(file, "time", "until", "hostname", "waitedMs", "ranMs", "still")) {
    if (!Array.isArray(one.still)) throw new InputError("evidence-unreadable", `${quote(file)}: 'still' is no list`);
    found.push(one);
  }
  return found;
}

function wasTold(told: Told, { time, address }: Probe): boolean {
  const probedMs = Date.parse(time);
  return told.some(
    ({ timeMs, data, ttlMs }) =>
      data === address && timeMs <= probedMs + slackMs && timeMs + ttlMs + slackMs >= probedMs,
  );
}

async function readCertificates(folder: string) {
  const text = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  const roots = [bundleName, oldBundleName, uploadedName].flatMap((name) => certificatesIn(text(name)));
  const old = certificatesIn(text(oldCertificatesName));
  const known = new Map(old.map((one) => [fingerprintOf(one), one]));
  // The first of the old ones is that of load balancers which are there before the migration: it is met on both sides.
  const sides = new Map<string, "old" | "new">(old.slice(1).map((one) => [fingerprintOf(one), "old"]));
  const broken: string[] = [];
  const others = [...old];
  const names: string[] = [];
  for await (const { name, pemCertificate } of linesOf<{ name: string; pemCertificate: string }>(
    join(folder, "certificates.jsonl"),
    "name",
    "pemCertificate",
  )) {
    const chain = certificatesIn(pemCertificate);
    names.push(name);
    const [leaf] = chain;
    if (leaf !== undefined) {
      known.set(fingerprintOf(leaf), leaf);
      sides.set(fingerprintOf(leaf), "new");
    }
    if (leaf === undefined || !leadsToRoot(leaf, chain, roots)) broken.push(name);
  }
  broken.push(...others.filter((leaf) => !leadsToRoot(leaf, others, roots)).map(({ subject }) => subject));
  const sideOf = (fingerprint: string | undefined) => (fingerprint === undefined ? undefined : sides.get(fingerprint));
  return { known, sideOf, broken, names: [...new Set(names)], count: names.length };
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const { blocks } = readPemBlocks(pem);
  return blocks.filter(isCertificateBlock).map(({ der }) => new X509Certificate(der));
}

function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(":", "").toLowerCase();
}

/** Whether each certificate on the way is signed by the next, up to a root. */
function leadsToRoot(
  leaf: X509Certificate,
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  let current = leaf;
  for (let depth = 0; depth < 8; depth++) {
    const at = current;
    const isIssuer = (one: X509Certificate) => at.checkIssued(one) && at.verify(one.publicKey);
    if (roots.some(isIssuer)) return true;
    const next = chain.find((one) => one !== at && isIssuer(one));
    if (next === undefined) return false;
    current = next;
  }
  return false;
}
