import { ServiceError } from "../../../errors";
import type { Io } from "../../command";

/** A place to connect to. */
interface Place {
  readonly address: string;
  readonly port: number;
}

/** How addresses are reached in a rehearsal, where load balancers are answered on this machine. */
export interface RehearsalRoute {
  /** PEM of the cloud's authority, and of what the stack uploads itself (CERT_MIGRATION_REHEARSAL_TRUSTED, a file). */
  readonly trustBundle: string;
  /** Name server of the cloud, as in `127.0.0.1:40124`. */
  readonly nameServer: string;
  /** Where on this machine an address is answered. */
  readonly locate: (address: string, port: number) => Promise<Place>;
}

interface Listening {
  readonly ipAddress: string;
  readonly port: number;
  /** `ADDRESS:PORT`, the address in brackets where it is one of IPv6. */
  readonly listen: string;
}

/** Forwarding rules come and go in a rehearsal, but not within one. */
const listenersAgeMs = 500;

/**
 * The way of a rehearsal, where the environment says that this is one (CERT_MIGRATION_REHEARSAL, the control address of its cloud).
 *
 * @throws ServiceError where its cloud does not answer
 */
export async function readRehearsalRoute(io: Io): Promise<RehearsalRoute | undefined> {
  const control = io.env.CERT_MIGRATION_REHEARSAL;
  if (control === undefined || control === "") return undefined;
  const { createHttpClient } = require("../../../http") as typeof import("../../../http");
  const http = createHttpClient();
  const ask = async (what: string): Promise<unknown> => {
    const purpose = "asking the rehearsal cloud";
    const { text } = await http.send({ method: "GET", url: `${control}${what}`, purpose, signal: io.signal });
    try {
      return JSON.parse(text);
    } catch (cause) {
      const message = `${purpose}: CERT_MIGRATION_REHEARSAL leads to something else; unset it, or take what 'cert-migration cloud' prints`;
      throw new ServiceError(message, { code: "answer-malformed", retryable: false, cause });
    }
  };
  const endpoints = (await ask("endpoints")) as { readonly trustBundle: string; readonly dns: string };
  io.stderr.write("this is a rehearsal: addresses are those of this machine\n");
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
      // An address of this machine is what it is. Port 1 of the loopback refuses, as an address would at which nothing listens.
      return isLoopback(address) ? { address, port } : { address: "127.0.0.1", port: 1 };
    },
  };
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
