import type { protos } from "@google-cloud/certificate-manager";
import { InputError } from "../errors";
import { canonicalAddress } from "../hostnames";
import { groupBy } from "../json/group-by";
import { parseLocatedName, writeLocation } from "../resource-names";
import type { Pace } from "./authorized-fetch";
import {
  type CallCertificateManager,
  type CallOptions,
  type Client,
  codeOf,
  connectCertificateManager,
  notFound,
  serviceError,
} from "./client";
import { describeLiveCertificate, timestampText, word } from "./describe-certificate";
import type { LiveCertificate } from "./live-certificate";
import { allPages } from "./pages";
import { requestTimeoutMs } from "./time-limit";

/** Reads certificates of Certificate Manager. */
export interface CertificateReader {
  /** Returns the existing certificates among these names, with one request for each project and location. */
  read(names: readonly string[], signal: AbortSignal): Promise<readonly LiveCertificate[]>;
}

/**
 * Creates a reader of certificates that uses the Certificate Manager API with application default credentials.
 *
 * @param endpoint base URL of another service with the same interface; requests over plain HTTP carry no credentials
 * @param timeoutMs timeout of one request, in milliseconds. @default 30,000
 * @param pace keeps the requests within the quota. @default - a new pace
 */
export function certificateReader(endpoint?: string, timeoutMs = requestTimeoutMs, pace?: Pace): CertificateReader {
  const call = connectCertificateManager(endpoint, timeoutMs, pace);
  return {
    read: async (names, signal) => {
      const found: LiveCertificate[] = [];
      for (const [parent, wanted] of groupBy(names, parentOf)) {
        signal.throwIfAborted();
        for (const certificate of await readLocation(call, parent, wanted, signal)) found.push(certificate);
      }
      return found;
    },
  };
}

async function readLocation(
  call: CallCertificateManager,
  parent: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<readonly LiveCertificate[]> {
  const [only] = wanted;
  const purpose = `reading certificates of ${parent}`;
  try {
    if (wanted.length === 1 && only !== undefined) {
      const [certificate] = await call((client, options) => client.getCertificate({ name: only }, options), signal);
      return withIssuance(call, [describeLiveCertificate(certificate)], signal);
    }
    const names = new Set(wanted);
    const all = await listPages(call, certificatesOf(parent), describeLiveCertificate, signal);
    const found = all.filter(({ name }) => names.has(name));
    return withIssuance(call, found, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) === notFound && wanted.length === 1) return [];
    throw serviceError(purpose, error);
  }
}

/**
 * Adds the CA pool, the lifetime and the share of it after which they are renewed to issued certificates of private
 * CAs, with one request for each issuance config. If the caller may not read a config, its certificates have none.
 */
async function withIssuance(
  call: CallCertificateManager,
  certificates: readonly LiveCertificate[],
  signal: AbortSignal,
): Promise<readonly LiveCertificate[]> {
  const known = new Map<string, Pick<LiveCertificate, "caPool" | "renewalShare" | "lifetimeMs">>();
  const issued = certificates.filter(({ certificatePem, leaf }) => (certificatePem ?? leaf) !== undefined);
  for (const name of new Set(issued.flatMap(({ issuanceConfig }) => issuanceConfig ?? []))) {
    try {
      const [config] = await call((client, options) => client.getCertificateIssuanceConfig({ name }, options), signal);
      const percentage = config.rotationWindowPercentage ?? 0;
      const lifetimeSeconds = Number(config.lifetime?.seconds ?? 0);
      const caPool = config.certificateAuthorityConfig?.certificateAuthorityServiceConfig?.caPool;
      known.set(name, {
        ...(percentage > 0 ? { renewalShare: percentage / 100 } : {}),
        ...(lifetimeSeconds > 0 ? { lifetimeMs: lifetimeSeconds * 1_000 } : {}),
        ...(caPool ? { caPool } : {}),
      });
    } catch {
      signal.throwIfAborted();
    }
  }
  if (known.size === 0) return certificates;
  return certificates.map((certificate) => ({ ...certificate, ...known.get(certificate.issuanceConfig ?? "") }));
}

type ICertificate = protos.google.cloud.certificatemanager.v1.ICertificate;
type ICertificateMapEntry = protos.google.cloud.certificatemanager.v1.ICertificateMapEntry;
type IDnsAuthorization = protos.google.cloud.certificatemanager.v1.IDnsAuthorization;

/** Requests one page. The client returns its items, the next request, and the answer. */
type AskPage<Item> = (
  client: Client,
  pageToken: string,
  options: CallOptions,
) => Promise<readonly [readonly Item[], unknown, { readonly nextPageToken?: string | null } | null]>;

function certificatesOf(parent: string, perPage = pageSize): AskPage<ICertificate> {
  return (client, pageToken, options) => client.listCertificates({ parent, pageSize: perPage, pageToken }, options);
}

/** Describes each page before the next one is requested: a raw item needs several times the memory. */
function listPages<Item, Described>(
  call: CallCertificateManager,
  ask: AskPage<Item>,
  describe: (item: Item) => Described,
  signal: AbortSignal,
): Promise<readonly Described[]> {
  // The caller adds the purpose to every error.
  return allPages("", async (pageToken) => {
    const [items, , answer] = await call((client, options) => ask(client, pageToken, options), signal);
    return { items: items.map(describe), nextPageToken: answer?.nextPageToken ?? "" };
  });
}

function parentOf(name: string): string {
  const parts = parseLocatedName(name);
  if (parts?.collection === "certificates") return writeLocation(parts);
  const message = `'${name}' is not the name of a certificate; use projects/PROJECT/locations/LOCATION/certificates/NAME`;
  throw new InputError("certificate-name-malformed", message);
}

/** A DNS authorization in Certificate Manager. */
export interface LiveAuthorization {
  /** `projects/P/locations/L/dnsAuthorizations/A`. */
  readonly name: string;
  readonly domain: string;
  /** The CNAME record to publish; name and data have trailing dots. */
  readonly record: { readonly name: string; readonly data: string };
}

export interface LiveEntry {
  /** `projects/P/locations/global/certificateMaps/M/certificateMapEntries/E`. */
  readonly name: string;
  /** The hostname, or `PRIMARY`. */
  readonly hostname: string;
  /** `PENDING` or `ACTIVE`. */
  readonly state: string;
  readonly certificates: readonly string[];
  /** Time of the last change, ISO 8601 in UTC; absent if the service does not report it. */
  readonly updateTime?: string;
}

export interface LiveMap {
  /** `projects/P/locations/global/certificateMaps/M`. */
  readonly name: string;
  /** Target proxies that use the map. */
  readonly proxies: readonly string[];
  /** IP addresses at which the map is used. */
  readonly addresses: readonly string[];
}

/** Lists the resources of Certificate Manager, with one request for each thousand resources. */
export interface ResourceLister {
  /** Lists certificates. @param parent `projects/P/locations/L` */
  certificates(parent: string, signal: AbortSignal): Promise<readonly LiveCertificate[]>;
  /** Lists authorizations. @param parent `projects/P/locations/L` */
  authorizations(parent: string, signal: AbortSignal): Promise<readonly LiveAuthorization[]>;
  /** Returns the map of that name; undefined if it does not exist. */
  map(name: string, signal: AbortSignal): Promise<LiveMap | undefined>;
  /** Lists the entries of a map; empty if the map does not exist. */
  entries(map: string, signal: AbortSignal): Promise<readonly LiveEntry[]>;
}

/** Differences of lists, for callers whose memory must not depend on the number of items. */
export interface CertificateListOptions {
  /** Certificates in one answer. @default 1,000 */
  readonly certificatesPerPage?: number;
  /** Entries in one answer. @default 1,000 */
  readonly entriesPerPage?: number;
  /** Returns what is kept of a certificate. @default - all of it */
  readonly certificate?: (listed: LiveCertificate) => LiveCertificate;
  /** Returns what is kept of an entry. @default - all of it */
  readonly entry?: (listed: LiveEntry) => LiveEntry;
}

const pageSize = 1000;
const entryStates: Readonly<Record<number, string>> = { 1: "ACTIVE", 2: "PENDING" };

/**
 * Creates a lister of resources that uses the Certificate Manager API with application default credentials. Every
 * method throws ServiceError if the service refuses or does not answer.
 *
 * @param endpoint base URL of another service with the same interface; requests over plain HTTP carry no credentials
 * @param timeoutMs timeout of one request, in milliseconds. @default 30,000
 * @param pace keeps the requests within the quota. @default - a new pace
 * @param lists what differs from lists of a thousand items that are kept as they are
 */
export function resourceLister(
  endpoint?: string,
  timeoutMs = requestTimeoutMs,
  pace?: Pace,
  {
    certificatesPerPage,
    entriesPerPage = pageSize,
    certificate = (listed) => listed,
    entry = (listed) => listed,
  }: CertificateListOptions = {},
): ResourceLister {
  const call = connectCertificateManager(endpoint, timeoutMs, pace);
  const list = async <Item, Described>(
    purpose: string,
    ask: AskPage<Item>,
    describe: (item: Item) => Described,
    signal: AbortSignal,
  ): Promise<readonly Described[]> => {
    try {
      return await listPages(call, ask, describe, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) === notFound) return [];
      throw serviceError(purpose, error);
    }
  };
  return {
    certificates: async (parent, signal) => {
      const purpose = `reading certificates of ${parent}`;
      const describe = (item: ICertificate) => certificate(describeLiveCertificate(item));
      const found = await list(purpose, certificatesOf(parent, certificatesPerPage), describe, signal);
      return withIssuance(call, found, signal);
    },
    authorizations: (parent, signal) => {
      const ask: AskPage<IDnsAuthorization> = (client, pageToken, options) =>
        client.listDnsAuthorizations({ parent, pageSize, pageToken }, options);
      return list(`reading DNS authorizations of ${parent}`, ask, describeAuthorization, signal);
    },
    map: async (name, signal) => {
      signal.throwIfAborted();
      try {
        const [map] = await call((client, options) => client.getCertificateMap({ name }, options), signal);
        return describeMap(map);
      } catch (error) {
        signal.throwIfAborted();
        if (codeOf(error) === notFound) return undefined;
        throw serviceError(`reading ${name}`, error);
      }
    },
    entries: (map, signal) => {
      const ask: AskPage<ICertificateMapEntry> = (client, pageToken, options) =>
        client.listCertificateMapEntries({ parent: map, pageSize: entriesPerPage, pageToken }, options);
      return list(`reading entries of ${map}`, ask, (item) => entry(describeEntry(item)), signal);
    },
  };
}

function describeAuthorization(authorization: IDnsAuthorization): LiveAuthorization {
  const { name, domain, dnsResourceRecord: record } = authorization;
  return { name: name ?? "", domain: domain ?? "", record: { name: record?.name ?? "", data: record?.data ?? "" } };
}

function describeEntry(entry: ICertificateMapEntry): LiveEntry {
  return {
    name: entry.name ?? "",
    hostname: entry.hostname || "PRIMARY",
    state: word(entry.state, entryStates),
    certificates: entry.certificates ?? [],
    ...(entry.updateTime ? { updateTime: timestampText(entry.updateTime) } : {}),
  };
}

function describeMap({ name, gclbTargets }: protos.google.cloud.certificatemanager.v1.ICertificateMap): LiveMap {
  const targets = gclbTargets ?? [];
  return {
    name: name ?? "",
    proxies: targets.flatMap(({ targetHttpsProxy, targetSslProxy }) => targetHttpsProxy || targetSslProxy || []),
    addresses: targets
      .flatMap(({ ipConfigs }) => (ipConfigs ?? []).flatMap(({ ipAddress }) => ipAddress ?? []))
      .map(canonicalAddress),
  };
}
