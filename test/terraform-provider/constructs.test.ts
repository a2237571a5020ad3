import {
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
} from "../../lib/constructs";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { makeCertificate } from "../support/make-certificate";
import { newStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: Awaited<ReturnType<typeof startLoadBalancerCloud>>;
let provider: TerraformProvider;

beforeAll(async () => {
  cloud = await startLoadBalancerCloud();
  provider = await startTerraformProvider({ cloudUrl: cloud.url });
});

afterAll(async () => {
  await provider.close();
  await cloud[Symbol.asyncDispose]();
});

/** A stack with one migration, as Terraform reads it. */
function stackOf(project: string, props: ManagedCertMigrationProps): object {
  const stack = newStack(undefined, "prod", project);
  new ManagedCertMigration(stack, "shop", props);
  return synthesize(stack);
}

/** Makes what a migration finds: a zone, and what the load balancer leads to. */
async function prepare(project: string, domain: string, region?: string): Promise<void> {
  const place = `compute/v1/projects/${project}/${region === undefined ? "global" : `regions/${region}`}`;
  const loadBalancingScheme = region === undefined ? "EXTERNAL_MANAGED" : "INTERNAL_MANAGED";
  const steps: readonly (readonly [string, object])[] = [
    [`dns/v1/projects/${project}/managedZones`, { name: "zone", dnsName: `${domain}.`, description: "" }],
    [`${place}/healthChecks`, { name: "alive", type: "TCP", tcpHealthCheck: { port: 443 } }],
    [
      `${place}/backendServices`,
      {
        name: "web",
        protocol: "HTTP",
        loadBalancingScheme,
        healthChecks: [`${place.replace("compute/v1/", "")}/healthChecks/alive`],
      },
    ],
    [`${place}/urlMaps`, { name: "urls", defaultService: `${place.replace("compute/v1/", "")}/backendServices/web` }],
  ];
  for (const [path, body] of steps) {
    const answer = await cloud.call("POST", path, body);
    expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()]);
  }
}

test("a migration applies in two runs, with the gate between them, and then nothing is left to do", async () => {
  const project = "global-migration";
  await prepare(project, "global.example");
  await using terraform = await openTerraform(provider);
  await terraform.write(
    stackOf(project, {
      certificates: [{ domains: ["global.example", "*.global.example"] }, { domains: ["pay.global.example"] }],
      dns: DnsPublication.cloudDns({ zones: { "global.example": "zone" } }),
      loadBalancer: LoadBalancer.globalExternal({
        newTargetHttpsProxy: {
          urlMap: "urls",
          forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" },
        },
      }),
      gate: "precondition",
    }),
  );
  const first = await terraform.run("apply", "-auto-approve", "-no-color");
  expect([first.exitCode, first.stderr]).toEqual([1, expect.stringContaining("PROVISIONING")]);
  expect(cloud.compute.frontends()).toEqual([]);

  await cloud.clock.advance(2 * 3_600_000);
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(
    cloud.compute
      .frontends()
      .map(({ ipAddress, port }) => `${ipAddress} ${port}`)
      .sort(),
  ).toEqual(["2001:db8::7 443", "203.0.113.7 443"]);
  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect(cloud.compute.frontends()).toEqual([]);
});

test("a regional migration puts certificates directly on the proxy", async () => {
  const project = "regional-migration";
  await prepare(project, "regional.example", "europe-west1");
  await using terraform = await openTerraform(provider);
  await terraform.write(
    stackOf(project, {
      certificates: [{ domains: ["regional.example"] }],
      dns: DnsPublication.cloudDns({ zones: { "regional.example": "zone" } }),
      loadBalancer: LoadBalancer.regionalInternal({
        region: "europe-west1",
        newTargetHttpsProxy: {
          urlMap: "urls",
          forwardingRules: { ipv4Address: "10.0.0.7", network: "default", subnetwork: "default" },
        },
      }),
      gate: "none",
    }),
  );
  await terraform.succeed("apply", "-auto-approve", "-no-color");

  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
});

test("a proxy that was made by hand is adopted, and keeps what it has", async () => {
  const project = "adopting-migration";
  await prepare(project, "adopting.example");
  const { certificatePem, privateKeyPem } = makeCertificate(["adopting.example"]);
  const place = `compute/v1/projects/${project}/global`;
  const links = `projects/${project}/global`;
  await cloud.call("POST", `${place}/sslCertificates`, {
    name: "old",
    certificate: certificatePem,
    privateKey: privateKeyPem,
  });
  const sslCertificates = [`${links}/sslCertificates/old`];
  await cloud.call("POST", `${place}/targetHttpsProxies`, {
    name: "web",
    urlMap: `${links}/urlMaps/urls`,
    sslCertificates,
  });
  await using terraform = await openTerraform(provider);
  const applied = await terraform.apply(
    stackOf(project, {
      certificates: [{ domains: ["adopting.example"] }],
      dns: DnsPublication.cloudDns({ zones: { "adopting.example": "zone" } }),
      loadBalancer: LoadBalancer.globalExternal({
        adoptTargetHttpsProxies: [
          {
            name: "web",
            urlMap: `${links}/urlMaps/urls`,
            sslCertificates,
            sslPolicy: null,
            quicOverride: null,
            tlsEarlyData: null,
            httpKeepAliveTimeoutSeconds: null,
            serverTlsPolicy: null,
            description: null,
          },
        ],
      }),
      gate: "none",
    }),
  );

  expect(applied).toMatch(/1 imported, \d+ added, 1 changed, 0 destroyed/);
  expect((await cloud.call("GET", `${place}/targetHttpsProxies/web`)).body).toMatchObject({
    certificateMap: expect.stringContaining("/certificateMaps/"),
    sslCertificates: [expect.stringContaining("/sslCertificates/old")],
  });
  expect(await terraform.plan()).toBe(0);
});
