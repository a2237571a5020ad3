import { DataGoogleDnsManagedZone } from "@cdktf/provider-google/lib/data-google-dns-managed-zone";
import { LoggingMetric } from "@cdktf/provider-google/lib/logging-metric";
import { App, TerraformHclModule, type TerraformStack, Testing } from "cdktf";
import { Construct } from "constructs";
import { CommandGate, type CommandGateProps, DnsPublication, LoadBalancer, WildcardCertWithAuth } from "../../lib";
import { loadEntry, otherPackage, stackOf } from "../support/kits";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, resourcesOf, type SynthesizedStack, synthesize } from "../support/synth";

type Dependencies = NonNullable<CommandGateProps["dependsOn"]>;

function gate(scope: Construct, dependsOn: Dependencies, id = "gate"): CommandGate {
  return new CommandGate(scope, id, { command: "./check.sh", triggers: [], dependsOn });
}

function metric(scope: Construct, id: string): LoggingMetric {
  return new LoggingMetric(scope, id, { name: id, filter: "severity>=ERROR" });
}

/** Returns what the gate with the id `gate` depends on, in order. */
function neededIn(synthesized: SynthesizedStack): readonly string[] {
  return [...((resourcesOf(synthesized, "terraform_data").gate?.depends_on ?? []) as string[])].sort();
}

/** Returns the addresses of all resources, in order. */
function addressesIn({ resource = {} }: SynthesizedStack): readonly string[] {
  return Object.entries(resource)
    .flatMap(([type, blocks]) => Object.keys(blocks).map((name) => `${type}.${name}`))
    .sort();
}

const isGate = (address: string) => address === "terraform_data.gate";

describe("in a stack without a migration, a gate waits for", () => {
  test.each<[what: string, dependencies: (stack: TerraformStack) => Dependencies, addresses: readonly string[]]>([
    ["an address", () => ["google_a.b"], ["google_a.b"]],
    ["a resource", (stack) => [metric(stack, "x")], ["google_logging_metric.x"]],
    [
      "a data source",
      (stack) => [new DataGoogleDnsManagedZone(stack, "zone", { name: "web" })],
      ["data.google_dns_managed_zone.zone"],
    ],
    ["a module", (stack) => [new TerraformHclModule(stack, "web", { source: "a/b/c" })], ["module.web"]],
    ["a dependable of the kit that is not a construct", () => [{ fqn: "module.web" }], ["module.web"]],
    ["another gate", (stack) => [gate(stack, [], "first")], ["terraform_data.first"]],
    [
      "several values, each once",
      (stack) => ["google_logging_metric.x", metric(stack, "x")],
      ["google_logging_metric.x"],
    ],
    ["nothing", () => [], []],
  ])("%s", (_, dependencies, addresses) => {
    const stack = newStack();
    gate(stack, dependencies(stack));
    const needed = neededIn(synthesize(stack));
    expect(needed).toEqual(addresses);
    expect(neededIn(JSON.parse(Testing.synth(stack)))).toEqual(needed);
  });

  test("every resource of a construct, also of later ones", () => {
    const stack = newStack();
    const team = new Construct(stack, "team");
    gate(stack, [team]);
    for (const id of ["x", "y"]) metric(team, id);
    const synthesized = synthesize(stack);
    expect(neededIn(synthesized)).toEqual(addressesIn(synthesized).filter((address) => !isGate(address)));
    expect(neededIn(synthesized)).toHaveLength(2);
  });
});

test("a gate waits for every resource of a migration, with its shared resources", () => {
  const stack = newStack();
  gate(stack, [migrate(stack, { enableApis: true })]);
  const synthesized = synthesize(stack);
  expect(neededIn(synthesized)).toEqual(addressesIn(synthesized).filter((address) => !isGate(address)));
});

test("a gate waits for a milestone of a migration, and for WildcardCertWithAuth", () => {
  const stack = newStack();
  const certificateMap = "projects/p/locations/global/certificateMaps/web";
  const dns = DnsPublication.cloudDns({ zones: { "b.example.com": "b" } });
  const wild = new WildcardCertWithAuth(stack, "wild", { domain: "b.example.com", dns, certificateMap });
  const loadBalancer = LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "web" } });
  const { attached } = migrate(stack, { loadBalancer });
  gate(stack, [attached, wild]);
  const needed = neededIn(synthesize(stack));
  expect(needed.filter((address) => address.includes(".shop_"))).toEqual([
    expect.stringMatching(/^google_compute_target_https_proxy\.shop_target-https-proxy_/),
  ]);
  expect(needed).toEqual(expect.arrayContaining([expect.stringMatching(/certificate_map_entry\.wild_entry-/)]));
});

test("constructs wait for a gate by 'node.addDependency'", () => {
  const stack = newStack();
  const x = metric(stack, "x");
  x.node.addDependency(gate(stack, []));
  expect(resourcesOf(synthesize(stack), "google_logging_metric").x?.depends_on).toEqual(["terraform_data.gate"]);
});

test.each([
  ["without a migration", () => undefined],
  ["with a migration", migrate],
])("a stack %s is applied after the stack of a construct on which its gate depends", (_, add) => {
  const app = newApp();
  const [first, second] = [newStack(app, "first"), newStack(app, "second")];
  gate(second, [metric(first, "x")]);
  add(second);
  app.synth();
  expect(second.dependencies).toEqual([first]);
  expect(neededIn(synthesize(second))).toEqual([]);
});

describe("a cycle", () => {
  const message =
    "'prod/gate' depends on 'prod/x' by 'dependsOn' or 'node.addDependency', and 'prod/x' depends on 'prod/gate': google_logging_metric.x needs terraform_data.gate; remove one of the two dependencies";

  function cycle(stack: TerraformStack): void {
    const x = metric(stack, "x");
    gate(stack, [x]);
    x.dependsOn = ["terraform_data.gate"];
  }

  test.each([
    ["without a migration", () => undefined],
    ["with a migration", migrate],
  ])("is refused with both names in a stack %s", (_, add) => {
    const stack = newStack();
    cycle(stack);
    add(stack);
    expect(() => Testing.synth(stack)).toThrow(message);
    expect(refusal(() => Testing.synth(stack))).toEqual(["dependency-cycle"]);
  });

  test("is accepted if the app skips validations", () => {
    const stack = newStack(new App({ skipValidation: true, outdir: newApp().outdir }));
    cycle(stack);
    expect(neededIn(JSON.parse(Testing.synth(stack)))).toEqual(["google_logging_metric.x"]);
  });
});

test("a construct of the other kit is refused", () => {
  const foreign = stackOf(loadEntry(otherPackage));
  expect(refusal(() => gate(newStack(), [foreign]))).toEqual(["kit-mixed"]);
});
