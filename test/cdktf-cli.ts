/**
 * cdktf's own command line against the rehearsal cloud: `cdktf synth` and `cdktf deploy` of an example, a handshake with what it made, and `cdktf destroy`.
 * Run by `npm run test:cdktf-cli`; it installs cdktf-cli into a folder of its own, as its 420 MB are too much for every install of this project.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect } from "node:tls";
import { startCloud } from "../lib/cloud";
import { createHttpClient } from "../lib/http";
import { makeWorld, worldOf } from "../lib/rehearsal/world";
import { startTerraformProvider } from "../lib/terraform-provider";

const version = "0.21.0";
const example = "one-hostname";
const hostname = "shop.example.com";
const root = join(__dirname, "..");
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
const tsconfig = join(root, "tsconfig.json");

async function main(): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    await deployAndDestroy(closing);
  } finally {
    for (const close of closing.reverse()) await close();
  }
  process.stdout.write("1 passed, 0 failed\n");
}

/** @param closing what has to be done in the end, last first */
async function deployAndDestroy(closing: (() => unknown)[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-cli-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const node = `"${process.execPath}" "${tsx}" --tsconfig "${tsconfig}"`;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "scratch", private: true }));
  writeFileSync(
    join(folder, "cdktf.json"),
    JSON.stringify({
      language: "typescript",
      app: `${node} "${join(root, "examples", example, "main.ts")}"`,
      projectId: "scratch",
      sendCrashReports: "false",
    }),
  );
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", DISABLE_VERSION_CHECK: "1", CI: "1" };
  const run = (what: string, words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    timed(what, words, folder, { ...env, ...more });
  await run("install", ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", `cdktf-cli@${version}`]);
  installCommand(folder, node);
  await run("cdktf synth", ["npx", "cdktf", "synth"]);

  const cloud = await startCloud({ speed: 30 });
  closing.push(() => cloud.stop());
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  closing.push(() => provider.close());
  const synthesized = readFileSync(join(folder, "cdktf.out", "stacks", example, "cdk.tf.json"), "utf8");
  await makeWorld(worldOf(JSON.parse(synthesized)), cloud.endpoints.http, createHttpClient());
  const attached = {
    TF_REATTACH_PROVIDERS: provider.reattachConfig,
    CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
    CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
  };
  const unasked = ["--auto-approve", "--skip-provider-lock"];
  await run("cdktf deploy", ["npx", "cdktf", "deploy", example, ...unasked], attached);
  await cloud.settle();
  await shakeHands(cloud.listeners()[0]?.listen ?? "", cloud.endpoints.trustBundle);
  await run("cdktf destroy", ["npx", "cdktf", "destroy", example, ...unasked], attached);
  await cloud.settle();
  if (cloud.listeners().length > 0) throw new Error("something answers after the stack was destroyed");
}

/** The command that gates call, where npx finds it. */
function installCommand(folder: string, node: string): void {
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  const file = join(bin, "cert-migration");
  writeFileSync(file, `#!/bin/sh\nexec ${node} "${join(root, "lib", "cli", "main.ts")}" "$@"\n`);
  chmodSync(file, 0o755);
}

function timed(what: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const [program = "", ...others] = words;
    const child = spawn(program, others, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 180_000 });
    let output = "";
    const take = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      process.stdout.write(`${what}: exit ${code} after ${seconds} s\n`);
      if (code === 0) resolve();
      else reject(new Error(`${what} ended with ${code}:\n${output.slice(-4_000)}`));
    });
  });
}

/** As a client that trusts the cloud's authority. */
function shakeHands(listen: string, ca: string): Promise<void> {
  const [host = "", port = ""] = listen.split(":");
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), servername: hostname, ca, timeout: 10_000 });
    socket.once("timeout", () => socket.destroy(new Error("no handshake within 10 s")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.end();
      process.stdout.write(`handshake with ${hostname}: ok\n`);
      resolve();
    });
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.stdout.write("0 passed, 1 failed\n");
  process.exitCode = 1;
});
