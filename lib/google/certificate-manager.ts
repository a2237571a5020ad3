import type { protos } from "@google-cloud/certificate-manager";
import { InputError } from "../errors";
import { canonicalAddress } from "../hostnames";
import { groupBy } from "../json/group-by";
import { parseLocatedName, writeLocation } from "../resource-names";
import type { Pace } from "./authorized-fetch";
import { type Client, codeOf, connectCertificateManager, notFound, serviceError } from "./client";
import { describeCertificate, timeOf, word } from "./describe-certificate";
import type { LiveCertificate } from "./live-certificate";
import { eachInTime, inTime, requestTimeoutMs } from "./time-limit";

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
  const connect = connectCertificateManager(endpoint, pace);
  return {
    read: async (names, signal) => {
      const found: LiveCertificate[] = [];
      for (const [parent, wanted] of groupBy(names, parentOf)) {
        signal.throwIfAborted();
        for (const one of await readLocation(connect, parent, wanted, signal, timeoutMs)) found.push(one);
      }
      return found;
    },
  };
}

async function readLocation(
  connect: () => Promise<Client>,
  parent: string,
  wanted: readonly string[],
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly LiveCertificate[]> {
  const [only] = wanted;
  try {
    const client = await inTime(connect(), timeoutMs, signal);
    if (wanted.length === 1 && only !== undefined) {
      const [certificate] = await inTime(client.getCertificate({ name: only }), timeoutMs, signal);
      return [describeCertificate(certificate)];
    }
    const names = new Set(wanted);
    const found: LiveCertificate[] = [];
    const pages = client.listCertificatesAsync({ parent, pageSize }, page);
    for await (const certificate of eachInTime(pages, timeoutMs, signal)) {
      if (names.has(certificate.name ?? "")) found.push(describeCertificate(certificate));
    }
    return found;
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) === notFound && wanted.length === 1) return [];
    throw serviceError(`reading certificates of ${parent}`, error);
  }
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

const pageSize = 1000;
/** Without this option, the client warns about its own default when pages are requested one by one. */
const page = { autoPaginate: false };
const entryStates: Readonly<Record<number, string>> = { 1: "ACTIVE", 2: "PENDING" };

/**
 * Creates a lister of resources that uses the Certificate Manager API with application default credentials. Every
 * method throws ServiceError if the service refuses or does not answer.
 *
 * @param endpoint base URL of another service with the same interface; requests over plain HTTP carry no credentials
 * @param timeoutMs timeout of one request, in milliseconds. @default 30,000
 * @param pace keeps the requests within the quota. @default - a new pace
 */
export function resourceLister(endpoint?: string, timeoutMs = requestTimeoutMs, pace?: Pace): ResourceLister {
  const connect = connectCertificateManager(endpoint, pace);
  const list = async <Item, Described>(
    purpose: string,
    pagesOf: (client: Client) => AsyncIterable<Item>,
    describe: (item: Item) => Described,
    signal: AbortSignal,
  ): Promise<readonly Described[]> => {
    const found: Described[] = [];
    try {
      const client = await inTime(connect(), timeoutMs, signal);
      for await (const item of eachInTime(pagesOf(client), timeoutMs, signal)) found.push(describe(item));
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) === notFound) return [];
      throw serviceError(purpose, error);
    }
    return found;
  };
  return {
    certificates: (parent, signal) => {
      const pagesOf = (client: Client) => client.listCertificatesAsync({ parent, pageSize }, page);
      return list(`reading certificates of ${parent}`, pagesOf, describeCertificate, signal);
    },
    authorizations: (parent, signal) => {
      const pagesOf = (client: Client) => client.listDnsAuthorizationsAsync({ parent, pageSize }, page);
      return list(`reading DNS authorizations of ${parent}`, pagesOf, describeAuthorization, signal);
    },
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
    entries: (map, signal) => {
      const pagesOf = (client: Client) => client.listCertificateMapEntriesAsync({ parent: map, pageSize }, page);
      return list(`reading entries of ${map}`, pagesOf, describeEntry, signal);
    },
  };
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
