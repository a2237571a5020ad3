import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inventoryToSpec, takeInventory } from "../../lib/inventory";
import { projectTable, projectToMigration } from "../../lib/inventory/project";
import { parseMigrationDocument, planMigration, writeMigrationDocument } from "../../lib/plan";
import type { ProjectCertificate, ProjectInventory } from "../../lib/project-inventory";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { inventoryBuilders } from "../support/project-inventory";

const caPool = "projects/corp-1/locations/europe-west6/caPools/internal";
const now = new Date("2026-11-21T00:00:00Z");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "inventory-"));
  const mixed = ["www.example.com", "status.corp.internal", "ci.corp.internal"];
  writeFileSync(join(folder, "mixed.pem"), makeCertificate(mixed).certificatePem);
});
afterAll(() => rmSync(folder, { recursive: true }));

const mixed = () => takeInventory([join(folder, "mixed.pem")], { now });

describe("the migration of an inventory of files", () => {
  test("has a certificate from the CA pool for names that no public CA certifies, and plans without an error", () => {
    const made = inventoryToSpec(mixed(), "shop", { caPool });
    expect(made?.spec).toEqual({
      name: "shop",
      certificates: [
        {
          name: "ci.corp.internal",
          domains: ["ci.corp.internal", "status.corp.internal"],
          kind: "privateCa",
          caPool,
        },
        { kind: "managed", name: "www.example.com", domains: ["www.example.com"] },
      ],
      dns: { kind: "external" },
      mustServe: ["ci.corp.internal", "status.corp.internal", "www.example.com"],
    });
    expect(made?.notices).toEqual([
      `${join(folder, "mixed.pem")}: ci.corp.internal, status.corp.internal is issued from ${caPool}: every client has to trust the root of the pool, and 'doctor' checks the pool`,
    ]);
    const { findings } = planMigration(made?.spec as NonNullable<typeof made>["spec"]);
    expect(findings.map(({ code }) => code)).toEqual(["private-ca-external"]);
  });

  test("leaves these names out without a CA pool, and names the option", () => {
    const made = inventoryToSpec(mixed(), "shop");
    expect(made?.spec.certificates).toEqual([
      { kind: "managed", name: "www.example.com", domains: ["www.example.com"] },
    ]);
    expect(made?.notices).toEqual([
      expect.stringMatching(
        /: ci\.corp\.internal is left out: no public CA certifies it; to issue it from a private CA, add --ca-pool /,
      ),
      expect.stringContaining(": status.corp.internal is left out: "),
    ]);
  });
});

test("the inventory reports a name that no public CA certifies, and how to keep it", () => {
  const [certificate] = mixed().certificates;
  const remedies = certificate?.problems.filter(({ code }) => code === "hostname-not-public");
  expect(remedies?.map(({ remedy }) => remedy)).toEqual(
    Array(2).fill(
      "issue the name from a private CA: write the migration with --out and --ca-pool; or let its clients use another name",
    ),
  );
});

describe("inventory --ca-pool", () => {
  const inventory = (...words: readonly string[]) =>
    runCli(["inventory", join(folder, "mixed.pem"), ...words], { now: () => now });

  test("writes the proposal to the migration", async () => {
    const out = join(folder, "migration.yaml");
    const { stderr } = await inventory("--out", out, "--ca-pool", caPool);
    const text = readFileSync(out, "utf8");
    expect(text).toContain("kind: privateCa");
    expect(stderr).toContain(`is issued from ${caPool}`);
    const read = parseMigrationDocument(text, { source: out });
    expect("spec" in read ? read.spec.certificates.map((each) => "caPool" in each && each.caPool) : read).toEqual([
      caPool,
      false,
    ]);
  });

  test.each([
    ["without --out", ["--ca-pool", caPool], "--ca-pool needs --out"],
    ["with another name", ["--out", "x.yaml", "--ca-pool", "internal"], "--ca-pool 'internal' is not the name of a CA"],
    [
      "with a global pool",
      ["--out", "x.yaml", "--ca-pool", caPool.replace("europe-west6", "global")],
      "is not the name of a CA pool; expected projects/PROJECT/locations/LOCATION/caPools/POOL",
    ],
  ])("is refused %s", async (_, words, message) => {
    const { exitCode, stderr } = await inventory(...words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("the migration of a project", () => {
  const { certificate, proxy, rule } = inventoryBuilders("shop-1");
  const world: ProjectInventory = {
    schemaVersion: 1,
    project: "shop-1",
    dnsProjects: ["shop-1"],
    forwardingRules: [rule("web", "203.0.113.7")],
    addresses: [],
    proxies: [proxy("web", "shop", "corp")],
    urlMaps: [],
    certificates: [certificate("shop", "shop.example.com", "ci.corp.internal"), certificate("corp", "*.corp.internal")],
    maps: [],
    zones: [],
    probes: [],
    unread: [],
    findings: [],
  };

  test.each(["certificate", "domain"] as const)("issues private names from the CA pool, grouped by %s", (group) => {
    const made = projectToMigration(world, { name: "shop", now, group, caPool });
    const { spec } = made as NonNullable<typeof made>;
    const issued = spec.certificates.filter((each) => "kind" in each && each.kind === "privateCa");
    expect(issued.flatMap(({ domains = [] }) => domains).sort()).toEqual(["*.corp.internal", "ci.corp.internal"]);
    expect(issued).toEqual(issued.map((each) => ({ ...each, caPool })));
    expect(spec.mustServe).toEqual(["*.corp.internal", "ci.corp.internal", "shop.example.com"]);
    const read = parseMigrationDocument(writeMigrationDocument(spec), { source: "migration.yaml" });
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const { findings } = planMigration(read.spec);
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("leaves private names out without a CA pool, and names the option", () => {
    const made = projectToMigration(world, { name: "shop", now });
    expect(made?.spec.certificates.map(({ domains }) => domains)).toEqual([["shop.example.com"]]);
    expect(made?.notices).toContainEqual(
      expect.stringMatching(/sslCertificates\/corp: \*\.corp\.internal is left out: .* add --ca-pool /),
    );
  });

  test("shows a certificate of a private CA as such in the table", () => {
    const [shop, ...others] = world.certificates as [ProjectCertificate, ...ProjectCertificate[]];
    const certificates = [{ ...shop, renewedBy: "google" as const, validation: "privateCa" as const }, ...others];
    const rows = projectTable({ ...world, certificates });
    expect(rows.map(({ certificate: name, renewedBy }) => [name, renewedBy])).toEqual([
      ["shop", "private CA"],
      ["corp", "you"],
    ]);
  });
});
