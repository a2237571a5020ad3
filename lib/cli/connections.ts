import { setMaxListeners } from "node:events";
import { rootCertificates } from "node:tls";
import { InputError, ServiceError } from "../errors";
import type { ClientKind, Handshake, HandshakeParticulars } from "../live/verify";
import { quote } from "../text/quote";
import type { Io } from "./command";
import { type RehearsalRoute, readRehearsalRoute } from "./commands/rehearse/route";
import { type OptionValues, value } from "./declare";
import { readTextFile } from "./files";
import * as load from "./load";
import { releasingMemory } from "./memory";
import { caOption, concurrencyOption, handshakeTimeoutOption } from "./options";
import { readRoots } from "./roots";
import { count } from "./value-types";

export const trustPoolOption = {
  "--trust-pool":
    "also trust the roots of the CA pools that issue certificates of the migration, read from CA Service; each only for the names that its pool issues",
} as const;

export const connectionOptions = {
  "--port <port>": value(count(65_535), "port to connect to", "443"),
  ...caOption,
  ...handshakeTimeoutOption,
  ...concurrencyOption,
} as const;

/** Lists the options for a server that requests client certificates (mutual TLS). */
export const clientCertificateOptions = {
  "--client-certificate <file>":
    "certificate to present to a server that requests one (mutual TLS), with its chain, in PEM; default: CERT_MIGRATION_CLIENT_CERTIFICATE",
  "--client-key <file>":
    "unencrypted private key of the client certificate, in PEM; default: CERT_MIGRATION_CLIENT_KEY",
} as const;

type ClientCertificateOptions = Partial<OptionValues<typeof clientCertificateOptions>>;

export type ConnectionOptions = OptionValues<typeof connectionOptions> & ClientCertificateOptions;

interface Particulars extends HandshakeParticulars {
  /** Kind of TLS client. @default "modern" */
  readonly client?: ClientKind;
}

export interface Connections {
  readonly rehearsal: RehearsalRoute | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Every trusted root certificate, in PEM. `undefined` if the machine adds roots that cannot be listed. */
  readonly trusted: readonly string[] | undefined;
  /**
   * Makes one connection to the place that answers for the address. Rejects only if the cloud of a rehearsal has ended.
   */
  readonly shakeHands: (address: string, hostname: string, particulars?: Particulars) => Promise<Handshake>;
}

/**
 * Reads the connection options.
 *
 * @param rootsFor returns further roots to trust for a hostname, in PEM. @default - the same roots for all hostnames
 */
export async function readConnections(
  options: ConnectionOptions,
  io: Io,
  rootsFor: (hostname: string) => readonly string[] = () => [],
): Promise<Connections> {
  const { port, timeout: timeoutMs, concurrency } = options;
  const roots = await readRoots(options.ca, io);
  const identity = await readClientCertificate(options, io);
  const rehearsal = await readRehearsalRoute(io);
  const { createClients, shakeHands } = load.verify();
  const further = rehearsal === undefined ? roots : [...roots, rehearsal.trustBundle];
  const isNodesOwn = io.env.NODE_EXTRA_CA_CERTS === undefined && !usesStoreOfSystem(io);
  const trusted = further.length > 0 ? [...rootCertificates, ...further] : isNodesOwn ? rootCertificates : undefined;
  // Every connection adds a listener to the signal.
  setMaxListeners(0, io.signal);
  const clients = createClients(further.length === 0 ? undefined : trusted, identity);
  const clientsWith = new Map<string, typeof clients>();
  const clientsFor = (hostname: string) => {
    const hostnameRoots = rootsFor(hostname);
    if (hostnameRoots.length === 0) return clients;
    const key = hostnameRoots.join("");
    const found = clientsWith.get(key) ?? createClients([...(trusted ?? rootCertificates), ...hostnameRoots], identity);
    clientsWith.set(key, found);
    return found;
  };
  return {
    rehearsal,
    concurrency,
    timeoutMs,
    trusted,
    shakeHands: releasingMemory(async (address, hostname, { client = "modern", ...particulars }: Particulars = {}) => {
      const place = rehearsal === undefined ? { address, port } : await rehearsal.locate(address, port);
      const { signal } = io;
      return shakeHands({
        ...place,
        hostname,
        timeoutMs,
        signal,
        secureContext: clientsFor(hostname)(client),
        ...particulars,
      });
    }),
  };
}

/**
 * Returns the connection of a client that sends no SNI, or a name that no plan has; names are not checked. If the cloud
 * of a rehearsal has ended, the handshake fails, so that earlier results are still reported.
 */
export function fallbackClient({ shakeHands }: Connections) {
  return (address: string, serverName: string | null): Promise<Handshake> =>
    shakeHands(address, address, { serverName, confirm: false }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      return { ok: false, code: "unreachable", detail: error.message };
    });
}

const clientSources = {
  options: ["--client-certificate", "--client-key"],
  environment: ["CERT_MIGRATION_CLIENT_CERTIFICATE", "CERT_MIGRATION_CLIENT_KEY"],
} as const;

/** Reads the client certificate that the options name, otherwise the one that the environment names. */
async function readClientCertificate({ clientCertificate, clientKey }: ClientCertificateOptions, io: Io) {
  const isOption = clientCertificate !== undefined || clientKey !== undefined;
  const [certificateSource, keySource] = isOption ? clientSources.options : clientSources.environment;
  const certificateFile = isOption ? clientCertificate : io.env[certificateSource] || undefined;
  const keyFile = isOption ? clientKey : io.env[keySource] || undefined;
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined || keyFile === undefined) {
    const [given, missing] = keyFile === undefined ? [certificateSource, keySource] : [keySource, certificateSource];
    throw new InputError("client-certificate-incomplete", `${given} needs ${missing} as well`);
  }
  const cert = await readTextFile(certificateFile, certificateSource, io);
  const key = await readTextFile(keyFile, keySource, io);
  const { keyMatches } = load.x509();
  const match = keyMatches(cert, key);
  if (match === "matches") return { cert, key };
  const why = { differs: "is the key of another certificate", encrypted: "is encrypted", unreadable: "can't be read" };
  const message = `${keySource} ${quote(keyFile)} ${why[match]}; use a certificate in PEM and its unencrypted key`;
  throw new InputError("client-certificate-unusable", message);
}

/** Returns whether Node was started with the trust store of the system's own library. */
function usesStoreOfSystem({ env }: Io): boolean {
  return [...process.execArgv, env.NODE_OPTIONS ?? ""].some((option) => /--use-(?:openssl|system)-ca/.test(option));
}
