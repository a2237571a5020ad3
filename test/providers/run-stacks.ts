import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { makeCertificate } from "../support/make-certificate";
import { normalizeRequests } from "./normalize";
import type { RecordedStack } from "./recorded-stack";
import { type Recorder, type SentRequest, startRecorder } from "./recorder";
import { project, recordedStacks, region } from "./stacks";

/** Settings with which Terraform reaches a provider, and the provider reaches the recorder. */
interface Connection {
  readonly version: string;
  /** Arguments of the provider block. */
  readonly providerArguments: object;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of `terraform init`. @default - the provider needs no installation */
  readonly initialization?: readonly string[];
}

/** @returns a connection that has to be disposed of */
export type Connect = (recorder: Recorder) => Promise<Connection & AsyncDisposable>;

/** Requests of a provider, by stack and step. */
export type Recording = Readonly<Record<string, Readonly<Record<string, readonly SentRequest[]>>>>;

interface RecordingOptions {
  readonly overTls: boolean;
  /** Name of the only stack to run. @default - all stacks */
  readonly only?: string | undefined;
  /** Whether all stacks run at once. @default false */
  readonly atOnce?: true;
  readonly say?: (line: string) => void;
}

/** Runs the fixed set of stacks, or one of them, each against a cloud of its own. @throws if Terraform fails */
export async function recordStacks(connect: Connect, options: RecordingOptions): Promise<Recording> {
  const stacks = recordedStacks([
    makeCertificate(["legacy.example.com"]),
    makeCertificate(["legacy.example.com"], { key: 1 }),
  ]);
  const chosen = stacks.filter(({ name }) => options.only === undefined || name === options.only);
  const record = async (stack: RecordedStack) => [stack.name, await recordStack(stack, connect, options)] as const;
  if (options.atOnce === true) return Object.fromEntries(await Promise.all(chosen.map(record)));
  const recorded: Awaited<ReturnType<typeof record>>[] = [];
  for (const stack of chosen) recorded.push(await record(stack));
  return Object.fromEntries(recorded);
}

async function recordStack(
  { name, prepare, steps, parallelism = 1 }: RecordedStack,
  connect: Connect,
  { overTls, say = () => undefined }: RecordingOptions,
): Promise<Recording[string]> {
  await using cloud = await startLoadBalancerCloud();
  await using recorder = await startRecorder(cloud.url, overTls);
  await using connection = await connect(recorder);
  await prepare?.((httpMethod, path, body) => cloud.call(httpMethod, path, body));
  const folder = await mkdtemp(join(tmpdir(), "provider-recording-"));
  try {
    const taken: Record<string, readonly SentRequest[]> = {};
    for (const [index, step] of steps.entries()) {
      const startedAt = performance.now();
      if (step.stack !== undefined) await writeFile(join(folder, "stack.tf.json"), stackText(step.stack, connection));
      if (index === 0 && connection.initialization !== undefined) await run(folder, connection.initialization, {});
      const command = step.stack === undefined ? "destroy" : "apply";
      const words = [command, "-auto-approve", "-input=false", "-no-color", `-parallelism=${parallelism}`];
      await run(folder, words, connection.environment);
      taken[step.name] = normalizeRequests(recorder.take());
      say(
        `${name}, ${step.name}: ${taken[step.name]?.length} requests, ${Math.round(performance.now() - startedAt)} ms`,
      );
    }
    return taken;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function stackText(stack: object, { version, providerArguments }: Connection): string {
  return JSON.stringify({
    terraform: { required_providers: { google: { source: "hashicorp/google", version } } },
    provider: { google: { project, region, ...providerArguments } },
    ...stack,
  });
}

/** @throws with Terraform's output if it fails */
export async function run(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TF_|TERRAFORM_|GOOGLE_|CLOUDSDK_|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    TF_CLI_CONFIG_FILE: join(folder, "none.tfrc"),
    TF_DATA_DIR: join(folder, ".terraform"),
    ...environment,
  };
  await writeFile(join(folder, "none.tfrc"), "");
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, maxBuffer: 256 * 1024 * 1024, timeout: 900_000 };
    execFile("terraform", [...words], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`terraform ${words.join(" ")}: ${stderr}\n${stdout.slice(-4_000)}`, { cause: error }));
    });
  });
}
