import { once } from "node:events";
import { connect } from "node:tls";
import { type Cloud, startCloud } from "../../lib/cloud";
import {
  Certificate,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
} from "../../lib/constructs";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { sendJson } from "../support/loopback";
import { makeCertificate } from "../support/make-certificate";
import { newStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: Cloud;
let provider: TerraformProvider;

beforeAll(async () => {
  cloud = await startCloud({ speed: 10, behavior: { propagationMs: 0 } });
  provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
});

afterAll(async () => {
  await provider.close();
  await cloud.stop();
});

/** Sends an HTTP request to the cloud. */
const call = (httpMethod: string, path: string, body?: object) =>
  sendJson(httpMethod, new URL(path, cloud.endpoints.http), body);

/** Returns a stack with one migration, as Terraform reads it. */
function stackOf(project: string, props: ManagedCertMigrationProps): object {
  const stack = newStack(undefined, "prod", project);
  new ManagedCertMigration(stack, "shop", props);
  return synthesize(stack);
}

/** Creates the resources that a migration requires: a zone and the backend of the load balancer. */
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
    const answer = await call("POST", path, body);
    expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()]);
  }
}

/** Connects as a client that trusts the cloud's CA. Returns the names in the certificate. */
async function handshake(listen: string, servername: string): Promise<readonly string[]> {
  const [, host = "", port] = /^\[?(.+?)\]?:(\d+)$/.exec(listen) ?? [];
  const socket = connect({ host, port: Number(port), servername, ca: cloud.endpoints.trustBundle });
  try {
    await once(socket, "secureConnect");
    const names = socket.getPeerCertificate().subjectaltname ?? "";
    return names.split(", ").map((name) => name.replace(/^DNS:/, ""));
  } finally {
    socket.destroy();
  }
}

test("applies a migration in two runs, with the gate between them, and then plans no change", async () => {
  const project = "global-migration";
  await prepare(project, "global.example");
  await using terraform = await openTerraform(provider);
  await terraform.write(
    stackOf(project, {
      certificates: [
        Certificate.managed({ domains: ["global.example", "*.global.example"] }),
        Certificate.managed({ domains: ["pay.global.example"] }),
      ],
      dns: DnsPublication.cloudDns({ zones: { "global.example": "zone" } }),
      loadBalancer: LoadBalancer.globalExternal({
        newTargetHttpsProxy: {
          urlMap: "urls",
          forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" },
        },
      }),
      gate: "precondition",
      enableApis: true,
    }),
  );
  const first = await terraform.run("apply", "-auto-approve", "-no-color");
  expect([first.exitCode, first.stderr]).toEqual([1, expect.stringContaining("PROVISIONING")]);
  expect(cloud.loadBalancers.listeners()).toEqual([]);

  await cloud.clock.advance(2 * 3_600_000);
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  await cloud.loadBalancers.settle();
  const addresses = cloud.loadBalancers.listeners().map(({ ipAddress, port }) => `${ipAddress} ${port}`);
  expect(addresses.sort()).toEqual(["2001:db8::7 443", "203.0.113.7 443"]);
  for (const { listen } of cloud.loadBalancers.listeners()) {
    expect(await handshake(listen, "global.example")).toEqual(["*.global.example", "global.example"]);
    expect(await handshake(listen, "www.global.example")).toEqual(["*.global.example", "global.example"]);
    expect(await handshake(listen, "pay.global.example")).toEqual(["pay.global.example"]);
  }
  expect(await terraform.plan()).toBe(0);
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  await cloud.loadBalancers.settle();
  expect(cloud.loadBalancers.listeners()).toEqual([]);
});

test("attaches certificates of a regional migration directly to the proxy", async () => {
  const project = "regional-migration";
  await prepare(project, "regional.example", "europe-west1");
  await using terraform = await openTerraform(provider);
  await terraform.write(
    stackOf(project, {
      certificates: [Certificate.managed({ domains: ["regional.example"] })],
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

test("adopts a proxy that was created outside Terraform, and keeps its settings", async () => {
  const project = "adopting-migration";
  await prepare(project, "adopting.example");
  const { certificatePem, privateKeyPem } = makeCertificate(["adopting.example"]);
  const place = `compute/v1/projects/${project}/global`;
  const links = `projects/${project}/global`;
  await call("POST", `${place}/sslCertificates`, {
    name: "old",
    certificate: certificatePem,
    privateKey: privateKeyPem,
  });
  const sslCertificates = [`${links}/sslCertificates/old`];
  await call("POST", `${place}/targetHttpsProxies`, {
    name: "web",
    urlMap: `${links}/urlMaps/urls`,
    sslCertificates,
  });
  await using terraform = await openTerraform(provider);
  const applied = await terraform.apply(
    stackOf(project, {
      certificates: [Certificate.managed({ domains: ["adopting.example"] })],
      dns: DnsPublication.cloudDns({ zones: { "adopting.example": "zone" } }),
      loadBalancer: LoadBalancer.globalExternal({
        adoptTargetHttpsProxies: [
          {
            name: "web",
            urlMap: `${links}/urlMaps/urls`,
            sslCertificates,
            sslPolicy: "",
            quicOverride: "UNSET",
            tlsEarlyData: "UNSET",
            httpKeepAliveTimeoutSeconds: 0,
            serverTlsPolicy: "",
            description: "",
          },
        ],
      }),
      gate: "none",
    }),
  );

  expect(applied).toMatch(/1 imported, \d+ added, 1 changed, 0 destroyed/);
  expect((await call("GET", `${place}/targetHttpsProxies/web`)).body).toMatchObject({
    certificateMap: expect.stringContaining("/certificateMaps/"),
    sslCertificates: [expect.stringContaining("/sslCertificates/old")],
  });
  expect(await terraform.plan()).toBe(0);
});

test("reads existing resources with data sources, and enables and disables an API of a project", async () => {
  const project = "read-only";
  await prepare(project, "read.example");
  await using terraform = await openTerraform(provider);
  const service = "monitoring.googleapis.com";
  await terraform.apply({
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project } },
    resource: { google_project_service: { main: { service } } },
    data: {
      google_project: { main: {} },
      google_dns_managed_zone: { main: { name: "zone" } },
      google_dns_record_set: { main: { managed_zone: "zone", name: "read.example.", type: "SOA" } },
      google_compute_backend_service: { main: { name: "web" } },
      google_compute_health_check: { main: { name: "alive" } },
    },
    output: {
      read: {
        value: [
          "${data.google_project.main.project_id}",
          "number ${data.google_project.main.number}",
          "${data.google_dns_managed_zone.main.dns_name}",
          "${data.google_dns_record_set.main.ttl}",
          "${data.google_compute_backend_service.main.protocol}",
          "${data.google_compute_health_check.main.tcp_health_check[0].port}",
        ],
      },
    },
  });

  expect(JSON.parse(await terraform.succeed("output", "-json", "read"))).toEqual([
    project,
    expect.stringMatching(/^number [1-9]\d{11}$/),
    "read.example.",
    21_600,
    "HTTP",
    443,
  ]);
  expect(await terraform.plan()).toBe(0);
  const state = async () => (await call("GET", `v1/projects/${project}/services/${service}`)).body.state;
  expect(await state()).toBe("ENABLED");
  await terraform.succeed("destroy", "-auto-approve", "-no-color");
  expect(await state()).toBe("DISABLED");
});

test("refuses a data source of a missing resource", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.write({
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "nothing" } },
    data: { google_compute_global_address: { main: { name: "none" } } },
  });
  const { exitCode, stderr } = await terraform.run("plan", "-no-color");

  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining("google_compute_global_address: projects/nothing/global/addresses/none is not there"),
  ]);
});
