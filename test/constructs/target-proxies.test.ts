import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import type { App, TerraformStack } from "cdktf";
import { Certificate, LoadBalancer } from "../../lib";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, onlyAddress, onlyResource, synthesize } from "../support/synth";

test("target proxies of the app get the map with the service's name in front, and depend on all entries", () => {
  const stack = newStack();
  const https = new ComputeTargetHttpsProxy(stack, "https", { name: "web", urlMap: "um", sslCertificates: [] });
  const ssl = new ComputeTargetSslProxy(stack, "ssl", { name: "tcp", backendService: "bs" });
  migrate(stack, {
    loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [https], targetSslProxies: [ssl] }),
  });
  const synthesized = synthesize(stack);
  const reference = `//certificatemanager.googleapis.com/\${${onlyAddress(synthesized, "google_certificate_manager_certificate_map")}.id}`;
  const block = onlyResource(synthesized, "google_compute_target_https_proxy");
  expect(block.certificate_map).toBe(reference);
  expect(block.ssl_certificates).toBeUndefined();
  // Two entries, and the wait for them.
  expect(block.depends_on).toHaveLength(3);
  expect(onlyResource(synthesized, "google_compute_target_ssl_proxy").certificate_map).toBe(reference);
});

test("target proxies of the app get a map without entries, on which nothing has to wait", () => {
  const stack = newStack();
  const https = new ComputeTargetHttpsProxy(stack, "https", { name: "web", urlMap: "um", sslCertificates: [] });
  migrate(stack, {
    certificates: [Certificate.managed({ domains: ["example.com"], hostnames: [] })],
    loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [https] }),
  });
  const { certificate_map, depends_on } = onlyResource(synthesize(stack), "google_compute_target_https_proxy");
  expect({ certificate_map, depends_on }).toEqual({
    certificate_map: expect.stringContaining("google_certificate_manager_certificate_map"),
    depends_on: undefined,
  });
});

test.each([
  [
    "a target SSL proxy with direct certificates",
    "ssl-proxy-holds-certificates",
    (stack: TerraformStack) =>
      LoadBalancer.globalExternal({
        targetSslProxies: [
          new ComputeTargetSslProxy(stack, "p", { name: "p", backendService: "bs", sslCertificates: ["c"] }),
        ],
      }),
  ],
  [
    "a proxy with another map",
    "proxy-holds-other-map",
    (stack: TerraformStack) =>
      LoadBalancer.globalExternal({
        targetHttpsProxies: [new ComputeTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um", certificateMap: "m" })],
      }),
  ],
  [
    "a proxy with a map on an internal load balancer",
    "map-not-allowed",
    (stack: TerraformStack) =>
      LoadBalancer.crossRegionInternal({
        targetHttpsProxies: [new ComputeTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um", certificateMap: "m" })],
      }),
  ],
  [
    "a regional proxy with direct certificates",
    "proxy-holds-conflicting-certificates",
    (stack: TerraformStack) =>
      LoadBalancer.regionalExternal({
        region: "europe-west1",
        targetHttpsProxies: [
          new ComputeRegionTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um", sslCertificates: ["c"] }),
        ],
      }),
  ],
  [
    "a proxy of another stack",
    "proxy-in-other-stack",
    (stack: TerraformStack) =>
      LoadBalancer.globalExternal({
        targetHttpsProxies: [
          new ComputeTargetHttpsProxy(newStack(stack.node.root as App, "other"), "p", { name: "p", urlMap: "um" }),
        ],
      }),
  ],
])("target proxies refuse %s", (_, code, loadBalancer) => {
  const stack = newStack();
  expect(refusal(() => migrate(stack, { loadBalancer: loadBalancer(stack) }))).toEqual([code]);
});

describe("target SSL proxies with direct certificates", () => {
  const require = (stack: TerraformStack, version: string) =>
    stack.addOverride("terraform.required_providers.google.version", version);
  const adopting = () =>
    LoadBalancer.globalExternal({
      adoptTargetSslProxies: [
        {
          name: "tcp",
          backendService: "bs",
          sslCertificates: ["c"],
          sslPolicy: "",
          proxyHeader: "UNSET" as const,
          description: "",
        },
      ],
      addresses: ["203.0.113.7"],
    });
  const ofApp = (stack: TerraformStack) =>
    LoadBalancer.globalExternal({
      targetSslProxies: [
        new ComputeTargetSslProxy(stack, "p", { name: "p", backendService: "bs", sslCertificates: ["c"] }),
      ],
    });

  test.each([
    ["adopted", adopting],
    ["of the app", ofApp],
  ])("that are %s are refused unless the stack requires provider 7.19", (_, loadBalancer) => {
    for (const version of [undefined, "6.50.0", "~> 6.0", ">= 6.50.0, < 9.0.0", "7.18.0"]) {
      const stack = newStack();
      if (version !== undefined) require(stack, version);
      expect(refusal(() => migrate(stack, { loadBalancer: loadBalancer(stack) }))).toEqual([
        "ssl-proxy-holds-certificates",
      ]);
    }
  });

  test.each([
    ["adopted", adopting],
    ["of the app", ofApp],
  ])("that are %s keep their certificates beside the map from provider 7.19", (_, loadBalancer) => {
    for (const version of ["7.19.0", "~> 7.30", ">= 8.0"]) {
      const stack = newStack();
      require(stack, version);
      const migration = migrate(stack, { loadBalancer: loadBalancer(stack) });
      expect(migration.node.metadata.map(({ data }) => String(data))).toEqual([
        expect.stringContaining("[proxy-holds-certificates]"),
      ]);
      const block = onlyResource(synthesize(stack), "google_compute_target_ssl_proxy");
      expect(block).toMatchObject({ ssl_certificates: ["c"], certificate_map: expect.stringContaining("map") });
    }
  });
});

test("target proxies that are global are refused for a regional load balancer, whatever their types", () => {
  const stack = newStack();
  const proxy: unknown = new ComputeTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um" });
  const loadBalancer = LoadBalancer.regionalExternal({
    region: "europe-west1",
    targetHttpsProxies: [proxy as ComputeRegionTargetHttpsProxy],
  });
  expect(refusal(() => migrate(stack, { loadBalancer }))).toEqual(["proxy-kind-mismatch"]);
});

test("target proxies with direct certificates keep them beside the map, with a warning", () => {
  const app = newApp();
  const stack = newStack(app);
  const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "web", urlMap: "um", sslCertificates: ["c"] });
  const migration = migrate(stack, { loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] }) });
  expect(migration.node.metadata.map(({ data }) => String(data))).toEqual([
    expect.stringContaining("[proxy-holds-certificates]"),
  ]);
  expect(onlyResource(synthesize(stack), "google_compute_target_https_proxy").ssl_certificates).toEqual(["c"]);
});

test("target proxies that are adopted are imported, keep the stated fields, and can't be destroyed", () => {
  const stack = newStack();
  migrate(stack, {
    loadBalancer: LoadBalancer.globalExternal({
      adoptTargetHttpsProxies: [
        {
          name: "web",
          project: "p2",
          urlMap: "um",
          sslCertificates: ["c"],
          sslPolicy: "pol",
          quicOverride: "ENABLE",
          tlsEarlyData: "UNSET" as const,
          httpKeepAliveTimeoutSeconds: 30,
          serverTlsPolicy: "",
          description: "Old",
        },
      ],
    }),
  });
  const synthesized = synthesize(stack);
  expect(synthesized.import).toEqual([
    {
      to: onlyAddress(synthesized, "google_compute_target_https_proxy"),
      id: "projects/p2/global/targetHttpsProxies/web",
    },
  ]);
  const {
    certificate_map: _,
    depends_on: __,
    ...rest
  } = onlyResource(synthesized, "google_compute_target_https_proxy");
  expect(rest).toEqual({
    name: "web",
    project: "p2",
    url_map: "um",
    ssl_certificates: ["c"],
    ssl_policy: "pol",
    quic_override: "ENABLE",
    http_keep_alive_timeout_sec: 30,
    description: "Old",
    lifecycle: { prevent_destroy: true },
  });
});

test("target proxies that are adopted with 'attachMap: false' keep their certificates and get no map", () => {
  const stack = newStack();
  const proxy = {
    name: "web",
    urlMap: "um",
    sslCertificates: ["c"],
    attachMap: false,
    sslPolicy: "",
    quicOverride: "UNSET" as const,
    tlsEarlyData: "UNSET" as const,
    httpKeepAliveTimeoutSeconds: 0,
    serverTlsPolicy: "",
    description: "",
  };
  const migration = migrate(stack, {
    loadBalancer: LoadBalancer.globalExternal({ adoptTargetHttpsProxies: [proxy] }),
  });
  expect(migration.node.metadata).toEqual([]);
  const made = onlyResource(synthesize(stack), "google_compute_target_https_proxy");
  expect(made.ssl_certificates).toEqual(["c"]);
  expect(made).not.toHaveProperty("certificate_map");
});

test("target proxies of a cross-region internal load balancer get certificates of scope ALL_REGIONS directly, after the gate", () => {
  const stack = newStack();
  migrate(stack, { loadBalancer: LoadBalancer.crossRegionInternal({ newTargetHttpsProxy: { urlMap: "um" } }) });
  const synthesized = synthesize(stack);
  expect(onlyResource(synthesized, "google_certificate_manager_certificate").scope).toBe("ALL_REGIONS");
  const proxy = onlyResource(synthesized, "google_compute_target_https_proxy");
  expect(proxy.certificate_manager_certificates).toEqual([
    `//certificatemanager.googleapis.com/\${${onlyAddress(synthesized, "google_certificate_manager_certificate")}.id}`,
  ]);
  expect(proxy.depends_on).toEqual([onlyAddress(synthesized, "terraform_data")]);
  expect(synthesized.resource?.google_certificate_manager_certificate_map).toBeUndefined();
});
