import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "../../lib/constructs";
import type { RehearsalContext, RehearsalVariant } from "../../lib/rehearsed";
import { DnsResource } from "../support/dns-resource";
import { newApp, newStack, onlyResource, resourcesOf, synthesize } from "../support/synth";

const begin: RehearsalVariant = { phase: "issue", traffic: "previous", rotated: false, reissues: 0 };

/** A stack with two migrations, as an app would make it. */
function synthesizedAt(context?: object) {
  const app = newApp(context === undefined ? {} : { "cert-migration:rehearsal": context });
  const stack = newStack(app);
  const make = (id: string, domain: string, address: string) =>
    new ManagedCertMigration(stack, id, {
      certificates: [Certificate.managed({ domains: [domain] })],
      dns: DnsPublication.external(),
      loadBalancer: LoadBalancer.globalExternal({
        newTargetHttpsProxy: { urlMap: id, forwardingRules: { ipv4Address: address } },
      }),
      gateCommand: "npx cert-migration",
    });
  make("shop", "shop.example.com", "203.0.113.7");
  make("pay", "pay.example.net", "203.0.113.8");
  return synthesize(stack);
}

const asked = (variant: Partial<RehearsalVariant>, rotating?: string): RehearsalContext => ({
  version: 2,
  variant: { ...begin, ...variant },
  gateCommand: "own",
  ...(rotating === undefined ? {} : { rotating }),
});

test("uses only the code outside a rehearsal", () => {
  const stack = synthesizedAt();
  expect(Object.keys(resourcesOf(stack, "google_certificate_manager_certificate_map_entry"))).toHaveLength(2);
  expect(resourcesOf(stack, "google_dns_record_set")).toEqual({});
});

test("uses the rehearsal's phase and gate command", () => {
  expect(resourcesOf(synthesizedAt(asked({})), "google_certificate_manager_certificate_map_entry")).toEqual({});
  const served = synthesizedAt(asked({ phase: "serve" }));
  const [gate] = Object.values(resourcesOf(served, "terraform_data"));
  expect(JSON.stringify(gate)).toContain('"own wait --from-environment"');
});

test("manages traffic, and moves it to the rehearsal's target", () => {
  const dataOf = (traffic: RehearsalVariant["traffic"]) =>
    Object.values(resourcesOf(synthesizedAt(asked({ phase: "serve", traffic })), "google_dns_record_set"))
      .filter(({ type }) => type === "A")
      .map(({ name, rrdatas }) => [name, rrdatas]);
  expect(dataOf("previous")).toEqual([
    ["pay.example.net.", ["198.51.100.10"]],
    ["shop.example.com.", ["198.51.100.10"]],
  ]);
  expect(dataOf("loadBalancer")).toEqual([
    ["pay.example.net.", ["203.0.113.8"]],
    ["shop.example.com.", ["203.0.113.7"]],
  ]);
});

test("gives each migration without a load balancer an address of its own, and keeps the addresses of the others", () => {
  const app = newApp({ "cert-migration:rehearsal": asked({ phase: "serve", traffic: "loadBalancer" }) });
  const stack = newStack(app);
  const make = (id: string, ipv4Address?: string) =>
    new ManagedCertMigration(stack, id, {
      certificates: [Certificate.managed({ domains: [`${id}.example.com`] })],
      dns: DnsPublication.external(),
      ...(ipv4Address === undefined
        ? {}
        : {
            loadBalancer: LoadBalancer.globalExternal({
              newTargetHttpsProxy: { urlMap: id, forwardingRules: { ipv4Address } },
            }),
          }),
    });
  make("shop", "203.0.113.7");
  make("pay");
  make("media");
  const rows = Object.values(resourcesOf(synthesize(stack), "google_dns_record_set"));
  expect(rows.flatMap(({ name, type, rrdatas }) => (type === "A" ? [[name, rrdatas]] : []))).toEqual([
    ["media.example.com.", ["198.19.248.235"]],
    ["pay.example.com.", ["198.19.255.211"]],
    ["shop.example.com.", ["203.0.113.7"]],
  ]);
});

test("adds a domain to one migration only", () => {
  const stack = synthesizedAt(asked({ rotated: true }, "prod/pay"));
  const domains = Object.values(resourcesOf(stack, "google_certificate_manager_certificate")).map(
    ({ managed }) => (managed as { readonly domains: readonly string[] }).domains,
  );
  expect(domains).toEqual([["added.by-rehearsal.pay.example.net", "pay.example.net"], ["shop.example.com"]]);
});

test("uses observed addresses for addresses that the code does not state", () => {
  const app = newApp({
    "cert-migration:rehearsal": asked({ phase: "serve", traffic: "loadBalancer", addresses: ["203.0.113.99"] }),
  });
  const stack = newStack(app);
  new ManagedCertMigration(stack, "shop", {
    certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
    dns: DnsPublication.cloudDns({ zones: { "example.com": "zone" } }),
    loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "web" } }),
    gate: "none",
  });
  const records = resourcesOf(synthesize(stack), "google_dns_record_set");
  expect(Object.values(records).find(({ type }) => type === "A")).toMatchObject({ rrdatas: ["203.0.113.99"] });
  expect(onlyResource(synthesize(stack), "google_compute_target_https_proxy")).toMatchObject({ url_map: "web" });
});

test("fails for the context of another release", () => {
  expect(() => synthesizedAt({ version: 1 })).toThrow(
    "prod/shop: 'cert-migration:rehearsal' is not understood; rehearse with the cert-migration command of the release that the app uses",
  );
});

test("replaces the publisher of records at another DNS provider by records in the rehearsal's Cloud DNS", () => {
  const synthesized = (context: Readonly<Record<string, unknown>>) => {
    const stack = newStack(newApp(context));
    new ManagedCertMigration(stack, "shop", {
      certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
      dns: DnsPublication.custom({
        publish: (scope) => [{ resource: new DnsResource(scope, "record", "aws_route53_record", {}) }],
      }),
    });
    return synthesize(stack);
  };
  const countOf = (stack: ReturnType<typeof synthesized>) =>
    ["aws_route53_record", "google_dns_record_set"].map((type) => Object.keys(resourcesOf(stack, type)).length);
  expect(countOf(synthesized({}))).toEqual([1, 0]);
  // The CNAME of the authorization, and the address of today.
  expect(countOf(synthesized({ "cert-migration:rehearsal": asked({ phase: "serve" }) }))).toEqual([0, 2]);
});
