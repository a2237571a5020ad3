import fc from "fast-check";
import { synthesizeSpec } from "../../../lib/cli/synthesize";
import { sourceFromSpec } from "../../../lib/source";
import { comparePlans, planRows, planTrees, treeLines } from "../../../lib/source/plan-view";
import { arbitrarySpec } from "../../support/arbitrary-spec";
import { shopSpec } from "../../support/migration-spec";

const source = (spec: string) => sourceFromSpec(spec, { source: "migration.yaml" });
/** Hashes of names are pinned where names are made. */
const unhashed = (text: string) => text.replace(/-[0-9a-f]{12}\b/g, "-#");

test("lists rows in the order of creation", () => {
  expect(planRows(source(shopSpec)).map(({ what, name, detail }) => unhashed(`${what} ${name}: ${detail}`))).toEqual([
    "authorization example-com-#: for example.com",
    "authorization pay-example-net-#: for pay.example.net",
    "record _acme-challenge.example.com.: CNAME, written in Cloud DNS, zone of example.com",
    "record _acme-challenge.pay.example.net.: CNAME, written in Cloud DNS, zone of example.net",
    "certificate example-com-#: managed, *.example.com, example.com",
    "certificate pay-#: managed, pay.example.net",
    "gate : before entries: 'cert-migration wait' until certificate example.com is ACTIVE",
    "gate : before entries: 'cert-migration wait' until certificate pay is ACTIVE",
    "map shop-#: certificate map",
    "entry wildcard-example-com-#: *.example.com by example.com",
    "entry example-com-#: example.com by example.com",
    "entry pay-example-net-#: pay.example.net by pay",
    "gate : before proxies: 'cert-migration wait --for entries'",
    "proxy shop-https-#: presents the certificates",
    "forwarding rule shop-https-ipv4-#: IPv4 203.0.113.7, port 443",
    "traffic cert-migration-ingress.example.net.: addresses of the load balancer, the target of aliases",
    "traffic example.com.: to where it was",
    "traffic pay.example.net.: to where it was",
  ]);
});

test("a tree shows what validates the domains of a certificate, what it serves, and everything after it", () => {
  expect(treeLines(planTrees(source(shopSpec))).map(unhashed)).toEqual([
    "shop (phase serve, gate wait, globalExternal)",
    "├─ certificate example.com example-com-# [managed]",
    "│  ├─ *.example.com, example.com: authorization example-com-#",
    "│  │  └─ CNAME _acme-challenge.example.com., written in Cloud DNS",
    "│  ├─ gate before entries: 'cert-migration wait' until certificate example.com is ACTIVE",
    "│  ├─ serves *.example.com (wildcard-example-com-#)",
    "│  └─ serves example.com (example-com-#)",
    "├─ certificate pay pay-# [managed]",
    "│  ├─ pay.example.net: authorization pay-example-net-#",
    "│  │  └─ CNAME _acme-challenge.pay.example.net., written in Cloud DNS",
    "│  ├─ gate before entries: 'cert-migration wait' until certificate pay is ACTIVE",
    "│  └─ serves pay.example.net (pay-example-net-#)",
    "├─ map shop-#",
    "│  ├─ gate before proxies: 'cert-migration wait --for entries'",
    "│  └─ proxy shop-https-#",
    "├─ forwarding rule shop-https-ipv4-#: IPv4 203.0.113.7, port 443",
    "└─ traffic",
    "   ├─ cert-migration-ingress.example.net. addresses of the load balancer, the target of aliases",
    "   ├─ example.com. to where it was",
    "   └─ pay.example.net. to where it was",
  ]);
});

test("a tree contains every item of the plan", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const migration = sourceFromSpec(JSON.stringify(spec), { source: "migration.yaml" });
      const shown = treeLines(planTrees(migration)).join("\n");
      for (const { what, identity, name, detail } of planRows(migration)) {
        const otherwise = what === "record" ? `CNAME for ${identity}` : detail;
        expect(shown).toContain(name === "" ? otherwise : name);
      }
    }),
    { numRuns: 50 },
  );
});

test("a plan contains every resource of the synthesized stack", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const { resource } = synthesizeSpec(spec, "my-project") as { resource: Record<string, Record<string, Block>> };
      const rows = planRows(sourceFromSpec(JSON.stringify(spec), { source: "migration.yaml" }));
      const made = Object.entries(resource).flatMap(([type, blocks]) =>
        Object.values(blocks).map(({ name, service }) =>
          type === "terraform_data" ? "gate" : (name ?? service ?? ""),
        ),
      );
      const named = made.filter((name) => name !== "gate" && !name.startsWith("${"));
      expect(named.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
      // Terraform reads the name of a record from its authorization.
      const records = rows.filter(({ what, detail }) => what === "record" && detail.includes("written in Cloud DNS"));
      expect(made.filter((name) => name.startsWith("${"))).toHaveLength(records.length);
      expect(made.includes("gate")).toBe(spec.gate === "wait" && rows.some(({ what }) => what === "gate"));
    }),
    { numRuns: 20 },
  );
});

type Block = { readonly name?: string; readonly service?: string };

test("a tree shows authorizations and entries that no certificate of the migration refers to", () => {
  const [migration] = source(shopSpec).migrations;
  const [tree] = planTrees({ migrations: [{ ...migration!, certificates: [] }] });
  const shown = treeLines([tree!]).map(unhashed);
  expect(shown).toContain("├─ example.com: authorization example-com-#");
  expect(shown).toContain("├─ entry pay-example-net-# serves pay.example.net");
});

test("ends the tree with the proxies if certificates are attached directly", () => {
  const direct = shopSpec
    .replace("kind: globalExternal", "kind: regionalExternal\n  region: europe-west1")
    .replace("203.0.113.7 }", "203.0.113.7, network: default }");
  const [node] = planTrees(source(direct));
  expect(node?.children.map(({ text }) => unhashed(text.split(" ")[0] ?? ""))).toEqual([
    "certificate",
    "certificate",
    "proxy",
    "forwarding",
    "traffic",
  ]);
});

test("compares each of several migrations with itself", () => {
  const [one] = source(shopSpec).migrations;
  const two = { migrations: [one!, { ...one!, path: "other" }] };
  const without = { migrations: [one!, { ...one!, path: "other", entries: [] }] };
  const reported = comparePlans(planRows(two), planRows(without)).map(({ change, before }) => [
    change,
    before?.migration,
  ]);
  expect(reported).toEqual(Array(3).fill(["removed", "other"]));
});

test("has no differences for the same spec in another order", () => {
  const reordered = shopSpec.replace('[example.com, "*.example.com"]', '["*.example.com", example.com]');
  expect(comparePlans(planRows(source(shopSpec)), planRows(source(reordered)))).toEqual([]);
});

test.each([
  [
    "another domain replaces the certificate and adds an entry",
    ["domains: [pay.example.net]", "domains: [pay.example.net, '*.pay.example.net']"],
    ["replaced certificate pay", "added entry *.pay.example.net"],
  ],
  [
    "moving traffic changes it after a gate, and nothing else",
    ["to: previous", "to: loadBalancer"],
    ["added gate verification", "changed traffic example.com", "changed traffic pay.example.net"],
  ],
  [
    "stopping after issuance takes away gates, map, entries, proxy and forwarding rule",
    ["name: shop", "name: shop\nphase: issue"],
    [
      "removed gate example.com",
      "removed gate pay",
      "removed map shop",
      "removed entry *.example.com",
      "removed entry example.com",
      "removed entry pay.example.net",
      "removed gate entries",
      "removed proxy",
      "removed forwarding rule https-ipv4",
    ],
  ],
])("%s", (_, [from = "", to = ""], expected) => {
  const differences = comparePlans(planRows(source(shopSpec)), planRows(source(shopSpec.replace(from, to))));
  const reported = differences.map(({ change, before, after }) => {
    const { what, identity } = (after ?? before)!;
    return what === "proxy" ? `${change} ${what}` : `${change} ${what} ${identity}`;
  });
  expect(reported).toEqual(expected);
});
