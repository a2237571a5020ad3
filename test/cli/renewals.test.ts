import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeActiveCertificate, makeZone, startTestCloud } from "../support/cloud";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { startMonitoredWorld } from "../support/monitored-world";
import { readOnlyCommands } from "../support/read-only";

const dayMs = 86_400_000;
const atRisk =
  /^renewal-at-risk example\.com: the CNAME record _acme-challenge\.example\.com is missing; \d+ days left, until \S+$/;

let cloud: Awaited<ReturnType<typeof startTestCloud>>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-renewal-"));
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.", "shop-1");
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

/** Attaches a certificate to a target proxy by a map, so that clients get it. */
async function presentByProxy(certificate: string): Promise<void> {
  const parent = "projects/shop-1/locations/global";
  const compute = "/compute/v1/projects/shop-1/global";
  await cloud.make("POST", `/v1/${parent}/certificateMaps?certificateMapId=shop`, {});
  const entry = { hostname: "example.com", certificates: [certificate] };
  const entries = `/v1/${parent}/certificateMaps/shop/certificateMapEntries?certificateMapEntryId=shop`;
  await cloud.make("POST", entries, entry);
  const redirect = { httpsRedirect: true, stripQuery: false };
  await cloud.make("POST", `${compute}/urlMaps`, { name: "web", defaultUrlRedirect: redirect });
  const certificateMap = `//certificatemanager.googleapis.com/${parent}/certificateMaps/shop`;
  const proxy = { name: "web", urlMap: "projects/shop-1/global/urlMaps/web", certificateMap };
  await cloud.make("POST", `${compute}/targetHttpsProxies`, proxy);
}

const commands = readOnlyCommands(() => cloud.requests());

test("reports a certificate whose CNAME was deleted, from the first day as a risk, and as an error while its renewal is due, until it is restored", async () => {
  const id = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"], "shop-1");
  const spec = join(folder, "migration.yaml");
  writeFileSync(
    spec,
    `name: shop\ncertificates: [{ domains: [example.com], existingCertificateId: ${id} }]\ndns: { kind: external }\nproject: shop-1\n`,
  );
  const { http, dns, control } = cloud.endpoints;
  // The clock of this machine is 65 days behind the cloud's.
  const run = (...words: readonly string[]) =>
    commands.run([...words, "--endpoint", http], { env: { CERT_MIGRATION_REHEARSAL: control }, now: () => new Date() });
  const status = (...words: readonly string[]) => run("status", "--spec", spec, "--dns-server", dns, ...words);
  await presentByProxy(id);
  const proof = { name: "_acme-challenge.example.com.", type: "CNAME", ttl: 300 };
  const zone = "/dns/v1/projects/shop-1/managedZones/example-com";
  const { rrsets } = await cloud.make("GET", `${zone}/rrsets?name=${proof.name}`);
  const [{ rrdatas }] = rrsets as readonly [{ readonly rrdatas: readonly string[] }];
  expect(JSON.parse((await status("--json")).stdout).findings).toEqual([]);

  await cloud.make("POST", `${zone}/changes`, { deletions: [{ ...proof, rrdatas }] });
  await cloud.clock.advance(dayMs);
  const ofProject = ["inventory", "--project", "shop-1"];
  const early = [
    ["status", "--spec", spec, "--dns-server", dns],
    ["monitor", "--spec", spec, "--dns-server", dns],
    ["doctor", "--spec", spec, "--project", "shop-1", "--dns-server", dns],
    ofProject,
  ];
  for (const [command = "", ...words] of early) {
    const { stdout } = await run(command, ...words, "--json");
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] };
    const risks = findings.filter(({ subject }) => subject === id).map(({ code, message }) => `${code} ${message}`);
    expect([command, risks]).toEqual([command, [expect.stringMatching(atRisk)]]);
  }
  await cloud.clock.advance(64 * dayMs);
  const { exitCode, stdout } = await status();
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(
    /^error: projects\/shop-1\/.*\/certificates\/shop: example\.com: the CNAME of its authorization is missing or wrong.*; 26 days left, until \S+; fix .* \[renewal-failing\]$/m,
  );
  const failing = { code: "renewal-failing", severity: "error", subject: id, hostnames: ["example.com"] };
  expect(JSON.parse((await status("--json")).stdout).findings).toMatchObject([failing]);
  const doctor = await run("doctor", "--spec", spec, "--project", "shop-1", "--dns-server", dns, "--json");
  expect(doctor.exitCode).toBe(4);
  expect(JSON.parse(doctor.stdout).findings).toContainEqual(expect.objectContaining(failing));
  const inventory = await run(...ofProject, "--json");
  expect(inventory.exitCode).toBe(4);
  expect(JSON.parse(inventory.stdout).findings).toContainEqual(expect.objectContaining(failing));
  const monitor = await run("monitor", "--spec", spec, "--dns-server", dns, "--json");
  expect(monitor.exitCode).toBe(4);
  expect(JSON.parse(monitor.stdout).findings).toContainEqual(expect.objectContaining(failing));

  await cloud.make("POST", `${zone}/changes`, { additions: [{ ...proof, rrdatas }] });
  await cloud.clock.advance(dayMs);
  expect(JSON.parse((await status("--json")).stdout).findings).toEqual([]);
  await cloud.clock.advance(300 * dayMs);
  for (const [command = "", ...words] of early) {
    const { findings } = JSON.parse((await run(command, ...words, "--json")).stdout);
    const codes = findings.map(({ code }: { readonly code: string }) => code);
    expect([command, codes.filter((code: string) => code.startsWith("renewal-"))]).toEqual([command, []]);
  }
});

test.each(["names by its id", "has as an alternative"])(
  "reports an uploaded certificate near its end that an entry %s, beside the certificate that Google renews",
  async (how) => {
    const world = await startMonitoredWorld();
    try {
      const parent = "projects/p1/locations/global";
      const id = `${parent}/certificates/rsa`;
      const now = world.cloud.clock.now().getTime();
      const validity = { notBefore: new Date(now - 80 * dayMs), notAfter: new Date(now + 3 * dayMs) };
      const { certificatePem, privateKeyPem } = makeCertificate(["example.com"], validity);
      const selfManaged = { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem };
      await world.cloud.make("POST", `/v1/${parent}/certificates?certificateId=rsa`, { selfManaged });
      const outputs = structuredClone(world.outputs);
      const migration = outputs.cert_migration.value.migrations["shop/shop"] as unknown as Migration;
      migration.entries[0]?.certificates.push(id);
      const own = { name: "rsa", id, kind: "selfManaged", domains: [], location: "global", scope: "DEFAULT" };
      if (how === "has as an alternative") migration.certificates.push(own);
      const file = join(world.folder, "alternatives.json");
      const metrics = join(world.folder, "alternatives.prom");
      writeFileSync(file, JSON.stringify(outputs));
      const { http, dns } = world.cloud.endpoints;
      for (const words of [["status"], ["monitor", "--metrics", metrics], ["doctor"]]) {
        const from = ["--outputs", file, "--endpoint", http, "--dns-server", dns, "--json"];
        const { exitCode, stdout } = await runCli([...words, ...from], world.ioOf());
        const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] };
        const found = findings.filter(({ subject }) => subject === id);
        expect([words[0], exitCode, found]).toEqual([
          words[0],
          4,
          [
            expect.objectContaining({
              code: "uploaded-expires-soon",
              message: expect.stringMatching(/^example\.com: [34] days left, until /),
            }),
          ],
        ]);
      }
      const samples = readFileSync(metrics, "utf8");
      for (const name of ["shop", "rsa"]) {
        const labels = `hostname="example.com",certificate="${parent}/certificates/${name}",migration="shop/shop"`;
        for (const days of ["expiry", "renewal"]) expect(samples).toContain(`days_to_${days}{${labels}} `);
      }
    } finally {
      await world.stop();
    }
  },
);

interface Migration {
  readonly certificates: object[];
  readonly entries: readonly { readonly certificates: string[] }[];
}
