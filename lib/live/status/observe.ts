import { setMaxListeners } from "node:events";
import { orAborted } from "../../async/abort";
import { mapConcurrently } from "../../async/concurrent";
import { onceForEach } from "../../async/once";
import type { Answer, LookUp } from "../../dns";
import { InputError, ServiceError } from "../../errors";
import type { LiveCertificate, PrivateCaReader, ResourceLister } from "../../google";
import { defined } from "../../json/defined";
import type { RenewalObstacle } from "../../renewal";
import { otherCertificateIds, type SourceMigration, type SourceRecord, servedCertificateIds } from "../../source";
import { checkRecords, gatherRecords, needsAuthorizations, type RecordCheck } from "../records";
import { createObstacleReader } from "../renewal";
import { hostnamesOf } from "./assess";
import type { Observed } from "./model";

/** Options of {@link observeAll}. */
export interface ObserveOptions {
  readonly lister: ResourceLister;
  readonly lookUp: LookUp;
  /** Reads the CAs of pools. @default - CA pools are not examined */
  readonly caPools?: Pick<PrivateCaReader, "authorities">;
  readonly signal: AbortSignal;
  /** Maximum number of DNS queries at the same time. @default 32 */
  readonly concurrency?: number;
  /** Called when much of what was read is no longer needed. @default - nothing is called */
  readonly onGarbage?: () => void;
}

/** Observed state of several migrations, and the number of requests and queries. */
export interface Observation {
  /** In the order of the migrations. */
  readonly observed: readonly Observed[];
  /** Requests to Certificate Manager; the pages of one list count as one request. */
  readonly requests: number;
  /** Number of DNS queries. */
  readonly questions: number;
}

/**
 * Reads the state of migrations as {@link observe} does. Data that several migrations share is requested once.
 *
 * @param onQuestion called with the number of DNS queries answered so far
 * @throws InputError `project-unknown`; ServiceError; the abort reason of the signal
 */
export async function observeAll(
  migrations: readonly SourceMigration[],
  options: ObserveOptions,
  onQuestion: (answered: number) => void = () => undefined,
): Promise<Observation> {
  let requests = 0;
  let questions = 0;
  // Every query adds a listener, and many queries run at the same time.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const shared: ObserveOptions = {
    ...options,
    lister: askingOnce(options.lister, () => {
      requests += 1;
    }),
    lookUp: async (name, type) => {
      signal.throwIfAborted();
      const answer = await orAborted(options.lookUp(name, type), signal);
      questions += 1;
      onQuestion(questions);
      return answer;
    },
  };
  const observed: Observed[] = [];
  for (const migration of migrations) observed.push(await observe(migration, shared));
  return { observed, requests, questions };
}

/**
 * Returns a lister that requests each list and each map once, also for several calls of {@link observeAll}.
 *
 * @param onRequest called before each request. @default - nothing is called
 */
export function askingOnce(lister: ResourceLister, onRequest: () => void = () => undefined): ResourceLister {
  const once = <Result>(ask: (name: string, signal: AbortSignal) => Promise<Result>) =>
    onceForEach((name, signal: AbortSignal) => {
      onRequest();
      return orAborted(ask(name, signal), signal);
    });
  return {
    certificates: once(lister.certificates),
    authorizations: once(lister.authorizations),
    map: once(lister.map),
    entries: once(lister.entries),
  };
}

/**
 * Reads the state of a migration: one list call each for certificates and entries, for authorizations if the migration
 * lacks records, and a few DNS queries for every name.
 *
 * @throws InputError `project-unknown`; ServiceError
 */
async function observe(migration: SourceMigration, options: ObserveOptions): Promise<Observed> {
  const { lister, lookUp, signal, concurrency = 32, onGarbage = () => undefined } = options;
  const certificates = [];
  const others = otherCertificateIds(migration).map((id) => ({ id }));
  for (const parent of parentsOf([...migration.certificates, ...others], "certificates")) {
    certificates.push(...(await lister.certificates(parent, signal)));
  }
  const authorizations = [];
  // Outputs and applied stacks have the records, so that the list would only be read for nothing.
  const unread = needsAuthorizations([migration]) ? migration.authorizations : [];
  for (const parent of parentsOf(unread, "dnsAuthorizations")) {
    authorizations.push(...(await lister.authorizations(parent, signal)));
  }
  const mapId = migration.map?.id;
  const map = mapId === undefined ? undefined : await lister.map(mapId, signal);
  const entries = map === undefined ? [] : await lister.entries(map.name, signal);
  onGarbage();
  const records = new Map<string, RecordCheck | "published">();
  for (const block of blocksOf(migration.records)) {
    const { records: gathered } = gatherRecords([{ ...migration, records: block }], authorizations);
    for (const check of await checkRecords(gathered, lookUp, concurrency)) {
      records.set(check.record.domain, check.verdict === "published" ? "published" : check);
    }
  }
  onGarbage();
  const hostnames = hostnamesOf(migration)
    .map(({ hostname }) => hostname)
    .filter((hostname) => !hostname.startsWith("*."));
  const shared = sharedAnswers();
  const addresses = await mapConcurrently(hostnames, concurrency, async (hostname): Promise<[string, Answer]> => {
    const [ipv4, ipv6] = [await lookUp(hostname, "A"), await lookUp(hostname, "AAAA")];
    if (!ipv4.ok) return [hostname, ipv4];
    return [hostname, ipv6.ok ? shared([...ipv4.data, ...ipv6.data]) : ipv6];
  });
  const obstacles = await readObstacles(migration, certificates, records, options);
  return {
    certificates,
    records,
    obstacles,
    ...defined({ map }),
    entries,
    addresses: new Map(addresses),
  };
}

/**
 * Reads what would stop the next renewal of a migration's certificates, except the records that are checked already. It
 * needs no permission that the status of a migration does not need: what can't be read is no obstacle.
 */
async function readObstacles(
  migration: SourceMigration,
  certificates: readonly LiveCertificate[],
  records: Observed["records"],
  { lister, lookUp, caPools, signal, concurrency = 32 }: ObserveOptions,
): Promise<NonNullable<Observed["obstacles"]>> {
  const obstaclesOf = createObstacleReader({
    lookUp,
    authorizationsIn: async (parent) => (await ifAllowed(lister.authorizations(parent, signal))) ?? [],
    authoritiesOf: async (pool) => caPools && ifAllowed(caPools.authorities(pool, signal)),
    isChecked: (domain) => records.has(domain),
  });
  const ids = new Set(servedCertificateIds(migration));
  const own = certificates.filter(({ name }) => ids.has(name));
  const found = new Map<string, readonly RenewalObstacle[]>();
  await mapConcurrently(own, Math.ceil(concurrency / domainsAtATime), async (live) => {
    const obstacles = await obstaclesOf(live);
    if (obstacles.length > 0) found.set(live.name, obstacles);
  });
  return found;
}

/** Domains of a certificate, which are asked for together. */
const domainsAtATime = 8;

async function ifAllowed<Item>(list: Promise<readonly Item[]>): Promise<readonly Item[] | undefined> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}

/** Number of records that are checked together, and of which nothing but the result stays in memory. */
const recordsAtATime = 1_000;

function* blocksOf(records: readonly SourceRecord[]): Generator<readonly SourceRecord[]> {
  for (let from = 0; from < records.length; from += recordsAtATime) yield records.slice(from, from + recordsAtATime);
}

/** Returns one answer for equal data: most hostnames of a load balancer have the same addresses. */
function sharedAnswers(): (data: readonly string[]) => Answer {
  const known = new Map<string, Answer>();
  return (data) => {
    const key = data.join(" ");
    const answer = known.get(key) ?? { ok: true, data };
    known.set(key, answer);
    return answer;
  };
}

function parentsOf(resources: readonly { readonly id?: string }[], collection: string): readonly string[] {
  const parents = resources.map(({ id = "" }) => {
    const end = id.indexOf(`/${collection}/`);
    if (end === -1)
      throw new InputError(
        "project-unknown",
        "the project of the migration is not known; give --project, or --outputs",
      );
    return id.slice(0, end);
  });
  return [...new Set(parents)].sort();
}
