import { makeThirdPartyCertificates } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { existingProxiesOf, makeExistingProxies } from "../../lib/rehearsal/existing-proxies";
import { startTestCloud } from "../support/cloud";

const https = {
  name: "web",
  url_map: "projects/p1/global/urlMaps/web",
  ssl_certificates: ["projects/p1/global/sslCertificates/old-shop"],
  certificate_map: "//certificatemanager.googleapis.com/${google_certificate_manager_certificate_map.m.id}",
};
const ssl = { name: "mail", project: "p2", backend_service: "projects/p2/global/backendServices/mail" };
const stack = {
  provider: { google: [{ project: "p1" }] },
  import: [
    { to: "google_compute_target_https_proxy.web", id: "web" },
    { to: "google_compute_target_ssl_proxy.mail", id: "p2/mail" },
  ],
  resource: {
    google_compute_target_https_proxy: { web: https, made: { name: "made" } },
    google_compute_target_ssl_proxy: { mail: ssl },
  },
};
const withAddresses = {
  ...stack,
  output: {
    cert_migration: {
      value: {
        migrations: { shop: { addresses: { ipv4: ["203.0.113.9", "${x.y.address}"], ipv6: ["2001:db8::9"] } } },
      },
    },
  },
};

test("are the proxies that the stack imports, with their present certificates", () => {
  expect(existingProxiesOf(stack)).toEqual([
    {
      project: "p1",
      name: "web",
      collection: "targetHttpsProxies",
      backend: "projects/p1/global/urlMaps/web",
      sslCertificates: ["old-shop"],
      addresses: ["203.0.113.7"],
    },
    {
      project: "p2",
      name: "mail",
      collection: "targetSslProxies",
      backend: "projects/p2/global/backendServices/mail",
      sslCertificates: [],
      addresses: ["203.0.113.8"],
    },
  ]);
});

test("have the server TLS policy that exists before the migration, and not one that the stack creates", () => {
  const policy = "projects/p1/locations/global/serverTlsPolicies/clients";
  const policyOf = (server_tls_policy: string) => {
    const web = { ...https, server_tls_policy };
    return existingProxiesOf({ ...stack, resource: { google_compute_target_https_proxy: { web } } })[0]
      ?.serverTlsPolicy;
  };
  expect(policyOf(`//networksecurity.googleapis.com/${policy}`)).toBe(policy);
  expect(policyOf("${google_network_security_server_tls_policy.own.id}")).toBeUndefined();
});

test("answer at the address of the load balancer in the code", () => {
  expect(existingProxiesOf(withAddresses)[0]?.addresses).toEqual(["203.0.113.9", "2001:db8::9"]);
});

test("present the previous provider's certificate, and stay reachable until they are retired", async () => {
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 0, propagationMs: 0 } });
  const { certificates } = await makeThirdPartyCertificates([{ names: ["shop.example.com"] }], {
    now: () => new Date(),
  });
  const [certificate] = certificates;
  if (certificate === undefined) throw new Error("no certificate was made");
  const base = "/compute/v1/projects/p1/global";
  await cloud.make("POST", `${base}/backendServices`, {
    name: "web",
    protocol: "HTTP",
    loadBalancingScheme: "EXTERNAL_MANAGED",
  });
  await cloud.make("POST", `${base}/urlMaps`, { name: "web", defaultService: "global/backendServices/web" });
  const [web] = existingProxiesOf(withAddresses);
  const place = {
    cloudUrl: cloud.endpoints.http,
    http: createHttpClient(),
    certificate,
    issue: async () => certificate,
  };
  const retire = await makeExistingProxies(web === undefined ? [] : [web], place);
  const { sslCertificates } = await cloud.make("GET", `${base}/targetHttpsProxies/web`);
  expect(sslCertificates).toEqual([expect.stringMatching(/sslCertificates\/old-shop$/)]);
  await cloud.loadBalancers.settle();
  expect(
    cloud.loadBalancers
      .listeners()
      .map(({ ipAddress }) => ipAddress)
      .sort(),
  ).toEqual(["2001:db8::9", "203.0.113.9"]);
  // Existing resources stay unchanged.
  await makeExistingProxies(web === undefined ? [] : [web], place);
  await retire();
  const { items = [] } = await cloud.make("GET", `${base}/forwardingRules`);
  expect(items).toEqual([]);
});

test("present the looked-up certificates if their own are known only to Terraform", async () => {
  const block = {
    name: "web",
    url_map: "${google_compute_url_map.web.id}",
    ssl_certificates: ["${data.google_compute_ssl_certificate.old.id}", "${google_compute_ssl_certificate.next.id}"],
  };
  const [proxy] = existingProxiesOf({
    ...stack,
    data: { google_compute_ssl_certificate: { old: { name: "old-shop" } } },
    resource: { google_compute_target_https_proxy: { web: block } },
  });
  expect(proxy?.sslCertificates).toEqual(["old-shop"]);
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 0, propagationMs: 0 } });
  const { certificates } = await makeThirdPartyCertificates([{ names: ["shop.example.com"] }], {
    now: () => new Date(),
  });
  const [certificate] = certificates;
  if (certificate === undefined || proxy === undefined) throw new Error("nothing was made");
  await makeExistingProxies([proxy], {
    cloudUrl: cloud.endpoints.http,
    http: createHttpClient(),
    certificate,
    issue: async () => certificate,
  });
  const made = await cloud.make("GET", "/compute/v1/projects/p1/global/targetHttpsProxies/web");
  expect(made.urlMap).toMatch(/urlMaps\/web-today$/);
});
