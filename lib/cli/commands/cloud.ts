import { InputError } from "../../errors";
import type { ProjectInventory } from "../../inventory";
import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { readJsonFile } from "../files";
import { jsonDocument, safe } from "../text";

export const cloudCommand: CommandDetails = {
  description:
    "Runs Certificate Manager, Cloud DNS with a name server, and the part of Compute Engine that load balancers need, with a certificate authority and real TLS listeners, on loopback addresses. A certificate becomes ACTIVE because its CNAME resolves there, and a handshake is answered because a map entry leads to a certificate. Objects of Cloud Storage can be uploaded, downloaded and deleted, up to 64 MiB each and 256 MiB in total; they are kept in memory, never in the file of --state, and every bucket exists. Without a terminal, or with --json, it prints its addresses and the roots of its CA as one line of JSON. It also serves descriptions of its APIs at /discovery/v1 and the administrators' audit events at /admin/reports; POST /_cloud/activities records an event. It runs until it is stopped.",
  options: [
    { flags: "--port <port>", description: "port of the HTTP services; default: a free port" },
    {
      flags: "--https",
      description: "serve over HTTPS too, on a free port; --json prints its address and the CA certificate to trust",
    },
    { flags: "--dns-port <port>", description: "port of the name server; default: a free port" },
    { flags: "--state <file>", description: "save the state in this file, and continue from it if it exists" },
    {
      flags: "--speed <factor>",
      description: "seconds of the cloud's clock per real second; 0 stops the clock until a step is requested",
      default: "1",
    },
    { flags: "--faults <file>", description: "JSON file with the faults to inject" },
    {
      flags: "--world <file>",
      description: "start with the project in this file: output of 'inventory --project --json'",
    },
    { flags: "--json", description: "print only the endpoints, as JSON" },
  ],
  examples: [
    { command: "cert-migration cloud --port 8080 --speed 60", what: "a clock that runs 60 times as fast" },
    {
      command: "cert-migration audit tail --endpoint http://127.0.0.1:8080",
      what: "follow the audit events that POST /_cloud/activities records",
    },
    {
      command: "cert-migration cloud --world project.json --port 8080",
      what: "with the load balancers, certificates and zones of a project",
    },
    { command: "cert-migration cloud --state cloud.journal", what: "keep the state across restarts" },
    {
      command: "cert-migration api list --root-url http://127.0.0.1:8080/",
      what: "the APIs that the cloud at port 8080 describes under /discovery/v1",
    },
  ],
  run: runCloud,
};

async function runCloud({ options }: Invocation, io: Io): Promise<ExitCode> {
  const { startCloud, readFaultPlan } = require("../../cloud") as typeof import("../../cloud");
  const { state, faults, world: file } = options as Readonly<Record<string, string | undefined>>;
  const plan = faults === undefined ? undefined : readFaultPlan(await readJsonFile(faults, "--faults", io));
  const world = file === undefined ? undefined : await readWorld(file, io);
  const port = readPort(options.port, "--port");
  const dnsPort = readPort(options.dnsPort, "--dns-port");
  const cloud = await startCloud({
    speed: readSpeed(options.speed as string),
    ...defined({ port, dnsPort }),
    ...(options.https === true ? { https: true } : {}),
    ...defined({ state, faults: plan, world }),
    onUnbound: ({ forwardingRule, error }) =>
      void io.stderr.write(`${safe(`nothing answers for ${forwardingRule}: ${error.message}`)}\n`),
  });
  try {
    // On a terminal, the JSON is omitted: its page of PEM would hide the two addresses.
    if (options.json === true || io.stdout.isTTY !== true) io.stdout.write(jsonDocument(cloud.endpoints, 0));
    if (options.json !== true) io.stderr.write(`${introduction(cloud.endpoints.http, cloud.endpoints.dns)}\n`);
    await untilAborted(io.signal);
  } finally {
    await cloud.stop();
  }
  return 0;
}

async function readWorld(file: string, io: Io): Promise<ProjectInventory> {
  const { readProjectInventory } = require("../../inventory/project") as typeof import("../../inventory/project");
  const subject = `--world: ${quote(file)}`;
  const world = readProjectInventory(await readJsonFile(file, "--world", io), subject);
  for (const { what, project } of world.unread) {
    io.stderr.write(
      `${safe(`warning: ${subject}: the ${what} of the project ${project} could not be read; the cloud starts without these`)}\n`,
    );
  }
  return world;
}

function introduction(http: string, dns: string): string {
  return [
    `the rehearsal cloud answers at ${http}, its name server at ${dns}; nothing leaves this machine`,
    "with --json it prints these as JSON, with the roots of its certificate authority",
    `try: cert-migration wait --endpoint ${http} --certificate projects/p/locations/global/certificates/c`,
    "Ctrl-C stops it",
  ].join("\n");
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function readPort(value: unknown, option: string): number | undefined {
  if (value === undefined) return undefined;
  const port = Number(value);
  if (/^\d{1,5}$/.test(String(value)) && port < 65_536) return port;
  throw new InputError("port-malformed", `${option} ${quote(String(value))} is not a port; use 0 to 65535`);
}

function readSpeed(value: string): number {
  const speed = Number(value);
  if (/^\d{1,6}(?:\.\d{1,9})?$/.test(value) && speed <= 100_000) return speed;
  throw new InputError("speed-malformed", `--speed ${quote(value)} is not a number from 0 to 100000`);
}
