import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { type TerraformStack, TerraformVariable } from "cdktf";
import { Construct } from "constructs";
import { Certificate, DnsPublication, LoadBalancer } from "../../lib";
import { migrate } from "../support/migrate";
import { useStandIn } from "../support/stand-in";
import { newApp, newStack, type SynthesizedStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";
import { mistakesOf } from "../support/terraform-check";

jest.setTimeout(60_000);

const zoneOf = (scope: Construct, change: object = {}) =>
  new DnsManagedZone(scope, "zone", { name: "z", dnsName: "example.com.", ...change });

const attribute = "${google_dns_managed_zone.zone.project}";

/** Projects of the CNAME of the authorization and of the address record, which have the same zone. */
function recordProjects(stack: SynthesizedStack): readonly unknown[] {
  const records = Object.values(stack.resource?.google_dns_record_set ?? {});
  expect(records.map(({ type }) => type).sort()).toEqual(["A", "CNAME"]);
  return [...new Set(records.map(({ project }) => project))];
}

/** Stands for a provider that takes its project from the environment. */
const environment = "from-environment";

interface Case {
  /** Project of the provider of the migration's stack, or `environment`. */
  readonly provider?: string;
  /** Project of the migration. */
  readonly project?: string;
  /** Project of zones without their own. */
  readonly stated?: string;
  readonly zone: (stack: TerraformStack) => DnsManagedZone;
  readonly expected: unknown;
}

/** Creates a migration with a challenge and traffic in one zone, in a stack of its own or in the stack of the zone. */
function migrationWith({ provider, project, stated, zone }: Omit<Case, "expected">, zoneStack?: TerraformStack) {
  const stack = zoneStack === undefined ? newStack(newApp(), "prod", provider) : newStack(zoneStack.node.root as never);
  if (provider === environment) (stack.node.findChild("google") as GoogleProvider).resetProject();
  const dns = DnsPublication.cloudDns({
    zones: { "example.com": zone(zoneStack ?? stack) },
    ...(stated !== undefined && { project: stated }),
  });
  migrate(stack, {
    dns,
    loadBalancer: LoadBalancer.globalExternal({ addresses: ["203.0.113.7"] }),
    traffic: { to: "previous", previous: { "example.com": { a: ["192.0.2.1"] } } },
    enableApis: true,
    ...(project !== undefined && { project }),
  });
  return stack;
}

const alias = (stack: TerraformStack, project?: string) =>
  new GoogleProvider(stack, "dns", { alias: "dns", ...(project !== undefined && { project }) });

test.each<[string, Case]>([
  ["the provider's project", { zone: (stack) => zoneOf(stack), expected: undefined }],
  ["the zone's own project", { zone: (stack) => zoneOf(stack, { project: "my-dns" }), expected: "my-dns" }],
  [
    "the zone's own project, not the project of the migration",
    { project: "my-certs", zone: (stack) => zoneOf(stack, { project: "my-dns" }), expected: "my-dns" },
  ],
  [
    "the zone's own project, not the project of zones without their own",
    { stated: "other-dns", zone: (stack) => zoneOf(stack, { project: "my-dns" }), expected: "my-dns" },
  ],
  [
    "the project that an override gives the zone",
    {
      zone: (stack) => {
        const zone = zoneOf(stack);
        zone.addOverride("project", "my-dns");
        return zone;
      },
      expected: "my-dns",
    },
  ],
  [
    "the project of the zone's provider",
    { zone: (stack) => zoneOf(stack, { provider: alias(stack, "my-dns") }), expected: "my-dns" },
  ],
  [
    "the project of the zone's provider, not the project of the migration",
    { project: "my-certs", zone: (stack) => zoneOf(stack, { provider: alias(stack, "my-dns") }), expected: "my-dns" },
  ],
  [
    "the project that the zone's provider takes from the environment",
    { zone: (stack) => zoneOf(stack, { provider: alias(stack) }), expected: attribute },
  ],
  [
    "the project of the stack's provider, not the project of the migration",
    { project: "my-certs", zone: (stack) => zoneOf(stack), expected: "my-project" },
  ],
  [
    "the project that the stack's provider takes from the environment",
    { provider: environment, project: "my-certs", zone: (stack) => zoneOf(stack), expected: attribute },
  ],
  [
    "the project that the user states for a provider with the environment's project",
    { provider: environment, stated: "my-dns", zone: (stack) => zoneOf(stack), expected: "my-dns" },
  ],
  [
    "the project of a nested provider, not the project of the migration",
    {
      provider: "none",
      project: "my-certs",
      zone: (stack) => {
        stack.node.tryRemoveChild("google");
        new GoogleProvider(new Construct(stack, "base"), "google", { project: "my-dns" });
        return zoneOf(stack);
      },
      expected: "my-dns",
    },
  ],
  [
    "the project that the user states, if the provider's project is a reference",
    { provider: "${var.project}", stated: "my-dns", zone: (stack) => zoneOf(stack), expected: "my-dns" },
  ],
  [
    "the provider's project, if it is a reference and the migration has another",
    { provider: "${var.project}", project: "my-certs", zone: (stack) => zoneOf(stack), expected: "${var.project}" },
  ],
])("records of a zone of the same stack are in %s", (_, { expected, ...given }) => {
  const stack = migrationWith(given);
  if (given.provider === "${var.project}") new TerraformVariable(stack, "project", { type: "string" });
  const synthesized = synthesize(stack);
  expect(recordProjects(synthesized)).toEqual([expected]);
  expect(mistakesOf(synthesized)).toEqual([]);
});

describe("records of a zone of another stack are in", () => {
  test.each<[string, Case]>([
    ["the zone's own project", { zone: (stack) => zoneOf(stack, { project: "my-dns" }), expected: "my-dns" }],
    ["the project of that stack's provider", { zone: (stack) => zoneOf(stack), expected: "dns-stack" }],
    [
      "the project of that stack's provider, not the project of the migration",
      { project: "my-certs", zone: (stack) => zoneOf(stack), expected: "dns-stack" },
    ],
    [
      "the project of the zone's provider",
      { zone: (stack) => zoneOf(stack, { provider: alias(stack, "my-dns") }), expected: "my-dns" },
    ],
    [
      "the value of a variable of that stack",
      { zone: (stack) => zoneOf(stack, { project: "${var.dns}" }), expected: "${var.dns}" },
    ],
    [
      "the value of a token of that stack",
      {
        zone: (stack) => {
          const { stringValue } = new TerraformVariable(stack, "dns", { type: "string" });
          return zoneOf(stack, { project: stringValue });
        },
        expected: "${var.dns}",
      },
    ],
    [
      "the project that the zone's provider takes from the environment",
      { zone: (stack) => zoneOf(stack, { provider: alias(stack) }), expected: attribute },
    ],
  ])("%s", (_, { expected, ...given }) => {
    const zoneStack = newStack(newApp(), "dns", "dns-stack");
    const stack = migrationWith(given, zoneStack);
    for (const each of [zoneStack, stack]) each.prepareStack();
    const synthesized = synthesize(stack);
    const [project] = recordProjects(synthesized);
    expect(mistakesOf(synthesized)).toEqual([]);
    if (!String(expected).startsWith("${")) {
      expect(project).toBe(expected);
      return;
    }
    expect(project).toMatch(/^\$\{data\.terraform_remote_state\./);
    const values = Object.values(synthesize(zoneStack).output ?? {}).map(({ value }) => value);
    expect(values).toContain(expected);
  });
});

test("two constructs that use one zone, with and without the project of their provider, share its record", () => {
  const stack = newStack();
  const dns = DnsPublication.cloudDns({ zones: { "example.com": zoneOf(stack) } });
  migrate(stack, { dns, certificates: [Certificate.managed({ domains: ["example.com"] })] });
  migrate(
    stack,
    { dns, certificates: [Certificate.managed({ domains: ["example.com", "a.example.com"] })], project: "my-project" },
    "other",
  );
  expect(mistakesOf(synthesize(stack))).toEqual([]);
});

describe("Terraform", () => {
  const standIn = useStandIn({ operationMs: 20 });

  test.each<[string, (stack: TerraformStack) => DnsManagedZone]>([
    ["of the zone", (stack) => zoneOf(stack, { project: "other-project" })],
    ["of the zone's provider", (stack) => zoneOf(stack, { provider: alias(stack, "other-project") })],
  ])("writes the records into the project %s, and plans no change afterwards", async (_, zone) => {
    const stack = newStack();
    migrate(stack, {
      gate: "none",
      dns: DnsPublication.cloudDns({ zones: { "example.com": zone(stack) } }),
      loadBalancer: LoadBalancer.globalExternal({ addresses: ["203.0.113.7"] }),
      traffic: { to: "loadBalancer", previous: { "example.com": { a: [] } } },
    });
    const synthesized = synthesize(stack);
    await using directory = await openTerraform(standIn.provider);
    await directory.apply(synthesized);
    for (const id of Object.keys(synthesized.resource?.google_dns_record_set ?? {})) {
      const shown = await directory.show(`google_dns_record_set.${id}`);
      expect(shown?.project).toBe("other-project");
    }
    expect(await directory.plan()).toBe(0);
    await directory.succeed("destroy", "-auto-approve", "-input=false", "-no-color");
  });
});
