import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parent } from "../support/cloud";
import { readOnlyCommands } from "../support/read-only";
import { startServedCloud } from "../support/served-cloud";
import { servedOutputs } from "../support/served-outputs";

const dayMs = 86_400_000;
const pool = "projects/p1/locations/europe-west6/caPools/internal";
const certificate = `${parent}/certificates/private`;

let served: Awaited<ReturnType<typeof startServedCloud>>;
let folder: string;
beforeAll(async () => {
  served = await startServedCloud();
  folder = mkdtempSync(join(tmpdir(), "cert-migration-private-"));
  const outputs = servedOutputs({ certificate, address: "203.0.113.1" });
  writeFileSync(join(folder, "outputs.json"), JSON.stringify(outputs));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await served.prober.stop();
  await served.cloud.stop();
});

const commands = readOnlyCommands(() => served.cloud.requests());

/** Returns severity, code and message of the findings of a command about the certificate. */
async function findingsOf(command: string): Promise<readonly string[]> {
  const { http, dns, control } = served.cloud.endpoints;
  const words = [command, "--outputs", join(folder, "outputs.json"), "--endpoint", http, "--dns-server", dns, "--json"];
  const { stdout } = await commands.run(words, { env: { CERT_MIGRATION_REHEARSAL: control } });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Readonly<Record<string, string>>[] };
  return findings
    .filter(({ subject }) => subject === certificate)
    .map(({ severity, code, message }) => `${severity} ${code} ${message?.replace(/\d+ days.*/, "N days")}`);
}

const commandNames = ["status", "monitor", "doctor"];

test("status, monitor and doctor report a CA pool whose CA was disabled, before and after the renewal is due", async () => {
  for (const command of commandNames) expect([command, await findingsOf(command)]).toEqual([command, []]);
  served.cloud.faults.set({ authorities: [{ authority: `${pool}/*` }] });
  const stopped = `private.example.com: the CA pool ${pool} has no enabled CA`;
  for (const command of commandNames) {
    expect([command, await findingsOf(command)]).toEqual([command, [`warning renewal-at-risk ${stopped}; N days`]]);
  }
  await served.cloud.clock.advance(16 * dayMs);
  for (const command of commandNames) {
    const [first] = await findingsOf(command);
    expect([command, first]).toEqual([command, expect.stringContaining(`error renewal-failing ${stopped}`)]);
  }
});
