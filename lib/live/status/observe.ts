import { setMaxListeners } from "node:events";
import { orAborted } from "../../async/abort";
import { mapConcurrently } from "../../async/concurrent";
import type { Answer, LookUp } from "../../dns";
import { InputError } from "../../errors";
import type { ResourceLister } from "../../google";
import { defined } from "../../json/defined";
import type { SourceMigration } from "../../source";
import { checkRecords, gatherRecords } from "../records";
import { hostnamesOf } from "./assess";
import type { Observed } from "./model";

/** Options of {@link observeAll}. */
export interface ObserveOptions {
  readonly lister: ResourceLister;
  readonly lookUp: LookUp;
  readonly signal: AbortSignal;
  /** Maximum number of DNS queries at the same time. @default 32 */
  readonly concurrency?: number;
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
  const remember = <Result>(ask: (name: string, signal: AbortSignal) => Promise<Result>) => {
    const asked = new Map<string, Promise<Result>>();
    return (name: string, signal: AbortSignal) => {
      const known = asked.get(name);
      if (known !== undefined) return known;
      requests += 1;
      const answer = orAborted(ask(name, signal), signal);
      asked.set(name, answer);
      return answer;
    };
  };
  const { lister } = options;
  // Every query adds a listener, and many queries run at the same time.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const shared: ObserveOptions = {
    ...options,
    lister: {
      certificates: remember(lister.certificates),
      authorizations: remember(lister.authorizations),
      map: remember(lister.map),
      entries: remember(lister.entries),
    },
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
 * Reads the state of a migration: one list call each for certificates, authorizations and entries, and a few DNS
 * queries for every name.
 *
 * @throws InputError `project-unknown`; ServiceError
 */
async function observe(migration: SourceMigration, options: ObserveOptions): Promise<Observed> {
  const { lister, lookUp, signal, concurrency = 32 } = options;
  const certificates = [];
  for (const parent of parentsOf(migration.certificates, "certificates")) {
    certificates.push(...(await lister.certificates(parent, signal)));
  }
  const authorizations = [];
  for (const parent of parentsOf(migration.authorizations, "dnsAuthorizations")) {
    authorizations.push(...(await lister.authorizations(parent, signal)));
  }
  const mapId = migration.map?.id;
  const map = mapId === undefined ? undefined : await lister.map(mapId, signal);
  const entries = map === undefined ? [] : await lister.entries(map.name, signal);
  const checks = await checkRecords(gatherRecords([migration], authorizations).records, lookUp, concurrency);
  const hostnames = hostnamesOf(migration)
    .map(({ hostname }) => hostname)
    .filter((hostname) => !hostname.startsWith("*."));
  const addresses = await mapConcurrently(hostnames, concurrency, async (hostname): Promise<[string, Answer]> => {
    const [ipv4, ipv6] = [await lookUp(hostname, "A"), await lookUp(hostname, "AAAA")];
    if (!ipv4.ok) return [hostname, ipv4];
    return [hostname, ipv6.ok ? { ok: true, data: [...ipv4.data, ...ipv6.data] } : ipv6];
  });
  return {
    certificates,
    authorizations,
    records: new Map(checks.map((check) => [check.record.domain, check])),
    ...defined({ map }),
    entries,
    addresses: new Map(addresses),
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
