import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cloud } from "../../lib/cloud";
import { startCloud } from "../../lib/cloud";
import { projectToDirectMigrations, projectToMigration, whyWithoutMigration } from "../../lib/inventory/project";
import { parseMigrationDocument } from "../../lib/plan";
import type {
  ProjectCertificate,
  ProjectForwardingRule,
  ProjectInventory,
  ProjectProxy,
} from "../../lib/project-inventory";
import { generateProject } from "../support/generated-project";
import { runCli } from "../support/io";
import { inventoryBuilders } from "../support/project-inventory";
import { readOnlyCommands } from "../support/read-only";

const now = new Date("2026-11-21T00:00:00Z");
const world = generateProject({ seed: 3, now, forwardingRules: 6, certificates: 8, everyNameHasZone: true });
let cloud: Cloud;
let folder: string;
let file: string;

beforeAll(async () => {
  cloud = await startCloud({ speed: 0, startAt: now, world });
  folder = mkdtempSync(join(tmpdir(), "cert-migration-project-"));
  file = join(folder, "migration.yaml");
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cloud.stop();
});

const builders = inventoryBuilders("shop-1");

/** Runs `inventory --project` against a cloud with a project, and returns what was written, by the name of the file. */
async function write(
  part: Partial<ProjectInventory>,
  { words = [], out, doctor = false }: { words?: readonly string[]; out?: string; doctor?: boolean } = {},
) {
  const zones = ["example.com", "example.org"].map((dnsName) => {
    const name = dnsName.replaceAll(".", "-");
    return {
      id: `projects/shop-1/managedZones/${name}`,
      name,
      project: "shop-1",
      dnsName,
      visibility: "public" as const,
    };
  });
  const started = await startCloud({
    speed: 0,
    startAt: now,
    world: {
      ...{
        schemaVersion: 1,
        project: "shop-1",
        dnsProjects: ["shop-1"],
        addresses: [],
        urlMaps: [],
        maps: [],
        probes: [],
      },
      ...{ unread: [], findings: [], certificates: [], proxies: [] },
      forwardingRules: (part.proxies ?? []).map(({ name }) => builders.rule(name, "203.0.113.7")),
      zones,
      ...part,
    } as ProjectInventory,
  });
  const own = mkdtempSync(join(folder, "written-"));
  try {
    const endpoint = ["--endpoint", started.endpoints.http];
    const target = ["--out", out ?? join(own, "migration.yaml")];
    const run = await runCli(["inventory", "--project", "shop-1", ...endpoint, ...target, ...words], {
      now: () => now,
    });
    const files = readdirSync(own).sort();
    const specIn = (name: string) => {
      const parsed = parseMigrationDocument(readFileSync(join(own, name), "utf8"), { source: name });
      if (!("spec" in parsed)) throw new Error(`${name} is refused`);
      return parsed.spec;
    };
    const documents = Object.fromEntries(files.map((name) => [name, specIn(name)]));
    const findings: string[] = [];
    for (const name of doctor ? files : []) {
      const google = [...endpoint, "--dns-server", started.endpoints.dns];
      const checked = await runCli(["doctor", "--spec", join(own, name), ...google, "--json"], { now: () => now });
      const report = JSON.parse(checked.stdout) as { findings: readonly { severity: string; code: string }[] };
      const found = report.findings.filter(({ severity }) => severity !== "info");
      findings.push(...found.map(({ code }) => code));
    }
    return { ...run, documents, findings };
  } finally {
    await started.stop();
  }
}

const commands = readOnlyCommands(() => cloud.requests());

function read(...words: readonly string[]) {
  const places = [
    "--endpoint",
    cloud.endpoints.http,
    "--dns-server",
    cloud.endpoints.dns,
    "--dns-project",
    "shop-prod-dns",
  ];
  return commands.run(["inventory", "--project", "shop-prod", ...places, ...words], { now: () => now });
}

test("writes a migration that can be planned and that doctor and status accept unchanged", async () => {
  const { stderr } = await read("--json", "--out", file, "--name", "shop");
  expect(stderr).toContain(`${file}: `);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("servingProxies:");
  expect(text).not.toContain("adoptTargetHttpsProxies");
  const planned = await commands.run(["plan", "--spec", file]);
  expect([planned.exitCode, planned.stderr]).toEqual([0, ""]);
  const google = ["--spec", file, "--endpoint", cloud.endpoints.http, "--dns-server", cloud.endpoints.dns];
  const doctor = await commands.run(["doctor", ...google, "--json"], { now: () => now });
  const { findings } = JSON.parse(doctor.stdout) as { findings: readonly { severity: string; code: string }[] };
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  const status = await commands.run(["status", ...google, "--json"], { now: () => now });
  const { hostnames } = JSON.parse(status.stdout) as {
    hostnames: readonly { steps: readonly { step: number; state: string }[] }[];
  };
  expect(new Set(hostnames.map(({ steps }) => steps[7]?.state))).toEqual(new Set(["none"]));
});

test("ends with exit code 4 and the reasons if there is nothing to write, so that no earlier file is taken for it", async () => {
  const own = { owner: "gke" as const, ownerReason: 'the name begins with "k8s2-ts-"' };
  const { id, name, ...others } = builders.proxy("k8s2-ts-web", "shop");
  const { exitCode, stderr, documents } = await write({ proxies: [{ id, name, ...others, ...own }] });
  expect([exitCode, documents]).toEqual([4, {}]);
  expect(stderr).toContain(
    `${id} is left out: GKE manages it; name the certificate map in its Gateway or Ingress [migration-not-written]\n`,
  );
  expect(stderr).toContain("is not written: no global target proxy serves a name that a migration in place");
});

describe("a managed certificate that was never issued", () => {
  const { notAfter: _, ...unissued } = builders.certificate("never", "never.example.org");
  const never = {
    ...unissued,
    kind: "computeManaged" as const,
    status: "PROVISIONING",
    renewedBy: "google" as const,
    validation: "loadBalancer" as const,
  };
  const choice =
    "never.example.org; to serve these names, add them to 'certificates' and 'mustServe', otherwise detach the certificate";

  test("is left out with the choice, and doctor accepts the file", async () => {
    const certificates = [builders.certificate("shop", "shop.example.com"), never];
    const proxies = [builders.proxy("web", "never", "shop")];
    const { exitCode, stderr, findings } = await write({ certificates, proxies }, { doctor: true });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`leaves it out, with its names: ${choice}`)]);
    expect(findings).toEqual([]);
  });

  test("gives the choice also if it is the only certificate", async () => {
    const made = await write({ certificates: [never], proxies: [builders.proxy("web", "never")] });
    expect([made.exitCode, made.documents, made.stderr]).toEqual([4, {}, expect.stringContaining(choice)]);
  });
});

describe("regional and internal proxies get their own migration", () => {
  const inRegion = (name: string, region: string, scheme: string, domain: string) => {
    const place = `projects/shop-1/regions/${region}`;
    const proxyId = `${place}/targetHttpsProxies/${name}`;
    const certificateId = `${place}/sslCertificates/${name}`;
    return {
      proxy: {
        ...builders.proxy(name),
        id: proxyId,
        region,
        certificateIds: [certificateId],
        urlMapId: `${place}/urlMaps/${name}`,
      },
      rule: {
        ...builders.rule(name, "10.0.0.7"),
        id: `${place}/forwardingRules/${name}`,
        region,
        proxyId,
        scheme,
      },
      certificate: { ...builders.certificate(name, domain), id: certificateId, region },
    };
  };
  const outside = inRegion("outside", "europe-west6", "EXTERNAL_MANAGED", "outside.example.com");
  const inside = inRegion("inside", "europe-west6", "INTERNAL_MANAGED", "inside.example.com");
  const across = {
    proxy: builders.proxy("across", "across"),
    rule: { ...builders.rule("across", "10.0.0.8"), scheme: "INTERNAL_MANAGED" },
    certificate: builders.certificate("across", "across.example.com"),
  };
  const global = {
    proxy: builders.proxy("web", "shop"),
    rule: builders.rule("web", "203.0.113.7"),
    certificate: builders.certificate("shop", "shop.example.com"),
  };
  const of = (
    ...balancers: readonly { proxy: ProjectProxy; rule: ProjectForwardingRule; certificate: ProjectCertificate }[]
  ) => ({
    proxies: balancers.map(({ proxy }) => proxy),
    forwardingRules: balancers.map(({ rule }) => rule),
    certificates: balancers.map(({ certificate }) => certificate),
  });

  test("for each region and kind, in a file beside that of the global proxies, which doctor accepts", async () => {
    const { exitCode, documents, findings } = await write(of(global, outside, inside, across), { doctor: true });
    // The cloud has no DNS records of internal names.
    expect([exitCode, [...new Set(findings)]]).toEqual([0, ["hostname-unresolved"]]);
    const balancers = Object.entries(documents).map(([name, spec]) => [
      name,
      spec.name,
      spec.loadBalancer,
      spec.mustServe,
    ]);
    expect(balancers).toEqual([
      [
        "migration-europe-west6-internal.yaml",
        "shop-1-europe-west6-internal",
        { kind: "regionalInternal", region: "europe-west6", addresses: ["10.0.0.7"] },
        ["inside.example.com"],
      ],
      [
        "migration-europe-west6.yaml",
        "shop-1-europe-west6",
        { kind: "regionalExternal", region: "europe-west6", addresses: ["10.0.0.7"] },
        ["outside.example.com"],
      ],
      [
        "migration-internal.yaml",
        "shop-1-internal",
        { kind: "crossRegionInternal", addresses: ["10.0.0.8"] },
        ["across.example.com"],
      ],
      ["migration.yaml", "shop-1", expect.objectContaining({ kind: "globalExternal" }), ["shop.example.com"]],
    ]);
  });

  test("with the name of --name and the region", async () => {
    const { exitCode, documents } = await write(of(outside), { words: ["--name", "brand"] });
    const names = Object.entries(documents).map(([file, spec]) => [file, spec.name]);
    expect([exitCode, names]).toEqual([0, [["migration-europe-west6.yaml", "brand-europe-west6"]]]);
  });

  test("except on standard output, which has one document", async () => {
    const { exitCode, stderr, stdout } = await write(of(global, outside), { out: "-" });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("name: shop-1\n")]);
    expect(stdout).not.toContain("regionalExternal");
    expect(stderr).toContain(
      "the migration of the proxies in europe-west6 is not part of standard output; give --out a file [migration-not-written]\n",
    );
  });

  test.each<[string, Partial<ProjectProxy>, string]>([
    [
      "a proxy with certificates of Certificate Manager",
      { presents: "managerCertificates" },
      "it presents certificates of Certificate Manager directly",
    ],
    ["a target SSL proxy", { kind: "ssl" }, "its target SSL proxy takes no certificates of Certificate Manager"],
    ["a proxy of GKE", { owner: "gke" }, "GKE manages it; name the certificate map in its Gateway or Ingress"],
  ])("except %s", (_, change, reason) => {
    const own = { ...outside, proxy: { ...outside.proxy, ...change } };
    const inventory: ProjectInventory = { ...world, ...of(own) };
    expect(projectToDirectMigrations(inventory, { name: "shop", now })).toEqual([]);
    expect(whyWithoutMigration(inventory, { now })).toEqual([expect.stringContaining(reason)]);
  });
});

test("imports a proxy only with --adopt, and refuses a proxy that is not part of the migration", async () => {
  const made = projectToMigration(world, { name: "shop", now });
  const { proxy = "" } = made?.spec.loadBalancer?.servingProxies?.[0] ?? {};
  const name = proxy.slice(proxy.lastIndexOf("/") + 1);
  const { stdout, stderr } = await read("--out", "-", "--adopt", name);
  expect(stdout).toContain("adoptTargetHttpsProxies:");
  expect(stderr).toContain("no other Terraform configuration or tool may manage it");
  const refused = await read("--out", "-", "--adopt", "other");
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("[adopt-unknown]")]);
});
