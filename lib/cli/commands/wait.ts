import { InputError } from "../../errors";
import type { ResourceState, WaitResult, WaitSettings } from "../../live/wait";
import { parseMapEntryName } from "../../resource-names";
import type { SourceResource } from "../../source";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import { readDuration, sleep, wordsFor } from "../duration";
import { endpointOf, endpointOption } from "../options";
import { createProgress } from "../progress";
import { hasSource, readSource, sourceOptions } from "../source";
import { jsonDocument, safe } from "../text";

export const waitCommand: CommandDetails = {
  description:
    "Waits until every certificate is ACTIVE, and ends at once when one is FAILED, with the reason for each domain and what to do. It changes nothing, and sends two to four list requests per minute for each project and location. With --for entries it waits for map entries instead. The gate 'wait' of the constructs runs it for each new certificate. Credentials: application default.",
  options: [
    ...sourceOptions,
    {
      flags: "--for <what>",
      description: "what to wait for",
      choices: ["certificates", "entries"],
      default: "certificates",
    },
    { flags: "--certificate <name>", description: "projects/P/locations/L/certificates/C", repeatable: true },
    {
      flags: "--entry <name>",
      description: "projects/P/locations/global/certificateMaps/M/certificateMapEntries/E",
      repeatable: true,
    },
    { flags: "--timeout <time>", description: "maximum time to wait, for example 90s, 60m or 2h", default: "60m" },
    endpointOption,
    { flags: "--json", description: "print the state of each certificate or entry as JSON at the end" },
  ],
  examples: [
    {
      command: "cert-migration wait --certificate projects/my-project/locations/global/certificates/shop",
      what: "until one certificate is active",
    },
    {
      command: "terraform output -json | cert-migration wait --outputs - --timeout 2h --quiet",
      what: "in a pipeline, after an apply",
    },
    {
      command: "cert-migration wait --stack cdktf.out/stacks/shop --project my-project --for entries",
      what: "until every map entry of a stack is active",
    },
  ],
  exitCodes: {
    4: "a certificate is FAILED",
    5: "the timeout was reached, or the wait was interrupted; run the command again to continue",
  },
  run: runWait,
};

async function runWait(invocation: Invocation, io: Io): Promise<ExitCode> {
  const { options } = invocation;
  const kind = options.for as "certificates" | "entries";
  const names = await readNames(invocation, kind, io);
  const timeoutMs = readDuration(options.timeout as string, "--timeout");
  const { certificateReader, resourceLister } = require("../../google") as typeof import("../../google");
  const { waitForCertificates, waitForEntries } = require("../../live/wait") as typeof import("../../live/wait");
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
    onRetry: (error) => progress.line(`${error.message}; asking again`),
  };
  try {
    const result =
      kind === "entries"
        ? await waitForEntries(resourceLister(endpoint), { ...settings, entries: names })
        : await waitForCertificates(certificateReader(endpoint), { ...settings, certificates: names });
    progress.end();
    return report(result, kind, options.json === true, io);
  } finally {
    progress.end();
  }
}

const nounsOf: Readonly<Record<"certificates" | "entries", readonly [one: string, many: string]>> = {
  certificates: ["certificate", "certificates"],
  entries: ["entry", "entries"],
};

function report({ verdict, resources }: WaitResult, kind: "certificates" | "entries", json: boolean, io: Io): ExitCode {
  if (json) io.stdout.write(jsonDocument({ verdict, resources }, 0));
  if (verdict === "active") return 0;
  const open = resources.filter(({ state }) => state !== "ACTIVE");
  const failed = open.filter(({ state }) => state === "FAILED").length;
  const all = countOf(resources.length, ...nounsOf[kind]);
  const outcome = {
    failed: `${failed} of ${all} failed`,
    "timed-out": `${open.length} of ${all} not active in time`,
    stopped: `${open.length} of ${all} not active when the wait was stopped`,
  }[verdict];
  // The latest changes were already printed when they happened, except with `--quiet`.
  if (io.quiet === true) for (const line of open.flatMap(linesOf)) io.stderr.write(`${safe(line)}\n`);
  const isKnown = resources.some(({ state }) => state !== "UNKNOWN");
  const rest = isKnown ? "what served before still serves" : "and nothing is known of them: no request was answered";
  io.stderr.write(`${outcome}; nothing was changed, ${rest}\n`);
  return verdict === "failed" ? 4 : 5;
}

async function readNames(invocation: Invocation, kind: "certificates" | "entries", io: Io): Promise<readonly string[]> {
  const { options } = invocation;
  const option = kind === "entries" ? "--entry" : "--certificate";
  const named = options[kind === "entries" ? "entry" : "certificate"] as readonly string[];
  refuseOthers(options, kind);
  const migrations = hasSource(options) ? (await readSource(invocation, io)).migrations : [];
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
function refuseOthers({ certificate, entry }: Invocation["options"], kind: "certificates" | "entries"): void {
  const others = (kind === "entries" ? certificate : entry) as readonly string[];
  if (others.length === 0) return;
  const [option, meant] = kind === "entries" ? ["--certificate", "certificates"] : ["--entry", "entries"];
  const message = `${option} is given, and '--for ${kind}' waits for none of these; give '--for ${meant}', or leave ${option} out`;
  throw new InputError("kind-mismatch", message);
}

/** Returns one line for at most one reason, otherwise a line for the name and one for each reason. */
function linesOf({ name, state, findings }: ResourceState): readonly string[] {
  const { describeFinding } = require("../../live/wait") as typeof import("../../live/wait");
  const reasons = findings.map(describeFinding);
  if (reasons.length <= 1) return [[`${name}: ${state}`, ...reasons].join(" - ")];
  return [`${name}: ${state}`, ...reasons.map((reason) => `  ${reason}`)];
}
