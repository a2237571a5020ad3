/**
 * Snapshots of what each construct and each kind of load balancer synthesizes. A changed snapshot means changed
 * resources or outputs of users: docs/contributing/changes.md has to explain the change.
 */
import { TerraformStack, Testing } from "cdktf";
import {
  AdminChangeAlerts,
  Certificate,
  CertificateMap,
  CommandGate,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  WildcardCertWithAuth,
} from "../../lib";

const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
const region = "europe-west1";
const forwardingRules = { ipv4Address: "203.0.113.7" };

/** Returns the stack as Terraform reads it, without the versions of the kit. */
function synthesize(add: (stack: TerraformStack) => void): unknown {
  const stack = new TerraformStack(Testing.app({ context: { "cert-migration:now": "2026-01-02T03:04:05Z" } }), "prod");
  add(stack);
  const { "//": _, ...content } = JSON.parse(Testing.synth(stack)) as Readonly<Record<string, unknown>>;
  return content;
}

describe("ManagedCertMigration", () => {
  test.each([
    ["globalExternal", LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "shop", forwardingRules } })],
    [
      "regionalExternal",
      LoadBalancer.regionalExternal({ region, newTargetHttpsProxy: { urlMap: "shop", forwardingRules } }),
    ],
    ["regionalInternal", LoadBalancer.regionalInternal({ region, newTargetHttpsProxy: { urlMap: "shop" } })],
    ["crossRegionInternal", LoadBalancer.crossRegionInternal({ newTargetHttpsProxy: { urlMap: "shop" } })],
  ])("with a load balancer of the kind %s", (_, loadBalancer) => {
    const stack = synthesize((scope) => {
      const certificates = [Certificate.managed({ domains: ["shop.example.com"] })];
      new ManagedCertMigration(scope, "shop", { certificates, dns, loadBalancer });
    });
    expect(stack).toMatchSnapshot();
  });
});

test("WildcardCertWithAuth", () => {
  const stack = synthesize((scope) => {
    const certificateMap = CertificateMap.fromId("projects/my-project/locations/global/certificateMaps/web");
    new WildcardCertWithAuth(scope, "wildcard", { domain: "example.com", dns, certificateMap });
  });
  expect(stack).toMatchSnapshot();
});

test("AdminChangeAlerts", () => {
  const stack = synthesize((scope) => {
    const notificationChannels = ["projects/my-project/notificationChannels/1234"];
    const project = "my-project";
    new AdminChangeAlerts(scope, "alerts", {
      organizationId: "123456789012",
      project,
      events: ["authority"],
      notificationChannels,
    });
  });
  expect(stack).toMatchSnapshot();
});

test("CommandGate", () => {
  const stack = synthesize((scope) => {
    new CommandGate(scope, "gate", { command: "npx cert-migration wait --stack .", triggers: ["generation-1"] });
  });
  expect(stack).toMatchSnapshot();
});
