import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../errors";
import type { Standing } from "../../migrate";
import type { Command, ExitCode, Invocation, Io } from "../command";
import { readDuration } from "../duration";
import { safe } from "../text";

export const waitCommand: Command = {
  name: "wait",
  summary: "wait until certificates are active",
  description:
    "Waits until every certificate is ACTIVE, and ends at once when one is FAILED, with the reason for each domain and what to do. It only looks. The gate 'wait' of the constructs runs it for each new certificate. Credentials: application default.",
  options: [
    {
      flags: "--certificate <name>",
      description: "projects/P/locations/L/certificates/C; may be repeated",
      repeatable: true,
    },
    { flags: "--timeout <time>", description: "how long to wait, as in 90s, 60m or 2h", default: "60m" },
    { flags: "--endpoint <url>", description: "another service with the same API; else CERT_MIGRATION_ENDPOINT" },
    { flags: "--json", description: "print where each certificate stands as JSON at the end" },
    { flags: "--quiet", description: "say nothing but errors" },
  ],
  examples: [
    {
      command: "cert-migration wait --certificate projects/my-project/locations/global/certificates/shop",
      what: "until one certificate is active",
    },
  ],
  exitCodes: {
    4: "a certificate is FAILED",
    5: "the time is over, or the wait was stopped; run it again to go on waiting",
  },
  run: runWait,
};

async function runWait({ options }: Invocation, io: Io): Promise<ExitCode> {
  const certificates = [...new Set(options.certificate as readonly string[])];
  if (certificates.length === 0) throw new InputError("certificate-missing", "nothing to wait for; give --certificate");
  const timeoutMs = readDuration(options.timeout as string, "--timeout");
  const { certificateReader } = require("../../google") as typeof import("../../google");
  const { waitForCertificates } = require("../../migrate") as typeof import("../../migrate");
  const endpoint = (options.endpoint as string | undefined) ?? io.env.CERT_MIGRATION_ENDPOINT;
  const say = (text: string) => {
    if (options.quiet !== true) io.stderr.write(`${safe(text)}\n`);
  };
  const result = await waitForCertificates(certificateReader(endpoint), {
    certificates,
    timeoutMs,
    signal: io.signal,
    now: () => io.now().getTime(),
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal });
    },
    random: Math.random,
    onChange: (standing) => say(lineOf(standing)),
    onRetry: (error) => say(`${error.message}; asking again`),
  });
  if (options.json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
  if (result.verdict === "active") return 0;
  const open = result.standings.filter(({ state }) => state !== "ACTIVE");
  const why = { failed: "failed", "timed-out": "not active in time", stopped: "not active when the wait was stopped" }[
    result.verdict
  ];
  io.stderr.write(
    `${open.length} of ${certificates.length} certificates ${why}; nothing was changed, what served before still serves\n`,
  );
  if (options.quiet === true) for (const standing of open) io.stderr.write(`${safe(lineOf(standing))}\n`);
  return result.verdict === "failed" ? 4 : 5;
}

function lineOf({ name, state, reasons }: Standing): string {
  return `${name}: ${state}${reasons.length === 0 ? "" : ` - ${reasons.join("; ")}`}`;
}
