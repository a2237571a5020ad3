import type { protos } from "@google-cloud/certificate-manager";
import { canonicalAddress } from "../hostnames";
import { type Client, codeOf, connectCertificateManager, notFound, serviceError } from "./client";
import { describeCertificate, timeOf, word } from "./describe-certificate";
import type { LiveCertificate } from "./live-certificate";
import type { Pace } from "./pace";
import { eachInTime, inTime, requestTimeoutMs } from "./time-limit";

export interface LiveAuthorization {
  /** `projects/P/locations/L/dnsAuthorizations/A`. */
  readonly name: string;
  readonly domain: string;
  /** The CNAME to publish; name and data with their trailing dots. */
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
  /** When it was changed last, ISO 8601 in UTC; where the service says. */
  readonly updateTime?: string;
}

export interface LiveMap {
  /** `projects/P/locations/global/certificateMaps/M`. */
  readonly name: string;
  /** Target proxies that present it. */
  readonly proxies: readonly string[];
  /** IP addresses where it is presented. */
  readonly addresses: readonly string[];
}

/** Lists what is in Certificate Manager: one request for a thousand resources. */
export interface ResourceLister {
  /** @param parent `projects/P/locations/L` */
  certificates(parent: string, signal: AbortSignal): Promise<readonly LiveCertificate[]>;
  /** @param parent `projects/P/locations/L` */
  authorizations(parent: string, signal: AbortSignal): Promise<readonly LiveAuthorization[]>;
  /** The map of that name, and nothing where there is none. */
  map(name: string, signal: AbortSignal): Promise<LiveMap | undefined>;
  /** The entries of a map; none where there is no such map. */
  entries(map: string, signal: AbortSignal): Promise<readonly LiveEntry[]>;
}

const pageSize = 1000;
/** The client warns of its own default where pages are asked for one after the other. */
const page = { autoPaginate: false };
const entryStates: Readonly<Record<number, string>> = { 1: "ACTIVE", 2: "PENDING" };

/**
 * Lists resources through the Certificate Manager API, with application default credentials. Every method throws ServiceError where the service
 * refuses or does not answer.
 *
 * @param endpoint base URL of another service with the same interface; plain HTTP is asked without credentials
 * @param timeoutMs how long one request may take. @default 30,000
 * @param pace keeps the requests within the quota. @default - a pace of its own
 */
export function resourceLister(endpoint?: string, timeoutMs = requestTimeoutMs, pace?: Pace): ResourceLister {
  const connect = connectCertificateManager(endpoint, pace);
  return {
    certificates: (parent, signal) =>
      collect(
        connect,
        (client) => client.listCertificatesAsync({ parent, pageSize }, page),
        describeCertificate,
        `reading certificates of ${parent}`,
        signal,
        timeoutMs,
      ),
    authorizations: (parent, signal) =>
      collect(
        connect,
        (client) => client.listDnsAuthorizationsAsync({ parent, pageSize }, page),
        describeAuthorization,
        `reading DNS authorizations of ${parent}`,
        signal,
        timeoutMs,
      ),
    map: async (name, signal) => {
      signal.throwIfAborted();
      try {
        const client = await inTime(connect(), timeoutMs, signal);
        const [map] = await inTime(client.getCertificateMap({ name }), timeoutMs, signal);
        return describeMap(map);
      } catch (error) {
        signal.throwIfAborted();
        if (codeOf(error) === notFound) return undefined;
        throw serviceError(`reading ${name}`, error);
      }
    },
    entries: (map, signal) =>
      collect(
        connect,
        (client) => client.listCertificateMapEntriesAsync({ parent: map, pageSize }, page),
        describeEntry,
        `reading entries of ${map}`,
        signal,
        timeoutMs,
      ),
  };
}

async function collect<Item, Described>(
  connect: () => Promise<Client>,
  pagesOf: (client: Client) => AsyncIterable<Item>,
  describe: (item: Item) => Described,
  purpose: string,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly Described[]> {
  const found: Described[] = [];
  try {
    const client = await inTime(connect(), timeoutMs, signal);
    for await (const item of eachInTime(pagesOf(client), timeoutMs, signal)) {
      found.push(describe(item));
    }
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) === notFound) return [];
    throw serviceError(purpose, error);
  }
  return found;
}

function describeAuthorization(
  authorization: protos.google.cloud.certificatemanager.v1.IDnsAuthorization,
): LiveAuthorization {
  const { name, domain, dnsResourceRecord: record } = authorization;
  return { name: name ?? "", domain: domain ?? "", record: { name: record?.name ?? "", data: record?.data ?? "" } };
}

function describeEntry(entry: protos.google.cloud.certificatemanager.v1.ICertificateMapEntry): LiveEntry {
  return {
    name: entry.name ?? "",
    hostname: entry.hostname || "PRIMARY",
    state: word(entry.state, entryStates),
    certificates: entry.certificates ?? [],
    ...(entry.updateTime ? { updateTime: timeOf(entry.updateTime) } : {}),
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
