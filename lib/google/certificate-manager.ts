import { InputError } from "../errors";
import { parseLocatedName, writeLocation } from "../resource-names";
import { type Client, codeOf, connectCertificateManager, notFound, serviceError } from "./client";
import { describeCertificate } from "./describe-certificate";
import type { LiveCertificate } from "./live-certificate";
import type { Pace } from "./pace";
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
      for (const [parent, wanted] of groupByParent(names)) {
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
    const pages = client.listCertificatesAsync({ parent, pageSize: 1000 }, { autoPaginate: false });
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

function groupByParent(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const parts = parseLocatedName(name);
    if (parts?.collection !== "certificates") {
      throw new InputError(
        "certificate-name-malformed",
        `'${name}' is not the name of a certificate; use projects/PROJECT/locations/LOCATION/certificates/NAME`,
      );
    }
    const parent = writeLocation(parts);
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [name]);
    else group.push(name);
  }
  return groups;
}
