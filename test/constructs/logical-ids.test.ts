import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { LoggingProjectBucketConfig } from "@cdktf/provider-google/lib/logging-project-bucket-config";
import { TerraformResource } from "cdktf";
import { AdminChangeAlerts, Certificate, CertificateIssuer, DnsPublication, LoadBalancer } from "../../lib";
import { migrate } from "../support/migrate";
import { newApp, newStack, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

/** A stack with every resource that a migration creates or uses, and alerts. */
function completeStack() {
  const stack = newStack();
  const map = new CertificateManagerCertificateMap(stack, "map", { name: "web" });
  const zone = new DnsManagedZone(stack, "zone", { name: "example-com", dnsName: "example.com." });
  const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "web", urlMap: "web" });
  migrate(stack, {
    certificates: [
      Certificate.managed({ domains: ["example.com", "*.example.com"] }),
      Certificate.privateCa({
        domains: ["a.example.com"],
        issuer: CertificateIssuer.caPool("projects/p/locations/global/caPools/pool"),
      }),
    ],
    loadBalancer: LoadBalancer.globalExternal({
      targetHttpsProxies: [proxy],
      newTargetHttpsProxy: {
        urlMap: "web",
        forwardingRules: { ipv4Address: "203.0.113.7" },
        clientAuthentication: { mode: "REJECT_INVALID", trustAnchors: ["${var.anchor}"] },
      },
    }),
    dns: DnsPublication.cloudDns({ zones: { "example.com": zone } }),
    traffic: {
      to: "loadBalancer",
      previous: { "example.com": { a: ["192.0.2.1"] }, "a.example.com": { cname: "b." } },
    },
    enableApis: true,
  });
  migrate(
    stack,
    {
      existingCertificateMap: map,
      certificates: [Certificate.managed({ domains: ["b.example.org"] })],
      dns: DnsPublication.external(),
    },
    "other",
  );
  new AdminChangeAlerts(stack, "alerts", { organizationId: "1", project: "my-project" });
  return { stack, resources: stack.node.findAll().filter(TerraformResource.isTerraformResource) };
}

const paths = completeStack().resources.map(({ node }) => node.path);
const expected = mistakesOf(synthesize(completeStack().stack));

test.each(paths)("another logical id of '%s' is in every reference, or the kit refuses it", (path) => {
  const { stack, resources } = completeStack();
  const resource = resources.find(({ node }) => node.path === path) as TerraformResource;
  const refused = messageOf(() => resource.overrideLogicalId("mine"));
  if (refused !== undefined) {
    expect(refused).toMatch(/^Logical ID may not be overridden once \.fqn has been requested/);
    return;
  }
  const synthesized = synthesize(stack);
  expect(Object.keys(synthesized.resource?.[resource.terraformResourceType] ?? {})).toContain("mine");
  expect(mistakesOf(synthesized)).toEqual(expected);
});

test("a logical id that a resource got before it was passed to a migration is in every reference", () => {
  const stack = newStack();
  const map = new CertificateManagerCertificateMap(stack, "map", { name: "web" });
  map.overrideLogicalId("mine");
  migrate(stack, { existingCertificateMap: map });
  const synthesized = synthesize(stack);
  expect(Object.keys(synthesized.resource?.google_certificate_manager_certificate_map ?? {})).toEqual(["mine"]);
  expect(mistakesOf(synthesized)).toEqual([]);
});

function messageOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test("the kit refuses another logical id of a map and a log bucket that another stack refers to", () => {
  const app = newApp();
  const [own, other] = [newStack(app, "own"), newStack(app, "other")];
  const map = new CertificateManagerCertificateMap(own, "map", { name: "web" });
  const props = { project: "my-project", location: "global", bucketId: "audit" };
  const logBucket = new LoggingProjectBucketConfig(own, "bucket", props);
  migrate(other, { existingCertificateMap: map });
  new AdminChangeAlerts(other, "alerts", { organizationId: "1", project: "my-project", logBucket });
  for (const resource of [map, logBucket]) {
    expect(messageOf(() => resource.overrideLogicalId("mine"))).toContain("Logical ID may not be overridden");
  }
});
