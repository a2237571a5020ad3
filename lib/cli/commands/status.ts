import type { HostnameStatus, StepState } from "../../migrate";
import type { Command, ExitCode, Invocation, Io } from "../command";
import { readSource, sourceOptions } from "../source";
import { formatTable, safe } from "../text";

export const statusCommand: Command = {
  name: "status",
  summary: "show where every hostname stands in the eight steps",
  description:
    "Shows for each hostname which of the eight steps are done, why the next one is not, and what to do: certificate made, CNAME published, certificate active, entry made, entry active, map attached, served and verified, traffic moved. From what Certificate Manager and DNS say now; the seventh is for the command verify to tell. It only looks.",
  options: [
    ...sourceOptions,
    { flags: "--dns-server <host:port>", description: "ask this name server; else the machine's own" },
    { flags: "--endpoint <url>", description: "another service with the same API; else CERT_MIGRATION_ENDPOINT" },
    { flags: "--json", description: "print JSON" },
  ],
  examples: [
    { command: "cert-migration status --stack cdktf.out/stacks/prod --project my-project", what: "all of a stack" },
    { command: "terraform output -json | cert-migration status --outputs - --json", what: "for a script" },
  ],
  exitCodes: { 4: "a step has failed, and needs mending" },
  run: runStatus,
};

async function runStatus(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { assessStatus, createLookUp, observe } = require("../../migrate") as typeof import("../../migrate");
  const { options } = invocation;
  const { migrations } = await readSource(invocation, io);
  const lookUp = createLookUp(options.dnsServer as string | undefined);
  const { resourceLister } = require("../../google") as typeof import("../../google");
  const lister = resourceLister((options.endpoint as string | undefined) ?? io.env.CERT_MIGRATION_ENDPOINT);
  const hostnames: HostnameStatus[] = [];
  for (const migration of migrations) {
    hostnames.push(...assessStatus(migration, await observe(migration, { lister, lookUp, signal: io.signal })));
  }
  if (options.json === true) io.stdout.write(`${JSON.stringify({ version: 1, hostnames }, undefined, 2)}\n`);
  else printStatus(hostnames, io);
  return hostnames.some(({ steps }) => steps.some(({ state }) => state === "failed")) ? 4 : 0;
}

const marks: Readonly<Record<StepState, string>> = {
  done: "+",
  todo: ".",
  waiting: "~",
  failed: "X",
  unknown: "?",
  none: "-",
};

function printStatus(hostnames: readonly HostnameStatus[], io: Io): void {
  const rows = hostnames.map(({ hostname, steps, current }) => [
    hostname,
    ...steps.map(({ state }) => marks[state]),
    current === undefined ? "" : `${current.name}: ${current.reason ?? current.state}`,
    current?.next ?? "",
  ]);
  const numbers = ["1", "2", "3", "4", "5", "6", "7", "8"];
  io.stdout.write(formatTable(["hostname", ...numbers, "where it stands", "next"], rows));
  io.stderr.write(`${safe("+ done  ~ waiting  . to do  X failed  ? not known  - needless")}\n`);
}
