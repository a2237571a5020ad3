import { ServiceError } from "../../../errors";
import { canonicalAddress } from "../../../hostnames";
import type { Io } from "../../command";
import * as load from "../../load";

interface Place {
  readonly address: string;
  readonly port: number;
}

/** Maps addresses in a rehearsal to this machine, which answers for the load balancers. */
export interface RehearsalRoute {
  /**
   * PEM of the cloud's CA, and of the certificates that the stack uploads itself (CERT_MIGRATION_REHEARSAL_TRUSTED, a
   * file).
   */
  readonly trustBundle: string;
  /** Name server of the cloud, as in `127.0.0.1:40124`. */
  readonly nameServer: string;
  /** Returns the place on this machine that answers for an address. */
  readonly locate: (address: string, port: number) => Promise<Place>;
}

interface Listening {
  readonly ipAddress: string;
  readonly port: number;
  /** `ADDRESS:PORT`, with brackets around an IPv6 address. */
  readonly listen: string;
}

/**
 * Maximum age of the cached list of listeners, in milliseconds. Forwarding rules change during a rehearsal, but not
 * within this time.
 */
const listenersAgeMs = 500;

/**
 * Returns the route of a rehearsal if the environment names one (CERT_MIGRATION_REHEARSAL, the control address of its
 * cloud).
 */
export async function readRehearsalRoute(io: Io): Promise<RehearsalRoute | undefined> {
  const ask = askerOf(io);
  if (ask === undefined) return undefined;
  const endpoints = (await ask("endpoints")) as { readonly trustBundle: string; readonly dns: string };
  io.stderr.write("this is a rehearsal: addresses are those of this machine\n");
  const previous = readPrevious(io.env.CERT_MIGRATION_REHEARSAL_PREVIOUS);
  let known: { readonly at: number; readonly listeners: Promise<readonly Listening[]> } | undefined;
  const listeners = () => {
    const at = io.now().getTime();
    if (known === undefined || at - known.at > listenersAgeMs) {
      known = { at, listeners: ask("listeners") as Promise<readonly Listening[]> };
    }
    return known.listeners;
  };
  return {
    trustBundle: `${endpoints.trustBundle}${await readUploaded(io)}`,
    nameServer: endpoints.dns,
    locate: async (address, port) => {
      const found = (await listeners()).find((listener) => listener.ipAddress === address && listener.port === port);
      const match = /^\[?(.*?)\]?:(\d+)$/.exec(found?.listen ?? "");
      if (match !== null) return { address: match[1] ?? "", port: Number(match[2]) };
      if (port === 443 && previous.addresses.has(address)) return previous.listener;
      // Loopback addresses stay unchanged. For other addresses, port 1 of the loopback refuses, as an address without a
      // listener does.
      return isLoopback(address) ? { address, port } : { address: "127.0.0.1", port: 1 };
    },
  };
}

/**
 * Returns the time of the service, which decides what is due. In a rehearsal it is the time of its cloud, which may be
 * months ahead of this machine.
 */
export async function serviceTime(io: Io): Promise<Date> {
  const clock = (await askerOf(io)?.("clock")) as { readonly now: string } | undefined;
  return clock === undefined ? io.now() : new Date(clock.now);
}

/** Returns a function that asks the control address of the rehearsal's cloud; undefined outside of rehearsals. */
function askerOf({ env, signal }: Io): ((what: string) => Promise<unknown>) | undefined {
  const control = env.CERT_MIGRATION_REHEARSAL;
  if (control === undefined || control === "") return undefined;
  const http = load.http().createHttpClient();
  return async (what) => {
    const purpose = "asking the rehearsal cloud";
    const { text } = await http.send({ method: "GET", url: `${control}${what}`, purpose, signal });
    try {
      return JSON.parse(text);
    } catch (cause) {
      const message = `${purpose}: CERT_MIGRATION_REHEARSAL leads to something else; unset it, or take what 'cert-migration cloud' prints`;
      throw new ServiceError(message, { code: "answer-malformed", retryable: false, cause });
    }
  };
}

/**
 * Reads the place of the previous provider, as {@link previousVariable} writes it.
 *
 * @param value `HOST:PORT,ADDRESS,…`; without a value, no address belongs to the previous provider
 */
function readPrevious(value = ""): { readonly listener: Place; readonly addresses: ReadonlySet<string> } {
  const [listener = "", ...addresses] = value.split(",");
  const [address = "", port] = listener.split(":");
  return { listener: { address, port: Number(port) }, addresses: new Set(addresses.map(canonicalAddress)) };
}

/** Returns the value of CERT_MIGRATION_REHEARSAL_PREVIOUS. */
export function previousVariable(listener: string, addresses: readonly string[]): string {
  return [listener, ...addresses].join(",");
}

async function readUploaded({ env, signal }: Io): Promise<string> {
  const file = env.CERT_MIGRATION_REHEARSAL_TRUSTED;
  if (file === undefined || file === "") return "";
  const { readTextFile } = require("../../files") as typeof import("../../files");
  return readTextFile(file, "CERT_MIGRATION_REHEARSAL_TRUSTED", { signal });
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
