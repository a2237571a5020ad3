import { defined } from "../../json/defined";
import type { ProjectInventory } from "../../project-inventory";
import { quote } from "../../text/quote";
import type { Io } from "../command";
import { defineCommand, value } from "../declare";
import { readJsonFile } from "../files";
import * as load from "../load";
import { writeNote } from "../text";
import { checked, freePort } from "../value-types";

const speed = checked(
  "speed-malformed",
  (given) => (/^\d{1,6}(?:\.\d{1,9})?$/.test(given) && Number(given) <= 100_000 ? Number(given) : undefined),
  "is not a number from 0 to 100000",
);

export const command = defineCommand({
  description:
    "Runs Certificate Manager, Cloud DNS with a name server, and the part of Compute Engine that load balancers need, with a certificate authority and real TLS listeners, on loopback addresses. A certificate becomes ACTIVE because its CNAME resolves there, and a handshake is answered because a map entry leads to a certificate. Objects of Cloud Storage can be uploaded, downloaded and deleted, up to 64 MiB each and 256 MiB in total; they are kept in memory, never in the file of --state, and every bucket exists. Without a terminal, or with --json, it prints its addresses and the roots of its CA as one line of JSON. It also serves descriptions of its APIs at /discovery/v1 and the administrators' audit events at /admin/reports; POST /_cloud/activities records an event. It runs until it is stopped.",
  options: {
    "--port <port>": value(freePort, "port of the HTTP services; default: a free port"),
    "--https": "serve over HTTPS too, on a free port; --json prints its address and the CA certificate to trust",
    "--dns-port <port>": value(freePort, "port of the name server; default: a free port"),
    "--state <file>": "save the state in this file, and continue from it if it exists",
    "--speed <factor>": value(
      speed,
      "seconds of the cloud's clock per real second; 0 stops the clock until a step is requested",
      "1",
    ),
    "--faults <file>": "JSON file with the faults to inject",
    "--world <file>": "start with the project in this file: output of 'inventory --project --json'",
    "--json": "print only the endpoints, as JSON",
  },
  json: "http, https?, httpsTrustBundle?, dns, trustBundle, control",
  examples: {
    "cert-migration cloud --port 8080 --speed 60": "a clock that runs 60 times as fast",
    "cert-migration audit tail --endpoint http://127.0.0.1:8080":
      "follow the audit events that POST /_cloud/activities records",
    "cert-migration cloud --world project.json --port 8080":
      "with the load balancers, certificates and zones of a project",
    "cert-migration cloud --state cloud.journal": "keep the state across restarts",
    "cert-migration api list --root-url http://127.0.0.1:8080/":
      "the APIs that the cloud at port 8080 describes under /discovery/v1",
  },
  run: async ({ options, json }, io) => {
    const { startCloud, readFaultPlan } = load.cloud();
    const { state, port, dnsPort } = options;
    const faults =
      options.faults === undefined
        ? undefined
        : readFaultPlan(
            await readJsonFile(options.faults, "--faults", io, "pass a file of faults (docs/rehearsal.md#scenarios)"),
          );
    const world = options.world === undefined ? undefined : await readWorld(options.world, io);
    const cloud = await startCloud({
      speed: options.speed,
      ...defined({ state, world }),
      servers: { https: options.https, ...defined({ port, dnsPort }) },
      behavior: defined({ faults }),
      observers: {
        onUnbound: ({ forwardingRule, error }) =>
          writeNote("forwarding-rule-unanswered", `nothing answers for ${forwardingRule}: ${error.message}`, io),
      },
    });
    try {
      // On a terminal, the JSON is omitted: its page of PEM would hide the two addresses.
      if (options.json || io.stdout.isTTY !== true) io.stdout.write(json({ ...cloud.endpoints }, 0));
      if (!options.json) io.stderr.write(`${introduction(cloud.endpoints.http, cloud.endpoints.dns)}\n`);
      await untilAborted(io.signal);
    } finally {
      await cloud.stop();
    }
    return 0;
  },
});

async function readWorld(file: string, io: Io): Promise<ProjectInventory> {
  const { readProjectInventory } = load.inventoryProject();
  const subject = `--world: ${quote(file)}`;
  const world = readProjectInventory(
    await readJsonFile(file, "--world", io, "pass the output of 'cert-migration inventory --project ID --json'"),
    subject,
  );
  for (const { what, project } of world.unread) {
    const message = `warning: ${subject}: the ${what} of the project ${project} could not be read; the cloud starts without these`;
    writeNote("world-incomplete", message, io);
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
