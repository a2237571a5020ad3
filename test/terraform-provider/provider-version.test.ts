import { startTerraformProvider } from "../../lib/terraform-provider";
import { behaviorOf } from "../../lib/terraform-provider/provider-version";
import { cloudKindsOf } from "../../lib/terraform-provider/resources";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { makeCertificate } from "../support/make-certificate";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

test.each([
  ["6.50.0", false, false, "EXTERNAL"],
  ["7.18.9", false, false, "EXTERNAL"],
  ["7.19.0", false, true, "EXTERNAL"],
  ["7.40.0", false, true, "EXTERNAL"],
  ["7.41.0", true, true, "EXTERNAL"],
  ["8.0.0", true, true, "EXTERNAL_MANAGED"],
])("the provider %s: self_managed in place %s, map and certificates together %s, scheme %s", (version, ...expected) => {
  const { updatesSelfManaged, sslProxyHoldsBoth, globalScheme } = behaviorOf(version);

  expect([updatesSelfManaged, sslProxyHoldsBoth, globalScheme]).toEqual(expected);
});

test.each([
  ["7.3.0", false, false],
  ["7.4.0", true, false],
  ["7.19.0", true, false],
  ["7.20.0", true, true],
])(
  "the provider %s: network replaces a regional backend service %s, keys of SSL certificates write-only %s",
  (version, ...expected) => {
    const behavior = behaviorOf(version);
    const backend = cloudKindsOf(behavior).find(({ type }) => type === "google_compute_region_backend_service");

    expect([behavior.replacesBackendOfNetwork, behavior.hasWriteOnlyKeys]).toEqual(expected);
    expect(backend?.overlay.forceNew.includes("network")).toBe(expected[0]);
  },
);

function stackOf(version: string, resource: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version } } },
    provider: { google: { project: "p1" } },
    resource,
  };
}

const [old, next] = [makeCertificate(["example.com"]), makeCertificate(["example.com"], { key: 1 })];
const uploaded = (version: string, pem: typeof old, name = "uploaded") =>
  stackOf(version, {
    google_certificate_manager_certificate: {
      main: { name, self_managed: { pem_certificate: pem.certificatePem, pem_private_key: pem.privateKeyPem } },
    },
  });

test.each([
  ["6.50.0", "must be replaced"],
  ["7.40.0", "must be replaced"],
  ["7.41.0", "will be updated in-place"],
])("with provider %s, a certificate whose PEM changes %s", async (version, outcome) => {
  await using cloud = await startLoadBalancerCloud();
  const provider = await startTerraformProvider({ cloudUrl: cloud.url, behaviorOf: version });
  try {
    await using terraform = await openTerraform(provider);
    await terraform.apply(uploaded(version, old));
    await terraform.write(uploaded(version, next));
    expect(await terraform.succeed("plan", "-no-color")).toContain(
      `google_certificate_manager_certificate.main ${outcome}`,
    );
    await terraform.succeed("apply", "-auto-approve", "-no-color");
    expect(await terraform.plan()).toBe(0);
  } finally {
    await provider.close();
  }
});

test("from 7.41, a refused update leaves the new PEM in the state, and the next plan shows nothing", async () => {
  await using cloud = await startLoadBalancerCloud();
  const provider = await startTerraformProvider({ cloudUrl: cloud.url, behaviorOf: "7.45.0" });
  try {
    await using terraform = await openTerraform(provider);
    await terraform.apply(uploaded("7.45.0", old));
    const broken = { certificatePem: next.certificatePem, privateKeyPem: old.privateKeyPem };
    await terraform.write(uploaded("7.45.0", broken));
    const { exitCode } = await terraform.run("apply", "-auto-approve", "-no-color");

    expect(exitCode).toBe(1);
    expect(await terraform.plan()).toBe(0);
  } finally {
    await provider.close();
  }
});

const both = {
  google_compute_target_ssl_proxy: {
    main: {
      name: "raw",
      backend_service: "projects/p1/global/backendServices/raw",
      certificate_map: "//certificatemanager.googleapis.com/projects/p1/locations/global/certificateMaps/map",
      ssl_certificates: ["projects/p1/global/sslCertificates/c"],
    },
  },
};

test.each([
  ["6.50.0", 1],
  ["7.18.0", 1],
  ["7.19.0", 0],
])("with provider %s, the plan of an SSL proxy with a map and certificates ends with %i", async (version, expected) => {
  const provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", behaviorOf: version });
  try {
    await using terraform = await openTerraform(provider);
    await terraform.write(stackOf(version, both));
    expect((await terraform.run("plan", "-no-color")).exitCode).toBe(expected);
  } finally {
    await provider.close();
  }
});

test("from 7.19, an SSL proxy gets a map beside its certificates in place, and a rollback removes only the map", async () => {
  await using cloud = await startLoadBalancerCloud();
  const version = "7.19.0";
  const provider = await startTerraformProvider({ cloudUrl: cloud.url, behaviorOf: version });
  const { privateKeyPem, certificatePem } = old;
  const stack = (map: object) =>
    stackOf(version, {
      google_compute_health_check: { alive: { name: "alive", tcp_health_check: { port: 443 } } },
      google_compute_backend_service: {
        raw: { name: "raw", protocol: "TCP", health_checks: ["${google_compute_health_check.alive.id}"] },
      },
      google_compute_ssl_certificate: {
        c: { name: "c", certificate: certificatePem, private_key: privateKeyPem },
      },
      google_certificate_manager_certificate_map: { map: { name: "map" } },
      google_compute_target_ssl_proxy: {
        main: {
          name: "raw",
          backend_service: "${google_compute_backend_service.raw.id}",
          ssl_certificates: ["${google_compute_ssl_certificate.c.id}"],
          ...map,
        },
      },
    });
  const map = {
    certificate_map: "//certificatemanager.googleapis.com/${google_certificate_manager_certificate_map.map.id}",
  };
  const proxy = async () => (await cloud.call("GET", "compute/v1/projects/p1/global/targetSslProxies/raw")) as unknown;
  try {
    await using terraform = await openTerraform(provider);
    await terraform.apply(stack({}));
    await terraform.write(stack(map));
    expect(await terraform.succeed("plan", "-no-color")).toMatch(/target_ssl_proxy\.main will be updated in-place/);
    await terraform.succeed("apply", "-auto-approve", "-no-color");
    expect(JSON.stringify(await proxy())).toMatch(
      /sslCertificates\/c.*certificateMaps\/map|certificateMaps\/map.*sslCertificates\/c/,
    );
    await terraform.write(stack({}));
    expect(await terraform.succeed("plan", "-no-color")).toMatch(/target_ssl_proxy\.main will be updated in-place/);
    await terraform.succeed("apply", "-auto-approve", "-no-color");
    expect(JSON.stringify(await proxy())).toContain("sslCertificates/c");
    expect(JSON.stringify(await proxy())).not.toContain("certificateMaps/map");
    expect(await terraform.plan()).toBe(0);
  } finally {
    await provider.close();
  }
});

test.each([
  ["7.45.0", "EXTERNAL"],
  ["8.0.0", "EXTERNAL_MANAGED"],
])("with provider %s, a backend service that states no scheme is %s", async (version, scheme) => {
  const provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", behaviorOf: version });
  try {
    await using terraform = await openTerraform(provider);
    await terraform.write(stackOf(version, { google_compute_backend_service: { main: { name: "web" } } }));
    expect(await terraform.succeed("plan", "-no-color")).toMatch(new RegExp(`load_balancing_scheme += "${scheme}"`));
  } finally {
    await provider.close();
  }
});
