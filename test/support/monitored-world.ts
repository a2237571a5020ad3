import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../lib/cli/command";
import { makeActiveCertificate, makeLoadBalancer, makeMap, makeZone, startTestCloud } from "./cloud";
import { servedOutputs } from "./served-outputs";

const zone = "/dns/v1/projects/p1/managedZones/example-com";

/** The CNAME of the authorization of example.com. */
export const proofName = "_acme-challenge.example.com.";

/** Starts a cloud in which the migration of example.com has ended, and writes its outputs to a folder. */
export async function startMonitoredWorld() {
  const folder = mkdtempSync(join(tmpdir(), "cert-migration-monitor-"));
  const cloud = await startTestCloud();
  const change = async (kind: "additions" | "deletions", name: string, type: string, rrdatas: readonly string[]) => {
    await cloud.make("POST", `${zone}/changes`, { [kind]: [{ name, type, ttl: 300, rrdatas }] });
    await cloud.clock.advance(10_000);
  };
  await makeZone(cloud, "example-com", "example.com.");
  const certificate = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"]);
  const certificateMap = await makeMap(cloud, "shop", { "example.com": [certificate] });
  await makeLoadBalancer(cloud, "shop", { certificateMap });
  await cloud.clock.advance(60_000);
  const address = cloud.loadBalancers.listeners()[0]?.ipAddress ?? "";
  await change("additions", "example.com.", "A", [address]);
  const { rrsets } = await cloud.make("GET", `${zone}/rrsets?name=${proofName}`);
  const [{ rrdatas: proof }] = rrsets as readonly [{ readonly rrdatas: readonly string[] }];
  const outputs = servedOutputs({ certificate, address, data: proof[0], path: "shop/shop" });
  writeFileSync(join(folder, "outputs.json"), JSON.stringify(outputs));
  return {
    cloud,
    folder,
    outputs,
    /** Data of the CNAME. */
    proof,
    /** Changes records of example.com. */
    change,
    /** Returns the command line of `monitor` for the outputs, unless the words have `--outputs`. */
    wordsFor: (...words: readonly string[]): readonly string[] => {
      const { http, dns } = cloud.endpoints;
      const named = words.includes("--outputs") ? [] : ["--outputs", join(folder, "outputs.json")];
      return ["monitor", ...named, "--endpoint", http, "--dns-server", dns, ...words];
    },
    ioOf: (env: Io["env"] = {}) => {
      const now = cloud.clock.now();
      return { env: { CERT_MIGRATION_REHEARSAL: cloud.endpoints.control, ...env }, now: () => now };
    },
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      await cloud.stop();
    },
  };
}
