import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeUrlMap } from "@cdktf/provider-google/lib/compute-url-map";
import { DataGoogleDnsManagedZone } from "@cdktf/provider-google/lib/data-google-dns-managed-zone";
import { LoggingMetric } from "@cdktf/provider-google/lib/logging-metric";
import { type ITerraformDependable, TerraformHclModule, TerraformLocal, type TerraformStack, Testing } from "cdktf";
import { Construct, type IDependable } from "constructs";
import { Certificate, DnsPublication, LoadBalancer, type ManagedCertMigration, WildcardCertWithAuth } from "../../lib";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, resourcesOf, type SynthesizedStack, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

/** Creates a resource without references. */
function metric(scope: Construct, id: string, dependsOn: ITerraformDependable[] = []): LoggingMetric {
  return new LoggingMetric(scope, id, {
    name: id,
    filter: "severity>=ERROR",
    ...(dependsOn.length > 0 && { dependsOn }),
  });
}

/** Returns `depends_on` of all resources by address; resources without it have an empty list. */
function dependenciesOf({ resource = {} }: SynthesizedStack): Readonly<Record<string, readonly string[]>> {
  const ofTypes = Object.entries(resource).flatMap(([type, blocks]) =>
    Object.entries(blocks).map(([name, { depends_on = [] }]) => [`${type}.${name}`, depends_on as string[]] as const),
  );
  return Object.fromEntries(ofTypes);
}

const loadBalancer = LoadBalancer.globalExternal({
  newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } },
});
const ofX = "google_logging_metric.x";
const isOfX = (address: string) => address.startsWith("google_logging_metric.");

describe("migration.node.addDependency(x)", () => {
  test("orders every resource of the migration after x, also those that no other migration shares", () => {
    const stack = newStack();
    migrate(stack, { loadBalancer, enableApis: true }).node.addDependency(metric(stack, "x"));
    const synthesized = synthesize(stack);
    const dependencies = Object.entries(dependenciesOf(synthesized)).filter(([address]) => !isOfX(address));
    expect(dependencies.filter(([, names]) => !names.includes(ofX))).toEqual([]);
    expect(dependenciesOf(synthesized)[ofX]).toEqual([]);
    expect(mistakesOf(synthesized)).toEqual([]);
  });

  test("orders a shared resource after x if all migrations that use it depend on x, so that none waits for another", () => {
    const shared = (ids: readonly string[]) => {
      const stack = newStack();
      const x = metric(stack, "x");
      for (const id of ["one", "two"]) {
        const migration = migrate(stack, {}, id);
        if (ids.includes(id)) migration.node.addDependency(x);
      }
      const dependencies = dependenciesOf(synthesize(stack));
      return Object.keys(dependencies).filter(
        (address) => address.includes("cert-migration-shared") && dependencies[address]?.includes(ofX),
      );
    };
    expect(shared(["one"])).toEqual([]);
    expect(shared(["one", "two"])).toHaveLength(2);
  });

  test("accepts data sources, modules, and constructs with several resources", () => {
    const stack = newStack();
    const data = new DataGoogleDnsManagedZone(stack, "data", { name: "web" });
    const module = new TerraformHclModule(stack, "module", { source: "example/module/google" });
    const several = new Construct(stack, "several");
    for (const id of ["one", "two"]) metric(several, id);
    const { map, node } = migrate(stack);
    node.addDependency(data, module, several);
    const block = Object.values(resourcesOf(synthesize(stack), "google_certificate_manager_certificate_map"))[0];
    expect(map?.node.path).toBe("prod/shop/map");
    expect(block?.depends_on).toEqual([
      "data.google_dns_managed_zone.data",
      "module.module",
      expect.stringMatching(/^google_logging_metric\.several_one_/),
      expect.stringMatching(/^google_logging_metric\.several_two_/),
    ]);
  });

  test("is the same in repeated syntheses, in an app and in a test", () => {
    const app = newApp();
    const stack = newStack(app);
    migrate(stack).node.addDependency(metric(stack, "x"));
    const { resource } = synthesize(stack);
    app.synth();
    expect(synthesize(stack).resource).toEqual(resource);
    expect(JSON.parse(Testing.synth(stack)).resource).toEqual(resource);
  });
});

test("x.node.addDependency(migration) orders x after every resource of the migration, with its shared resources", () => {
  const stack = newStack();
  const before = metric(stack, "before");
  metric(stack, "x", [before]).node.addDependency(migrate(stack, { loadBalancer }));
  const dependencies = dependenciesOf(synthesize(stack));
  const others = Object.keys(dependencies).filter((address) => !isOfX(address));
  expect([...(dependencies[ofX] ?? [])].sort()).toEqual([...others, "google_logging_metric.before"].sort());
});

test("x.node.addDependency(migration) orders constructs around x and around the migration, and modules and data sources", () => {
  const stack = newStack();
  const [team, service] = ["team", "service"].map((id) => new Construct(stack, id)) as [Construct, Construct];
  migrate(service as TerraformStack);
  metric(team, "x");
  metric(service, "own");
  new DataGoogleDnsManagedZone(team, "data", { name: "web" });
  new TerraformHclModule(team, "module", { source: "example/module/google" });
  team.node.addDependency(service);
  const synthesized = synthesize(stack) as SynthesizedStack & {
    readonly data: SynthesizedStack["resource"];
    readonly module: Readonly<Record<string, { readonly depends_on: readonly string[] }>>;
  };
  const dependencies = dependenciesOf(synthesized);
  const [, ofTeam] = Object.entries(dependencies).find(([address]) => address.includes("team_x")) ?? [];
  const ofMigration = Object.keys(dependencies).filter((address) => !isOfX(address));
  expect([...(ofTeam ?? [])].sort()).toEqual([...ofMigration].sort());
  expect(Object.values(synthesized.module)[0]?.depends_on).toEqual(ofTeam);
  expect(Object.values(synthesized.data?.google_dns_managed_zone ?? {})[0]?.depends_on).toEqual(ofTeam);
});

test("x.node.addDependency(migration) orders x after WildcardCertWithAuth, with its shared resources, and after a milestone of its migration", () => {
  const stack = newStack();
  const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
  const map = "projects/my-project/locations/global/certificateMaps/web";
  const wild = new WildcardCertWithAuth(stack, "wild", { domain: "example.com", dns, certificateMap: map });
  metric(stack, "x").node.addDependency(wild);
  metric(stack, "y").node.addDependency(wild.migration.issued);
  const dependencies = dependenciesOf(synthesize(stack));
  const others = Object.keys(dependencies).filter((address) => !isOfX(address));
  expect([...(dependencies[ofX] ?? [])].sort()).toEqual(others.sort());
  expect(dependencies["google_logging_metric.y"]).toEqual([expect.stringMatching(/^terraform_data\.wild_gate-/)]);
});

test("x.node.addDependency(migration) orders x after one resource, and another migration after the first", () => {
  const stack = newStack();
  const first = migrate(stack);
  const x = metric(stack, "x");
  x.node.addDependency(first.map as NonNullable<typeof first.map>);
  const second = migrate(
    stack,
    { certificates: [Certificate.managed({ domains: ["example.com", "b.example.com"] })] },
    "again",
  );
  second.node.addDependency(first);
  const synthesized = synthesize(stack);
  expect(dependenciesOf(synthesized)[ofX]).toEqual([
    expect.stringMatching(/^google_certificate_manager_certificate_map\.shop_map_/),
  ]);
  const maps = resourcesOf(synthesized, "google_certificate_manager_certificate_map");
  const [, later] = Object.entries(maps).find(([name]) => name.startsWith("again")) ?? [];
  expect(later?.depends_on).toContain(`google_certificate_manager_certificate_map.${Object.keys(maps)[1]}`);
});

test("x.node.addDependency(migration) leaves dependencies between other constructs without effect, as the kits do", () => {
  const stack = newStack();
  migrate(stack);
  metric(stack, "x").node.addDependency(metric(stack, "y"));
  expect(dependenciesOf(synthesize(stack))[ofX]).toEqual([]);
});

describe("a cycle of dependencies", () => {
  const cases: readonly [string, (stack: TerraformStack, migration: ManagedCertMigration) => void, string][] = [
    [
      "between a migration and x",
      (stack, migration) => {
        const x = metric(stack, "x");
        x.node.addDependency(migration);
        migration.node.addDependency(x);
      },
      "'prod/shop' depends on 'prod/x' by 'node.addDependency', and 'prod/x' depends on 'prod/shop'",
    ],
    [
      "by a reference",
      (stack, { node, map }) => {
        const name = map?.name ?? "";
        node.addDependency(new LoggingMetric(stack, "x", { name: "x", filter: name }));
      },
      "'prod/shop' depends on 'prod/x' by 'node.addDependency', and 'prod/x' depends on 'prod/shop': google_logging_metric.x needs google_certificate_manager_certificate_map.shop_map_",
    ],
    [
      "by a local value",
      (stack, { node, map }) => {
        const local = new TerraformLocal(stack, "local", map?.name);
        node.addDependency(new LoggingMetric(stack, "x", { name: "x", filter: local.asString }));
      },
      "google_logging_metric.x needs local.local needs google_certificate_manager_certificate_map.shop_map_",
    ],
    [
      "of a migration with a part of it",
      (_, { node, map }) => node.addDependency(map as NonNullable<typeof map>),
      "'prod/shop' depends on 'prod/shop/map' by 'node.addDependency', and 'prod/shop/map' depends on 'prod/shop'",
    ],
    [
      "between two migrations",
      (stack, migration) => {
        const again = migrate(stack, { certificates: [Certificate.managed({ domains: ["b.example.com"] })] }, "again");
        again.node.addDependency(migration);
        migration.node.addDependency(again);
      },
      "'prod/shop' depends on 'prod/again' by 'node.addDependency', and 'prod/again' depends on 'prod/shop'",
    ],
  ];

  test.each(cases)("%s is refused with both names", (_, declare, message) => {
    const stack = newStack();
    declare(stack, migrate(stack, { enableApis: true }));
    expect(() => Testing.synth(stack)).toThrow(message);
    expect(refusal(() => Testing.synth(stack))).toEqual(["dependency-cycle"]);
  });
});

describe("a dependency across stacks", () => {
  const stacks = (declare: (migration: ManagedCertMigration, x: Construct) => void) => {
    const app = newApp();
    const [first, second] = ["first", "second"].map((id) => newStack(app, id)) as [TerraformStack, TerraformStack];
    declare(migrate(first), metric(second, "x"));
    app.synth();
    return [first, second].map(({ dependencies }) => dependencies.map(({ node }) => node.path));
  };

  test.each<[string, (migration: ManagedCertMigration) => IDependable]>([
    ["a migration", (migration) => migration],
    ["a milestone", ({ attached }) => attached],
    ["its stack", ({ node }) => node.scopes[1] as Construct],
  ])("on %s orders the stacks", (_, target) => {
    expect(stacks((migration, x) => x.node.addDependency(target(migration)))).toEqual([[], ["first"]]);
  });

  test("between other constructs leaves the stacks without an order", () => {
    const order = stacks(({ node }, x) => x.node.addDependency(metric(node.scopes[1] as Construct, "y")));
    expect(order).toEqual([[], []]);
  });

  test("of a migration orders the stacks, and both directions are refused with both names", () => {
    expect(stacks((migration, x) => migration.node.addDependency(x))).toEqual([["second"], []]);
    const both = (migration: ManagedCertMigration, x: Construct) => {
      migration.node.addDependency(x);
      x.node.addDependency(migration);
    };
    expect(() => stacks(both)).toThrow(
      "'second/x' depends on 'first/shop' by 'node.addDependency', and 'first/shop' depends on 'second/x': second needs first needs second; remove one of the two dependencies",
    );
  });
});

test("a dependency on a migration with proxies of the app does not include the proxies, which 'attached' does", () => {
  const stack = newStack();
  const urlMap = new ComputeUrlMap(stack, "map", { name: "web" });
  const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "web", urlMap: urlMap.id });
  const migration = migrate(stack, { loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] }) });
  metric(stack, "x").node.addDependency(migration);
  metric(stack, "y").node.addDependency(migration.attached);
  const dependencies = dependenciesOf(synthesize(stack));
  expect(dependencies[ofX]).not.toContain("google_compute_target_https_proxy.proxy");
  expect(dependencies["google_logging_metric.y"]).toEqual(["google_compute_target_https_proxy.proxy"]);
});
