import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchVerdict } from "../../lib/live/watch";
import type { Side } from "../side";
import { makeFolder, migrationText, type TrialInput } from "./folder";
import { plannedResources } from "./planned-resources";

/** Result of a program. */
interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
}

/** A program that runs in the background. */
export interface Running {
  /** Ends when the program does, or was stopped. */
  readonly ended: Promise<Ended>;
  readonly stop: () => void;
}

/** What a trial takes from outside. */
export interface TrialParts {
  readonly side: Side;
  /** Folder of this trial; must not exist. */
  readonly folder: string;
  readonly previousAddress?: string | undefined;
  readonly providerVersion?: string | undefined;
  /** Words that start `cert-migration`. */
  readonly command: readonly string[];
  /** `terraform` or `tofu`. */
  readonly terraform: string;
  /** Starts a program in the folder. */
  readonly start: (words: readonly string[]) => Running;
  /** Stops the trial. */
  readonly signal: AbortSignal;
  /** Name server for commands. @default - the name servers of the zone and public resolvers */
  readonly dnsServer?: string;
  /** Options of every watch. */
  readonly watchSettings: readonly string[];
  /** Options of the last watch, which ends when all traffic has moved and stayed good. */
  readonly watchOptions: readonly string[];
  readonly out: (text: string) => void;
}

/** A step that failed. What exists is deleted, and the report has what was seen. */
class StepError extends Error {}

/**
 * Migrates one hostname as a user does, with the commands of the package and Terraform: deploys it, moves traffic,
 * rolls back, moves it again and destroys everything. A hostname without a previous provider is not rolled back,
 * because its record would have to be deleted. Writes `report.html`.
 *
 * @returns whether each step succeeded and no handshake failed
 */
export async function runTrial(parts: TrialParts): Promise<boolean> {
  const { out, signal, previousAddress } = parts;
  const input = await prepare(parts);
  makeFolder(parts.folder, input, parts.command);
  const tools = toolsOf(parts, input);
  let isGood = false;
  try {
    await tools.deploy("deploy: authorization, certificate, map, entry, proxy and forwarding rule", "previous");
    await tools.verify();
    if (previousAddress !== undefined) {
      // Whether the watch still sees the rollback depends on the TTL of the record.
      await tools.watched("rollback", ["--until", "stopped"], ["moved", "not-moved"], async (watch) => {
        await tools.deploy("move traffic to the load balancer", "loadBalancer");
        await tools.deploy("roll back", "previous");
        watch.stop();
      });
    }
    await tools.watched("move", parts.watchOptions, ["good"], () =>
      tools.deploy("move traffic for good", "loadBalancer"),
    );
    await tools.keepStatus();
    isGood = true;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    out(`${error.message}\n`);
  } finally {
    // A stopped trial is deleted by the journal: no further program is started.
    if (!signal.aborted) await tools.destroy();
  }
  return !signal.aborted && (await tools.report()) && isGood;
}

/** Returns the hostname that a trial migrates. */
export function trialHostname(side: Pick<Side, "name" | "host">): string {
  return side.host(side.name("trial"));
}

/** Creates what a user has before a migration: an address, a URL map, and the record of the previous provider. */
async function prepare({ side, previousAddress, providerVersion }: TrialParts): Promise<TrialInput> {
  const { project, zone, identity } = side;
  // Names of certificates and entries are derived from the hostname: they have the prefix of the run as well.
  const hostname = trialHostname(side);
  const [address, urlMap] = [side.name("trial-address"), side.name("trial-urls")];
  await side.run("compute.globalAddresses.insert", { project }, { name: address });
  const { address: ipv4Address } = await side.make("compute.globalAddresses.get", { project, address });
  const defaultUrlRedirect = { httpsRedirect: true, stripQuery: false, redirectResponseCode: "FOUND" };
  await side.run("compute.urlMaps.insert", { project }, { name: urlMap, defaultUrlRedirect });
  if (previousAddress !== undefined) {
    const record = { name: `${hostname}.`, type: "A", ttl: 60, rrdatas: [previousAddress] };
    await side.run("dns.changes.create", { project, managedZone: zone }, { additions: [record] });
  }
  const { domain, prefix: name } = identity;
  const common = { project, name, hostname, domain, zone, urlMap, ipv4Address: String(ipv4Address) };
  return { ...common, previousAddress, providerVersion };
}

/** Returns the verdict in the last line of the log of a watch. */
function verdictOf(log: string): string | undefined {
  if (!existsSync(log)) return undefined;
  const { verdict } = JSON.parse(readFileSync(log, "utf8").trim().split("\n").at(-1) ?? "{}") as {
    readonly verdict?: string;
  };
  return verdict;
}

function toolsOf(parts: TrialParts, input: TrialInput) {
  const { side, folder, command, terraform, start, out } = parts;
  const inputsOfReport: string[] = [];
  const cli = (...words: readonly string[]) => [...command, ...words];
  const dns = parts.dnsServer === undefined ? [] : ["--dns-server", parts.dnsServer];
  const shown = (words: readonly string[]) =>
    (words[0] === command[0] ? ["cert-migration", ...words.slice(command.length)] : words).join(" ");
  const run = async (words: readonly string[]): Promise<string> => {
    const { exitCode, stdout } = await start(words).ended;
    if (exitCode !== 0) throw new StepError(`failed with exit code ${exitCode}: ${shown(words)}`);
    return stdout;
  };
  /** Deploys the migration as a pipeline does: module, plan, checks of the plan, apply. */
  const deploy = async (what: string, to: "previous" | "loadBalancer") => {
    out(`${what}\n`);
    writeFileSync(join(folder, "migration.yaml"), migrationText(input, to));
    await run(cli("synth", "--spec", "migration.yaml", "--out", "certificates", "--root-blocks", "imports.tf.json"));
    await run([terraform, "init", "-input=false"]);
    await run([terraform, "plan", "-input=false", "-out=tfplan"]);
    const plan = await run([terraform, "show", "-json", "tfplan"]);
    writeFileSync(join(folder, "tfplan.json"), plan);
    await run(cli("check-plan", "tfplan.json"));
    const planned = plannedResources(plan, side.identity, input.hostname);
    for (const resource of planned) side.journal.creating(resource);
    await run([terraform, "apply", "-input=false", "tfplan"]);
    for (const resource of planned) side.journal.answered(resource);
  };
  const verify = async () => {
    out("verify before traffic moves\n");
    const { project, ipv4Address } = input;
    await run(cli("verify", "--spec", "migration.yaml", "--project", project, "--address", ipv4Address));
  };
  /**
   * Watches the hostname during an action, up to the end of the watch.
   *
   * @param accepted verdicts of the watch with which the trial goes on
   */
  const watched = async (
    word: string,
    options: readonly string[],
    accepted: readonly WatchVerdict[],
    act: (watch: Running) => Promise<void>,
  ) => {
    // A copy, because the action writes migration.yaml.
    writeFileSync(join(folder, "before.yaml"), migrationText(input, "previous"));
    const log = `watch-${word}.jsonl`;
    const words = cli("watch", "--spec", "before.yaml", "--log", log, ...dns, ...parts.watchSettings, ...options);
    const watch = start(words);
    inputsOfReport.push("--watch", log);
    try {
      await act(watch);
    } catch (error) {
      watch.stop();
      throw error;
    } finally {
      await watch.ended;
    }
    const { exitCode } = await watch.ended;
    const verdict = verdictOf(join(folder, log));
    if (accepted.some((each) => each === verdict)) return;
    throw new StepError(`verdict ${verdict ?? "missing"}, exit code ${exitCode}: ${shown(words)}`);
  };
  const keepStatus = async () => {
    const words = ["--spec", "migration.yaml", "--project", input.project, "--verify-now", ...dns, "--json"];
    const status = await run(cli("status", ...words));
    writeFileSync(join(folder, "status.json"), status);
    inputsOfReport.push("--status", "status.json");
  };
  const destroy = async () => {
    out("destroy\n");
    const { exitCode } = await start([terraform, "destroy", "-input=false", "-auto-approve"]).ended;
    if (exitCode !== 0) out("the destroy failed; what is left is deleted by the journal\n");
  };
  const report = async () => {
    if (inputsOfReport.length === 0) return false;
    const title = ["--title", `Trial of ${input.hostname}`];
    const { exitCode } = await start(cli("report", ...inputsOfReport, ...title, "--out", "report.html")).ended;
    if (exitCode === 0) out(`report: ${join(folder, "report.html")}\n`);
    return exitCode === 0;
  };
  return { deploy, verify, watched, keepStatus, destroy, report };
}
