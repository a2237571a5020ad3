import { synthesizeSpec } from "../../lib/cli/synthesize";
import { type MigrationSpec, planMigration } from "../../lib/plan";
import { sourceFromStack } from "../../lib/source";
import { furtherOfPlan } from "../../lib/source/further";
import { makeClientPki } from "../support/client-certificates";

const plain: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com"] }, { name: "pay", domains: ["pay.example.com"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
  loadBalancer: {
    kind: "globalExternal",
    newTargetHttpsProxy: { urlMap: "um", forwardingRules: { ipv4Address: "203.0.113.7" } },
  },
  traffic: {
    to: "loadBalancer",
    hostnames: ["example.com", "pay.example.com"],
    previous: { "example.com": { a: ["198.51.100.1"] }, "pay.example.com": { cname: "old.example.net." } },
  },
};

const shown = (change: Partial<MigrationSpec> = {}) =>
  furtherOfPlan(planMigration({ ...plain, ...change })).map(({ what, identity }) => `${what} ${identity}`);

test("contains gates, forwarding rules and the targets of aliases, in the order of creation", () => {
  expect(shown()).toEqual([
    "gate example.com",
    "gate pay",
    "gate entries",
    "forwarding rule https-ipv4",
    "traffic cert-migration-ingress.example.com",
    "gate verification",
  ]);
});

test("a plan has the APIs to enable, with the projects of their zones", () => {
  const zones = { "example.com": { name: "example-com", project: "my-dns" } };
  const plan = planMigration({ ...plain, dns: { kind: "cloudDns", zones } });
  const apis = (all: readonly { what: string; identity: string }[]) => all.filter(({ what }) => what === "API");
  expect(apis(furtherOfPlan(plan, true)).map(({ identity }) => identity)).toEqual([
    "certificatemanager.googleapis.com",
    "dns.googleapis.com in project my-dns",
    "compute.googleapis.com",
  ]);
  expect(apis(furtherOfPlan(plan))).toEqual([]);
});

test.each<[string, Partial<MigrationSpec>, readonly string[]]>([
  ["in phase 'issue', which creates no entries", { phase: "issue", traffic: { to: "previous", previous: {} } }, []],
  ["without a gate", { gate: "none" }, []],
  ["with a precondition, which is part of the entries", { gate: "precondition" }, ["gate example.com", "gate pay"]],
])("gates %s", (_, change, gates) => {
  expect(shown(change).filter((one) => one.startsWith("gate"))).toEqual(gates);
});

test("shows the same for a synthesized stack and its spec", () => {
  const { root, client } = makeClientPki();
  const newTargetHttpsProxy = {
    urlMap: "um",
    clientAuthentication: { mode: "REJECT_INVALID", trustAnchors: [root.pem], allowlisted: [client().pem] },
  } as const;
  const spec = {
    ...plain,
    loadBalancer: { kind: "globalExternal", newTargetHttpsProxy, addresses: ["203.0.113.7"] },
  } as const;
  const text = JSON.stringify(synthesizeSpec({ ...spec, enableApis: true }, "my-project"));
  const { further = [] } = sourceFromStack(text, "stack").migrations[0] ?? {};
  const bySubject = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort();
  expect(further.length).toBeGreaterThan(0);
  expect(bySubject(further)).toEqual(bySubject(furtherOfPlan(planMigration(spec), true)));
});
