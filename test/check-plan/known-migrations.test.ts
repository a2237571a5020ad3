import { checkPlan, type KnownMigration, readTerraformPlan } from "../../lib/check-plan";
import { at, classicId, type Fields, id, judgedAt, parent, type Step } from "./plans";

/** The plan of a proxy's owner: only the proxy, with certificates and a map by their ids. */
function ownersPlan(before: Fields, after: Fields, more: readonly Step[] = []): string {
  const type = "google_compute_target_https_proxy";
  const changes = [{ address: at.proxy, actions: ["update"], before, after }, ...more];
  return JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    prior_state: {
      values: { root_module: { resources: [{ address: at.proxy, mode: "managed", type, values: before }] } },
    },
    resource_changes: changes.map(({ address, actions, ...change }) => ({
      address,
      mode: "managed",
      type: address.split(".")[0],
      change: { actions, after_unknown: {}, ...change },
    })),
  });
}

const map = `${parent}/certificateMaps/shop`;
const old = { id: "projects/p/global/sslCertificates/old", domains: ["example.com", "www.example.com"] };
const migration: KnownMigration = {
  gate: "wait",
  certificates: [{ id: id("shop"), name: "shop", kind: "managed", domains: ["example.com", "www.example.com"] }],
  entries: ["example.com", "www.example.com"].map((hostname) => ({ hostname, certificates: ["shop"] })),
  map: { id: map },
  servingProxies: [{ certificates: [old] }],
};
const oneEntry = { ...migration, entries: migration.entries.slice(0, 1) };
const otherNames = { ...migration, certificates: [{ ...migration.certificates[0]!, domains: ["example.com"] }] };
const ungated = { ...migration, gate: "none" as const };
const withoutNames = { ...migration, servingProxies: [] };

const direct: Fields = { name: "web", ssl_certificates: [classicId("old")] };
const attached: Fields = { ...direct, certificate_map: `//certificatemanager.googleapis.com/${map}` };
const detached: Fields = { ...attached, ssl_certificates: [] };

function summaries(plan: string, ...migrations: readonly KnownMigration[]): readonly string[] {
  const { dangers } = checkPlan(readTerraformPlan(plan, "plan"), judgedAt, { migrations });
  return dangers.map(({ code, hostnames = [] }) => [code, ...hostnames].join(" "));
}

test.each<[string, readonly KnownMigration[], readonly string[]]>([
  ["the map serves every name", [migration], []],
  [
    "an uploaded certificate serves every name",
    [{ ...migration, certificates: [{ ...migration.certificates[0]!, kind: "existing" }] }],
    [],
  ],
  ["the map has no entry for a name", [oneEntry], ["certificate-detached-unmapped www.example.com"]],
  [
    "the entry of a name has a certificate for other names",
    [otherNames],
    ["certificate-detached-unmapped www.example.com"],
  ],
  ["no gate waited for the certificates", [ungated], ["certificate-detached-unmapped example.com www.example.com"]],
  ["nothing has the names of the direct certificate", [withoutNames], ["certificate-detached-unchecked"]],
  [
    "the outputs are of another map",
    [{ ...migration, map: { id: `${map}-2` } }],
    ["certificate-detached-unchecked example.com www.example.com"],
  ],
  ["no outputs are given", [], ["certificate-detached-unchecked"]],
])("judges a detachment by the owner if %s", (_, migrations, expected) => {
  expect(summaries(ownersPlan(attached, detached), ...migrations)).toEqual(expected);
});

test.each<[string, readonly KnownMigration[], readonly string[]]>([
  ["the map serves every name", [migration], []],
  ["the map has no entry for a name", [oneEntry], ["map-switched-incomplete www.example.com"]],
  ["no gate waited for the certificates", [ungated], ["map-switched-early example.com www.example.com"]],
  ["two migrations share the map", [oneEntry, { ...migration, entries: migration.entries.slice(1) }], []],
  ["no outputs are given", [], ["map-switched-to-unknown"]],
])("judges an attachment by the owner if %s", (_, migrations, expected) => {
  expect(summaries(ownersPlan(direct, attached), ...migrations)).toEqual(expected);
});

test("refuses to attach the map and to detach the certificates in one apply, with and without the outputs", () => {
  for (const migrations of [[], [migration]]) {
    const codes = summaries(ownersPlan(direct, detached), ...migrations).map((text) => text.split(" ")[0]);
    expect(codes).toContain("certificate-detached-with-switch");
  }
});

test("compares a rollback with the names of the map and of the direct certificates", () => {
  const narrow = { ...migration, servingProxies: [{ certificates: [{ ...old, domains: ["example.com"] }] }] };
  expect(summaries(ownersPlan(attached, direct), migration)).toEqual([]);
  expect(summaries(ownersPlan(attached, direct), narrow)).toEqual(["map-detached www.example.com"]);
  expect(summaries(ownersPlan(attached, direct))).toEqual(["map-detached-to-unknown"]);
});

test("explains why a certificate without a gate does not count", () => {
  const { dangers } = checkPlan(readTerraformPlan(ownersPlan(direct, attached), "plan"), judgedAt, {
    migrations: [ungated],
  });
  expect(dangers[0]?.message).toContain('is not known to be ACTIVE, as the gate is "none"');
});

test("prefers what the plan itself contains to the outputs", () => {
  const mapType = "google_certificate_manager_certificate_map";
  const own = { address: `${mapType}.shop`, actions: ["no-op"], before: { name: "shop" }, after: { name: "shop" } };
  expect(summaries(ownersPlan(attached, detached, [own]), migration)).toEqual([
    "certificate-detached-unmapped example.com www.example.com",
  ]);
});

/** The plan that creates a second target SSL proxy with the map, and updates the target of the forwarding rule. */
function secondSslProxy(): string {
  const [type, rule] = ["google_compute_target_ssl_proxy", "google_compute_global_forwarding_rule"];
  const now = { name: "web", project: "p", ssl_certificates: [classicId("old")] };
  const changeOf = (address: string, change: object) => ({
    address,
    mode: "managed",
    type: address.split(".")[0],
    change,
  });
  const ofRule = { name: "web", project: "p", ip_address: "203.0.113.7" };
  const target = "https://www.googleapis.com/compute/v1/projects/p/global/targetSslProxies/web";
  return JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: [
      changeOf(`${type}.web`, { actions: ["no-op"], before: now, after: now, after_unknown: {} }),
      changeOf(`${type}.web_map`, {
        ...{ actions: ["create"], before: null, after_unknown: { id: true } },
        after: { name: "web-map", project: "p", certificate_map: attached.certificate_map },
      }),
      changeOf(`${rule}.web`, {
        ...{ actions: ["update"], before: { ...ofRule, target }, after: ofRule, after_unknown: { target: true } },
      }),
    ],
    configuration: {
      root_module: {
        resources: [
          { address: `${type}.web`, mode: "managed", type, name: "web", expressions: {} },
          { address: `${type}.web_map`, mode: "managed", type, name: "web_map", expressions: {} },
          {
            ...{ address: `${rule}.web`, mode: "managed", type: rule, name: "web" },
            expressions: { target: { references: [`${type}.web_map.id`, `${type}.web_map`] } },
          },
        ],
      },
    },
  });
}

test.each<[string, readonly KnownMigration[], readonly string[]]>([
  ["the map serves every name", [migration], []],
  ["the map has no entry for a name", [oneEntry], ["map-switched-incomplete www.example.com"]],
  ["no outputs are given", [], ["map-switched-to-unknown"]],
])("judges a second target SSL proxy with the map if %s", (_, migrations, expected) => {
  expect(summaries(secondSslProxy(), ...migrations)).toEqual(expected);
});

test("warns of a plan that creates the map of a known migration again, because its state is lost", () => {
  const created = { address: at.map, actions: ["create"], before: null, after: { name: "shop", project: "p" } };
  const plan = ownersPlan(attached, attached, [created as unknown as Step]);
  expect(summaries(plan, migration)).toEqual(["state-lost"]);
  expect(summaries(plan, { ...migration, map: { id: `${map}-2` } })).toEqual([]);
});
