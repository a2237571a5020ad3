import { InputError } from "../../errors";
import { waitVariables } from "../../gate-call";
import type { ResourceState, WaitResult, WaitSettings } from "../../live/wait";
import { parseMapEntryName } from "../../resource-names";
import type { SourceResource } from "../../source";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { ExitCode, Io } from "../command";
import { defineCommand, type OptionValues, value, values } from "../declare";
import { sleep, wordsFor } from "../duration";
import { fromEnvironmentOption, readWaitVariables, runGate } from "../gate-environment";
import * as load from "../load";
import { endpointOf, endpointOption } from "../options";
import { createProgress } from "../progress";
import { hasSource, readSource, sourceOptions } from "../source";
import { writeLine } from "../text";
import { duration, oneOf } from "../value-types";
import { closeOnTerminal, writeVerdict } from "../verdict";

const waitOptions = {
  ...sourceOptions,
  "--for <what>": value(oneOf("certificates", "entries"), "what to wait for", "certificates"),
  "--certificate <name>": values("projects/P/locations/L/certificates/C"),
  "--entry <name>": values("projects/P/locations/global/certificateMaps/M/certificateMapEntries/E"),
  "--timeout <time>": value(duration(), "maximum time to wait, for example 90s, 60m or 2h", "60m"),
  ...fromEnvironmentOption(waitVariables),
  ...endpointOption,
  "--json": "print the state of each certificate or entry as JSON at the end",
};

type WaitOptions = OptionValues<typeof waitOptions>;

export const command = defineCommand({
  description:
    "Waits until every certificate is ACTIVE, and ends at once when one is FAILED, with the reason for each domain and what to do. It changes nothing, and sends two to four list requests per minute for each project and location. With --for entries it waits for map entries instead. The gate 'wait' of the constructs runs it for each new certificate. Credentials: application default.",
  options: waitOptions,
  json: "verdict, resources",
  examples: {
    "cert-migration wait --certificate projects/my-project/locations/global/certificates/shop":
      "until one certificate is active",
    "terraform output -json | cert-migration wait --outputs - --timeout 2h --quiet": "in a pipeline, after an apply",
    "cert-migration wait --stack cdktf.out/stacks/shop --project my-project --for entries":
      "until every map entry of a stack is active",
  },
  exitCodes: {
    4: "a certificate is FAILED",
    5: "the timeout was reached, or the wait was interrupted; run the command again to continue",
  },
  run: (invocation, io) =>
    runGate(invocation, replacedOptions, readWaitVariables, io, async (options, gateIo) => {
      const result = await waitFor(options, await readNames(options, gateIo), gateIo);
      if (options.json) gateIo.stdout.write(invocation.json({ ...result }, 0));
      return report(result, options.for, gateIo);
    }),
});

/** Options that `--from-environment` replaces. */
const replacedOptions = ["spec", "stack", "outputs", "migration", "for", "certificate", "entry", "timeout"] as const;

async function waitFor(options: WaitOptions, names: readonly string[], io: Io): Promise<WaitResult> {
  const { for: kind, timeout: timeoutMs } = options;
  const { certificateReader, resourceLister } = load.google();
  const { waitForCertificates, waitForEntries } = load.wait();
  const endpoint = endpointOf(options, io);
  const startedAt = io.now().getTime();
  const progress = createProgress(io, { noun: nounsOf[kind] });
  let resources: readonly ResourceState[] = [];
  const showProgress = () => {
    const active = resources.filter(({ state }) => state === "ACTIVE").length;
    progress.update(active, names.length, undefined, () => {
      return `${wordsFor(io.now().getTime() - startedAt)} of ${wordsFor(timeoutMs)}`;
    });
  };
  showProgress();
  const settings: WaitSettings = {
    timeoutMs,
    signal: io.signal,
    now: () => io.now().getTime(),
    sleep,
    random: Math.random,
    onChange: (resource) => {
      for (const line of linesOf(resource)) progress.line(line);
    },
    onPoll: (known) => {
      resources = known;
      showProgress();
    },
    onRetry: (error) => progress.line(`${error.message}; asking again [${error.code}]`),
  };
  try {
    return kind === "entries"
      ? await waitForEntries(resourceLister(endpoint), { ...settings, entries: names })
      : await waitForCertificates(certificateReader(endpoint), { ...settings, certificates: names });
  } finally {
    progress.end();
  }
}

const nounsOf: Readonly<Record<"certificates" | "entries", readonly [one: string, many: string]>> = {
  certificates: ["certificate", "certificates"],
  entries: ["entry", "entries"],
};

function report({ verdict, resources }: WaitResult, kind: WaitOptions["for"], io: Io): ExitCode {
  const all = countOf(resources.length, ...nounsOf[kind]);
  if (verdict === "active") {
    closeOnTerminal({ state: "done", headline: `${resources.length} of ${all} active` }, io);
    return 0;
  }
  const open = resources.filter(({ state }) => state !== "ACTIVE");
  const failed = open.filter(({ state }) => state === "FAILED").length;
  const outcome = {
    failed: { state: "failed", headline: `${failed} of ${all} failed` },
    "timed-out": { state: "waiting", headline: `${open.length} of ${all} not active in time` },
    stopped: { state: "stopped", headline: `${open.length} of ${all} not active when the wait was stopped` },
  } as const;
  // The latest changes were already printed when they happened, except with `--quiet`.
  if (io.quiet === true) for (const line of open.flatMap(linesOf)) writeLine(line, io, "stderr");
  const isKnown = resources.some(({ state }) => state !== "UNKNOWN");
  const rest = isKnown ? "what served before still serves" : "and nothing is known of them: no request was answered";
  writeVerdict({ ...outcome[verdict], rest: `; nothing was changed, ${rest}` }, io, "stderr");
  return verdict === "failed" ? 4 : 5;
}

async function readNames(options: WaitOptions, io: Io): Promise<readonly string[]> {
  const kind = options.for;
  const option = kind === "entries" ? "--entry" : "--certificate";
  const named = kind === "entries" ? options.entry : options.certificate;
  refuseOthers(options);
  const migrations = hasSource(options) ? (await readSource(options, io)).migrations : [];
  const planned = migrations.flatMap((migration): readonly SourceResource[] => migration[kind]);
  const names = [...named, ...planned.flatMap(({ id }) => id ?? [])];
  if (planned.some(({ id }) => id === undefined)) {
    throw new InputError("project-unknown", `the project of the ${kind} is not known; give --project, or --outputs`);
  }
  if (names.length === 0) {
    const code = kind === "entries" ? "entry-missing" : "certificate-missing";
    throw new InputError(code, `nothing to wait for; give ${option}, or --spec, --stack or --outputs`);
  }
  const malformed = kind === "entries" ? names.filter((name) => parseMapEntryName(name) === undefined) : [];
  if (malformed.length > 0) {
    throw new InputError(
      malformed.map((name) => ({
        code: "entry-name-malformed",
        message: `${quote(name)} is not the name of an entry; use projects/PROJECT/locations/global/certificateMaps/MAP/certificateMapEntries/NAME`,
      })),
    );
  }
  return [...new Set(names)];
}

/** Refuses names of the other kind: a wait for the wrong resources would end too early. */
function refuseOthers({ certificate, entry, for: kind }: WaitOptions): void {
  const others = kind === "entries" ? certificate : entry;
  if (others.length === 0) return;
  const [option, meant] = kind === "entries" ? ["--certificate", "certificates"] : ["--entry", "entries"];
  const message = `${option} is given, and '--for ${kind}' waits for none of these; give '--for ${meant}', or leave ${option} out`;
  throw new InputError("kind-mismatch", message);
}

/** Returns one line for at most one reason, otherwise a line for the name and one for each reason. */
function linesOf({ name, state, findings }: ResourceState): readonly string[] {
  const { describeFinding } = load.wait();
  const reasons = findings.map(describeFinding);
  if (reasons.length <= 1) return [[`${name}: ${state}`, ...reasons].join(" - ")];
  return [`${name}: ${state}`, ...reasons.map((reason) => `  ${reason}`)];
}
