import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { Aspects, type IAspect, TerraformResource, type TerraformStack, Testing } from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { Certificate, DnsPublication, LoadBalancer, WildcardCertWithAuth } from "../../lib";
import { migrate } from "../support/migrate";
import { newApp, newStack, onlyResource, resourcesOf, type SynthesizedStack, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

/** Sets labels, without the labels that a resource has. */
class Labels implements IAspect {
  readonly labels: Readonly<Record<string, string>>;

  constructor(labels: Readonly<Record<string, string>>) {
    this.labels = labels;
  }

  visit(node: IConstruct): void {
    if (TerraformResource.isTerraformResource(node) && "labels" in node) Object.assign(node, { labels: this.labels });
  }
}

/** Records the resources that it visits. */
class Visits implements IAspect {
  readonly paths: string[] = [];

  visit(node: IConstruct): void {
    if (TerraformResource.isTerraformResource(node)) this.paths.push(node.node.path);
  }
}

/** Returns the warnings of a stack, by the path of their construct. */
function warningsOf(stack: TerraformStack): readonly (readonly [string, string])[] {
  return stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata.map(({ type, data }) => [node.path, type, String(data)] as const))
    .flatMap(([path, type, data]) => (type === "@cdktf/warn" ? [[path, data] as const] : []));
}

/** Returns the labels of all resources that have some. */
function labelsOf({ resource = {} }: SynthesizedStack): Readonly<Record<string, unknown>> {
  const ofTypes = Object.entries(resource).flatMap(([type, blocks]) =>
    Object.values(blocks).flatMap(({ labels }) => (labels === undefined ? [] : [[type, labels] as const])),
  );
  return Object.fromEntries(ofTypes);
}

const loadBalancer = LoadBalancer.globalExternal({
  newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } },
});
const authorization = "google_certificate_manager_dns_authorization";

test("an aspect of a migration visits every resource of the migration once, with those that it shares with no other migration", () => {
  const stack = newStack();
  const migration = migrate(stack, { loadBalancer, enableApis: true });
  const visits = new Visits();
  Aspects.of(migration).add(visits);
  const synthesized = synthesize(stack);
  expect(visits.paths).toHaveLength(Object.values(synthesized.resource ?? {}).flatMap(Object.keys).length);
  expect(new Set(visits.paths).size).toBe(visits.paths.length);
  expect(visits.paths).toEqual(
    expect.arrayContaining([
      "prod/cert-migration-shared/authorization-example.com",
      "prod/cert-migration-shared/record-example.com",
      "prod/cert-migration-shared/api-dns.googleapis.com",
    ]),
  );
});

test("an aspect of a migration adds labels, and the migration's own labels stay", () => {
  const stack = newStack();
  const migration = migrate(stack, { loadBalancer, labels: { team: "web" } });
  Aspects.of(migration).add(new Labels({ team: "platform", env: "prod" }));
  const both = { team: "web", env: "prod" };
  expect(labelsOf(synthesize(stack))).toEqual({
    [authorization]: both,
    google_certificate_manager_certificate: both,
    google_certificate_manager_certificate_map: both,
    google_certificate_manager_certificate_map_entry: both,
    google_compute_global_forwarding_rule: both,
  });
});

test("an aspect of a migration labels resources of a migration without labels", () => {
  const stack = newStack();
  Aspects.of(migrate(stack)).add(new Labels({ env: "prod" }));
  expect(labelsOf(synthesize(stack))[authorization]).toEqual({ env: "prod" });
});

test("an aspect of a migration sets a provider on all resources, and Terraform accepts the result", () => {
  const stack = newStack();
  const provider = new GoogleProvider(stack, "web", { alias: "web" });
  Aspects.of(migrate(stack, { enableApis: true })).add({
    visit: (node) => {
      if (TerraformResource.isTerraformResource(node)) node.provider = provider;
    },
  });
  const synthesized = synthesize(stack);
  const others = Object.entries(synthesized.resource ?? {}).flatMap(([type, blocks]) =>
    Object.values(blocks).flatMap((block) => (block.provider === "google.web" ? [] : [type])),
  );
  expect(new Set(others)).toEqual(new Set(["terraform_data"]));
  expect(mistakesOf(synthesized)).toEqual([]);
});

test("an aspect of a migration does not visit what another migration uses too, and a warning names both, once", () => {
  const stack = newStack();
  const migration = migrate(stack, {
    certificates: [Certificate.managed({ domains: ["example.com", "api.example.com"] })],
  });
  migrate(stack, {}, "again");
  const visits = new Visits();
  Aspects.of(migration).add(visits);
  synthesize(stack);
  synthesize(stack);
  expect([...new Set(visits.paths)].filter((path) => path.includes("/cert-migration-shared/"))).toEqual([
    "prod/cert-migration-shared/authorization-api.example.com",
    "prod/cert-migration-shared/record-api.example.com",
  ]);
  expect(warningsOf(stack)).toEqual([
    [
      "prod/shop",
      "aspects of 'prod/shop' do not change 'prod/cert-migration-shared/authorization-example.com', 'prod/cert-migration-shared/record-example.com', shared with prod/again; add the aspects to the stack [aspect-misses-shared-resource]",
    ],
  ]);
});

test("an aspect of a migration does not visit what WildcardCertWithAuth uses too, which the warning names by its own path", () => {
  const stack = newStack();
  const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
  new WildcardCertWithAuth(stack, "wild", { domain: "example.com", dns });
  Aspects.of(migrate(stack)).add(new Visits());
  synthesize(stack);
  expect(warningsOf(stack).map(([, warning]) => warning)).toEqual([expect.stringContaining("shared with prod/wild;")]);
});

test("an aspect of a construct around both migrations visits what they share, and of the stack as well, without a warning", () => {
  const stack = newStack();
  const team = new Construct(stack, "team");
  const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
  for (const id of ["one", "two"]) new WildcardCertWithAuth(team, id, { domain: "example.com", dns });
  const order: string[] = [];
  const note = (name: string): IAspect => ({
    visit: ({ node }) => {
      if (node.id === "authorization-example.com") order.push(name);
    },
  });
  const both = note("both");
  Aspects.of(team).add(note("team"));
  Aspects.of(team).add(both);
  Aspects.of(stack).add(note("stack"));
  Aspects.of(stack).add(both);
  synthesize(stack);
  expect(order).toEqual(["stack", "both", "team"]);
  expect(warningsOf(stack)).toEqual([]);
});

test("labels of an authorization that two migrations share are the labels of both and of the stack's aspect", () => {
  const stack = newStack();
  migrate(stack, { labels: { team: "web" } });
  migrate(stack, { labels: { tier: "front" } }, "again");
  Aspects.of(stack).add(new Labels({ tier: "all", env: "prod" }));
  expect(onlyResource(synthesize(stack), authorization).labels).toEqual({ team: "web", tier: "front", env: "prod" });
});

test("an assignment to a resource replaces its labels, and an override replaces all of them", () => {
  const stack = newStack();
  const { map } = migrate(stack, { labels: { team: "web" } });
  map?.addOverride("labels.team", "override");
  const { certificates } = migrate(stack, { labels: { team: "web" } }, "again");
  for (const certificate of Object.values(certificates)) certificate.labels = { team: "assigned" };
  const synthesized = synthesize(stack);
  const maps = Object.values(resourcesOf(synthesized, "google_certificate_manager_certificate_map"));
  expect(maps.map(({ labels }) => labels)).toContainEqual({ team: "override" });
  const certs = Object.values(resourcesOf(synthesized, "google_certificate_manager_certificate"));
  expect(certs.map(({ labels }) => labels)).toContainEqual({ team: "assigned" });
});

test("an app synthesizes the same as a test of its stack", () => {
  const app = newApp();
  const stack = newStack(app);
  Aspects.of(migrate(stack, { labels: { team: "web" } })).add(new Labels({ env: "prod" }));
  app.synth();
  const inApp = JSON.parse(JSON.stringify(stack.toTerraform())) as SynthesizedStack;
  expect(labelsOf(inApp)).toEqual(labelsOf(JSON.parse(Testing.synth(stack)) as SynthesizedStack));
});
