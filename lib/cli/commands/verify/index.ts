import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../errors";
import type { VerifyResult } from "../../migrate";
import type { Command, ExitCode, Invocation, Io } from "../command";
import { readCount, readDuration } from "../duration";
import { readTextFile } from "../files";
import { safe } from "../text";

export const verifyCommand: Command = {
  name: "verify",
  summary: "verify that the load balancer serves every hostname",
  description:
    "Connects to each address of the load balancer and asks for each hostname by SNI, as clients will once traffic has moved; DNS is not asked. Chain, dates and name have to be right several times in a row, since fronts take changes over one after the other. It only looks.",
  options: [
    {
      flags: "--hostname <name>",
      description: "a name to ask for; wildcards by a random label; may be repeated",
      repeatable: true,
    },
    { flags: "--address <ip>", description: "an address of the load balancer; may be repeated", repeatable: true },
    {
      flags: "--stack <folder>",
      description: "take names and addresses from a synthesized stack, as in cdktf.out/stacks/prod",
    },
    { flags: "--migration <path>", description: "one migration of the stack, by its construct path" },
    { flags: "--port <port>", description: "port of the load balancer", default: "443" },
    { flags: "--ca <file>", description: "further roots to trust, in PEM" },
    { flags: "--repeat <count>", description: "good handshakes in a row", default: "3" },
    { flags: "--within <time>", description: "how long names may take to become good", default: "10m" },
    { flags: "--timeout <time>", description: "how long one handshake may take", default: "10s" },
    { flags: "--concurrency <count>", description: "connections at once", default: "64" },
    { flags: "--json", description: "print the results as JSON" },
  ],
  examples: [
    { command: "cert-migration verify --hostname example.com --address 203.0.113.7", what: "one name" },
    { command: "cert-migration verify --stack cdktf.out/stacks/prod", what: "all names of a stack" },
  ],
  exitCodes: { 4: "a name is not served as it should be, or the run was stopped before the end" },
  run: runVerify,
};

async function runVerify({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { createSecureContext } = require("node:tls") as typeof import("node:tls");
  const { rootCertificates } = require("node:tls") as typeof import("node:tls");
  const { readStackTargets, shakeHands, verifyServing } = require("../../migrate") as typeof import("../../migrate");
  const given = { hostnames: options.hostname as readonly string[], addresses: options.address as readonly string[] };
  const targets =
    typeof options.stack === "string"
      ? readStackTargets(options.stack, options.migration as string | undefined)
      : given;
  const hostnames = given.hostnames.length > 0 ? given.hostnames : targets.hostnames;
  const addresses = given.addresses.length > 0 ? given.addresses : targets.addresses;
  if (hostnames.length === 0) throw new InputError("hostname-missing", "nothing to verify; give --hostname or --stack");
  if (addresses.length === 0) {
    throw new InputError(
      "address-missing",
      "nowhere to connect to; give --address (in the stack it may be a reference)",
    );
  }
  const rehearsal = await readRehearsal(io);
  const roots = typeof options.ca === "string" ? [await readTextFile(options.ca, "--ca")] : [];
  const further = rehearsal === undefined ? roots : [...roots, rehearsal.trustBundle];
  const ca = further.length === 0 ? undefined : [...rootCertificates, ...further];
  const secureContext = createSecureContext(ca === undefined ? {} : { ca });
  const port = readCount(options.port as string, "--port", 65_535);
  const timeoutMs = readDuration(options.timeout as string, "--timeout");
  const results = await verifyServing({
    hostnames,
    addresses,
    shakeHands: async (address, hostname) => {
      const target = rehearsal === undefined ? { address, port } : await rehearsal.locate(address, port);
      return shakeHands({ ...target, hostname, timeoutMs, secureContext });
    },
    repeat: readCount(options.repeat as string, "--repeat", 1_000),
    withinMs: readDuration(options.within as string, "--within"),
    concurrency: readCount(options.concurrency as string, "--concurrency", 1_000),
    signal: io.signal,
    now: () => io.now().getTime(),
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal });
    },
    random: Math.random,
    onResult: (result) => {
      if (!result.ok) io.stderr.write(`${safe(lineOf(result))}\n`);
    },
  });
  const total = hostnames.length * addresses.length;
  const good = results.filter(({ ok }) => ok).length;
  if (options.json === true) io.stdout.write(`${JSON.stringify({ ok: good === total, results }, undefined, 2)}\n`);
  else for (const result of results) io.stdout.write(`${safe(lineOf(result))}\n`);
  io.stderr.write(`${good} of ${total} are served as they should be\n`);
  return good === total ? 0 : 4;
}

interface Rehearsal {
  /** PEM of the cloud's authority. */
  readonly trustBundle: string;
  /** Where on this machine an address is answered. */
  readonly locate: (address: string, port: number) => Promise<{ readonly address: string; readonly port: number }>;
}

/** In a rehearsal the load balancer's addresses are answered on this machine; its cloud knows where. */
async function readRehearsal(io: Io): Promise<Rehearsal | undefined> {
  const control = io.env.CERT_MIGRATION_REHEARSAL;
  if (control === undefined) return undefined;
  const { createHttpClient } = require("../../http") as typeof import("../../http");
  const http = createHttpClient();
  const ask = async (what: string) =>
    JSON.parse(
      (
        await http.send({
          method: "GET",
          url: `${control}${what}`,
          purpose: "asking the rehearsal cloud",
          signal: io.signal,
        })
      ).text,
    );
  const { trustBundle } = (await ask("endpoints")) as { readonly trustBundle: string };
  io.stderr.write("this is a rehearsal: addresses are those of this machine\n");
  return {
    trustBundle,
    locate: async (address, port) => {
      const listeners = (await ask("listeners")) as readonly {
        readonly ipAddress: string;
        readonly port: number;
        readonly listen: string;
      }[];
      const found = listeners.find((listener) => listener.ipAddress === address && listener.port === port);
      const match = /^\[?(.*?)\]?:(\d+)$/.exec(found?.listen ?? "");
      // Port 1 of the loopback refuses, as an address would at which nothing listens.
      return match === null ? { address: "127.0.0.1", port: 1 } : { address: match[1] ?? "", port: Number(match[2]) };
    },
  };
}

function lineOf(result: VerifyResult): string {
  const where = `${result.hostname} at ${result.address}`;
  if (!result.ok) return `${where}: ${result.code} (${result.detail}) - ${result.remedy}`;
  return `${where}: ok, ${result.protocol}, until ${result.certificate.notAfter.slice(0, 10)}, ${result.certificate.issuer}`;
}
