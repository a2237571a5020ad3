import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { makeWorld, worldOf } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { timed } from "./run";

export interface CommandLine {
  /** `cdktf` or `cdktn`, installed in the folder. */
  readonly program: string;
  /** Folder with a cdktf.json. */
  readonly folder: string;
  readonly stack: string;
  /** Hostname that the stack serves. */
  readonly hostname: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `synth`, `deploy` and `destroy` against the rehearsal cloud, with a TLS handshake in between. */
export async function deployAndDestroy({ program, folder, stack, hostname, env }: CommandLine): Promise<void> {
  const closing: (() => Promise<unknown>)[] = [];
  const quiet = { ...env, CHECKPOINT_DISABLE: "1", DISABLE_VERSION_CHECK: "1", CI: "1" };
  const run = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    timed(`${program} ${words[0]}`, ["npx", "--no-install", program, ...words], { folder, env: { ...quiet, ...more } });
  try {
    await run(["synth"]);
    const cloud = await startCloud({ speed: 30 });
    closing.push(() => cloud.stop());
    const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
    closing.push(() => provider.close());
    const synthesized = readFileSync(join(folder, "cdktf.out", "stacks", stack, "cdk.tf.json"), "utf8");
    await makeWorld(worldOf(JSON.parse(synthesized)), { cloudUrl: cloud.endpoints.http, http: createHttpClient() });
    const attached = {
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
      CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
    };
    const unasked = ["--auto-approve", "--skip-provider-lock"];
    await run(["deploy", stack, ...unasked], attached);
    await cloud.loadBalancers.settle();
    await shakeHands(cloud.loadBalancers.listeners()[0]?.listen ?? "", hostname, cloud.endpoints.trustBundle);
    await run(["destroy", stack, ...unasked], attached);
    await cloud.loadBalancers.settle();
    if (cloud.loadBalancers.listeners().length > 0) throw new Error("a listener is left after the stack was destroyed");
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Connects as a client that trusts the cloud's CA. */
function shakeHands(listen: string, hostname: string, ca: string): Promise<void> {
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
