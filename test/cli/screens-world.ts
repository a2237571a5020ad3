import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createActivityStore, startActivityServer } from "../../lib/audit";
import { startCloud } from "../../lib/cloud";
import { stepNames } from "../../lib/live/status";
import { assignRole, record } from "../audit/activities";
import { makeActiveCertificate, makeLoadBalancer, makeMap, makeZone, parent, startTestCloud } from "../support/cloud";
import { generateProject } from "../support/generated-project";
import { runCli } from "../support/io";
import { startServer } from "../support/loopback";
import { makeCertificate, makeChain } from "../support/make-certificate";
import { shopSpec } from "../support/migration-spec";
import { servedOutputs } from "../support/served-outputs";
import { serveTls } from "../support/tls-servers";
import { small } from "./shelf-description";

/** Time of the commands that contact no cloud. */
const today = new Date("2026-11-21T12:00:00Z");

/** Starts what the commands of the screens read: a cloud with two migrations, a project, an audit log, and files. */
export async function startScreensWorld() {
  const folder = mkdtempSync(join(tmpdir(), "screens-"));
  const file = (name: string, content: object | string) => {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    return join(folder, name);
  };
  const cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.");
  await makeZone(cloud, "example-net", "example.net.", "shop-1");
  const certificate = await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"]);
  const certificateMap = await makeMap(cloud, "shop", { "example.com": [certificate] });
  await makeLoadBalancer(cloud, "shop", { certificateMap });
  await cloud.clock.advance(60_000);
  const address = cloud.loadBalancers.listeners()[0]?.ipAddress ?? "";
  const additions = [{ name: "example.com.", type: "A", ttl: 300, rrdatas: [address] }];
  await cloud.make("POST", "/dns/v1/projects/p1/managedZones/example-com/changes", { additions });
  await cloud.clock.advance(10_000);
  const authorization = await cloud.make("GET", `/v1/${parent}/dnsAuthorizations/example-com`);
  const { data } = authorization.dnsResourceRecord as { readonly data: string };
  const world = generateProject({ seed: 1, now: today, forwardingRules: 3, certificates: 4, zones: 1 });
  const project = await startCloud({ speed: 0, startAt: today, world });
  const store = createActivityStore({ now: () => today });
  store.ingest(record([assignRole()], { time: "2026-11-21T10:30:00.000Z", qualifier: "0" }));
  const audit = await startActivityServer({ store, now: () => today });
  const failing = await startServer((_, response) => {
    const attempts = [{ domain: "example.com", state: "FAILED", failureReason: "CONFIG", details: "no CNAME" }];
    const managed = { domains: ["example.com"], state: "FAILED", authorizationAttemptInfo: attempts };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ name: `${parent}/certificates/shop`, managed }));
  });
  // A private CA issued it, so that no retry can help.
  const { certificatePem, privateKeyPem } = makeChain("example.com", new Date("2060-01-01T00:00:00Z"));
  const uploading = await serveTls({ cert: certificatePem, key: privateKeyPem });
  const selfManaged = { certificatePem, privateKeyPem };
  const upload = {
    ...{ name: "shop", dns: { kind: "external" }, loadBalancer: { kind: "globalExternal" }, phase: "issue" },
    certificates: [{ domains: ["example.com"], selfManaged }],
  };
  mkdirSync(join(folder, "certificates"));
  file("certificates/shop.pem", makeCertificate(["shop.example.com", "*.shop.example.com"]).certificatePem);
  const expired = { notAfter: new Date("2021-01-01T00:00:00Z") };
  file("certificates/old.pem", makeCertificate(["old.example.com"], expired).certificatePem);
  const spec = file("migration.yaml", shopSpec);
  // Without traffic, the module takes over no record that exists.
  const issued = file("issued.yaml", `${shopSpec.split("traffic:")[0]}phase: issue\n`);
  for (const module of ["module", "stale"]) await runCli(["synth", "--spec", issued, "--out", join(folder, module)]);
  appendFileSync(join(folder, "stale", "main.tf.json"), "\n");
  const hostnames = [
    {
      migration: "shop",
      hostname: "example.com",
      steps: stepNames.map((name, at) => ({ step: at + 1, name, state: at < 6 ? "done" : "todo" })),
    },
  ];
  return {
    cloud,
    folder,
    clock: { cloud: cloud.clock.now(), today },
    endpoints: { cloud: cloud.endpoints, project: project.endpoints.http, audit: audit.url, failing: failing.url },
    certificate,
    upload: file("upload.json", upload),
    uploadPort: String(uploading.port),
    spec,
    issued,
    next: file("next.yaml", shopSpec.replace("[pay.example.net]", "[pay.example.net, '*.pay.example.net']")),
    outputs: file("outputs.json", servedOutputs({ certificate, address, data })),
    plan: file("plan.json", dangerousPlan),
    freeze: file("freeze.yaml", "start: 2026-11-21T10:00:00Z\nend: 2026-11-21T11:00:00Z\n"),
    status: file("status.json", { version: 1, time: "2026-11-20T08:00:00Z", hostnames }),
    api: file("shelf.json", small),
    changedApi: file("changed.json", { ...small, resources: {} }),
    stop: async () => {
      await Promise.all([cloud.stop(), project.stop(), audit.close()]);
      await Promise.all([failing, uploading].map((server) => server[Symbol.asyncDispose]()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type ScreensWorld = Awaited<ReturnType<typeof startScreensWorld>>;

/** A plan that deletes a proxy, and leads an entry to a certificate that is not issued yet. */
const dangerousPlan = {
  format_version: "1.2",
  planned_values: {},
  resource_changes: [
    {
      address: "google_compute_target_https_proxy.web",
      mode: "managed",
      type: "google_compute_target_https_proxy",
      change: { actions: ["delete"], before: { name: "web" }, after: null },
    },
    {
      address: "google_certificate_manager_certificate_map_entry.shop",
      mode: "managed",
      type: "google_certificate_manager_certificate_map_entry",
      change: {
        actions: ["update"],
        before: { certificates: [] },
        after: { certificates: ["projects/p/locations/global/certificates/of-another-configuration"] },
      },
    },
  ],
};
