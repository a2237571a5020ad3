import { promises as dns } from "node:dns";
import { createCertificateManagerClient } from "../lib/google/client";
import { createHttpClient } from "../lib/http";
import { connectTls } from "./connect";
import type { Journal } from "./journal";
import type { Identity } from "./normalize";
import { resolveAt } from "./rehearsal-side";
import { Side, type Transport } from "./side";
import { httpTransport } from "./transport";

export interface GoogleOptions {
  readonly identity: Identity;
  readonly journal: Journal;
  readonly endpoint?: string;
  readonly signal?: AbortSignal;
  readonly around?: (transport: Transport) => Transport;
  /** @default - a timer that ends with the signal */
  readonly wait?: (ms: number) => Promise<void>;
  /** Name server for look-ups. @default - the name servers of the zone */
  readonly nameServer?: string;
}

/** Google Cloud as a side, with application default credentials and the machine's clock. */
export function createGoogleSide(options: GoogleOptions): Side {
  const { identity, journal, endpoint, signal, around = (transport) => transport } = options;
  const http = createHttpClient({ userAgent: "cert-migration-conformance", limits: { deadlineMs: 300_000 } });
  const credentials = applicationDefaultCredentials();
  const parts = { ...(signal === undefined ? {} : { signal }) };
  const side: Side = new Side({
    kind: "google",
    identity,
    endpoint,
    transport: around(httpTransport({ http, credentials, isRetried: true, ...parts })),
    journal,
    now: () => new Date(),
    wait: options.wait ?? ((ms) => waitUnlessAborted(ms, signal)),
    resolve: async (name, type) => resolveAt(options.nameServer ?? (await nameServerOf(side)))(name, type),
    handshake: (input) => connectTls({ host: input.address, port: input.port ?? 443 }, input),
    ...parts,
  });
  return side;
}

/** Returns the headers of application default credentials, which the commands use as well. */
function applicationDefaultCredentials(): (url: string) => Promise<Readonly<Record<string, string>>> {
  let client: ReturnType<typeof createCertificateManagerClient> | undefined;
  return async (url) => {
    client ??= createCertificateManagerClient();
    return Object.fromEntries(await client.auth.getRequestHeaders(url));
  };
}

/** Returns the address of a name server of the zone, so that no cache hides a change. */
function nameServerOf(side: Side): Promise<string> {
  return side.once("address of a name server", async () => {
    const zone = await side.make("dns.managedZones.get", { project: side.project, managedZone: side.zone });
    const [name = ""] = (zone.nameServers ?? []) as readonly string[];
    const [address = ""] = await dns.resolve4(name.replace(/\.$/, ""));
    return address;
  });
}

function waitUnlessAborted(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
