import { signalWithin } from "../../async/abort";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import { defineCommand, value, values } from "../declare";
import { readTextFile } from "../files";
import { listenAt } from "../listen";
import * as load from "../load";
import { placedResult } from "../results";
import { safe } from "../text";
import { freePort, ipAddress } from "../value-types";
import { planJudge, planResult, planRuleOptions } from "./check-plan/judge";

export const command = defineCommand({
  description:
    "Serves a run task of HCP Terraform or Terraform Enterprise: for each run, after its plan or before its apply, it reads the plan, judges it as 'check-plan' does, and reports passed or failed with the reasons. A plan that can't be read fails the task. Requests without a valid signature are refused. It changes nothing but the result of the task, and runs until it is stopped.",
  options: {
    "--port <port>": value(freePort, "port to listen on; 0 chooses a free port", "8080"),
    "--listen-address <ip>": value(
      ipAddress,
      "address to listen on; 0.0.0.0 for a container behind a load balancer",
      "127.0.0.1",
    ),
    "--hmac-key-file <file>": values(
      "a file with the HMAC key of the run task, one key per line; while a key is rotated, both are valid",
    ),
    "--hcp-host <host>": values(
      "host that gets the token of a task, with its port if it is not 443; default: app.terraform.io",
    ),
    ...planRuleOptions,
  },
  examples: {
    "cert-migration run-task --port 8080 --hmac-key-file hmac.key": "for workspaces of HCP Terraform",
    "cert-migration run-task --hmac-key-file hmac.key --hcp-host tfe.example.com --listen-address 0.0.0.0":
      "for Terraform Enterprise, in a container",
  },
  run: async ({ options }, io) => {
    const keys = await readKeys(options.hmacKeyFile, io);
    if ([...options.outputs, options.verified].includes("-")) {
      throw new InputError("run-task-input", "--outputs and --verified are read for each task; pass files, not -");
    }
    const judge = planJudge(options, io);
    const say = (message: string) => void io.stderr.write(`${io.now().toISOString()} ${safe(message)}\n`);
    const { createHcp, createTaskServer, workOn } = load.runTask();
    const hcp = createHcp(deadlineMs);
    const server = createTaskServer({
      keys,
      hosts: options.hcpHost.length > 0 ? options.hcpHost.map((host) => host.toLowerCase()) : ["app.terraform.io"],
      say,
      work: (task) =>
        workOn(task, {
          hcp,
          say,
          check: async (plan) =>
            placedResult("check-plan", planResult(await judge(plan, "the plan of the run")), [], "plan.json"),
          every: (ms, tick) => {
            const timer = setInterval(tick, ms);
            return () => clearInterval(timer);
          },
          timeout: (ms) => signalWithin(ms, io.signal),
        }),
    });
    const { url, close } = await listenAt(server, { address: options.listenAddress, port: options.port }, "--port");
    io.stdout.write(`${url}\n`);
    if (io.quiet !== true) io.stderr.write(`${countOf(keys.length, "key")}; Ctrl-C ends the server\n`);
    await stopped(io.signal);
    await close();
    return 0;
  },
});

/** Timeout of a request to HCP Terraform with its repetitions, in milliseconds. */
const deadlineMs = 8 * 60_000;

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function readKeys(paths: readonly string[], io: Io): Promise<readonly string[]> {
  if (paths.length === 0) {
    throw new InputError("run-task-key-missing", "give --hmac-key-file: without a key, anybody could send tasks");
  }
  const texts = await Promise.all(paths.map((path) => readTextFile(path, "--hmac-key-file", io)));
  return texts.flatMap((text, index) => {
    const keys = text.split(/\r?\n/).filter((line) => line !== "");
    if (keys.length > 0) return keys;
    const message = `--hmac-key-file: ${quote(paths[index] ?? "")} has no key; write one key per line`;
    throw new InputError("run-task-key-missing", message);
  });
}
