import { makeCertificate } from "../../support/make-certificate";
import { loadBalancer, manager, refusal, startCompute } from "./start-compute";

const { certificatePem: certificate, privateKeyPem: privateKey } = makeCertificate(["shop.example.com"]);
const { backendService, urlMap, proxy, rule } = loadBalancer;

/** Every resource; referenced resources come before those that reference them. */
const everything = [
  ["p1/global/healthChecks", { name: "h1", type: "TCP" }],
  [backendService[0], { ...backendService[1], healthChecks: ["global/healthChecks/h1"] }],
  ["p1/global/backendServices", { name: "tcp", protocol: "TCP" }],
  urlMap,
  ["p1/global/urlMaps", { name: "u2", defaultService: "global/backendServices/b1" }],
  ["p1/global/sslCertificates", { name: "s1", certificate, privateKey }],
  ["p1/global/sslCertificates", { name: "s2", certificate, privateKey }],
  [proxy[0], { ...proxy[1], sslCertificates: ["global/sslCertificates/s1"] }],
  ["p1/global/targetHttpProxies", { name: "h1", urlMap: "global/urlMaps/u2" }],
  [
    "p1/global/targetSslProxies",
    { name: "t1", service: "global/backendServices/tcp", sslCertificates: ["global/sslCertificates/s2"] },
  ],
  ["p1/global/addresses", { name: "a1", address: "203.0.113.7" }],
  rule,
  [rule[0], { name: "r2", target: "global/targetSslProxies/t1", portRange: "443" }],
  [rule[0], { name: "r3", target: "global/targetHttpProxies/h1", portRange: "80" }],
] as const;

describe("deleting", () => {
  it.each([
    ["health_check", "healthChecks/h1", "backendServices/b1"],
    ["backend_service", "backendServices/b1", "urlMaps/u1"],
    ["backend_service", "backendServices/tcp", "targetSslProxies/t1"],
    ["url_map", "urlMaps/u1", "targetHttpsProxies/x1"],
    ["url_map", "urlMaps/u2", "targetHttpProxies/h1"],
    // The certificate map takes precedence, but the certificate stays attached.
    ["ssl_certificate", "sslCertificates/s1", "targetHttpsProxies/x1"],
    ["ssl_certificate", "sslCertificates/s2", "targetSslProxies/t1"],
    ["target_https_proxy", "targetHttpsProxies/x1", "forwardingRules/r1"],
    ["target_ssl_proxy", "targetSslProxies/t1", "forwardingRules/r2"],
    ["target_http_proxy", "targetHttpProxies/h1", "forwardingRules/r3"],
    ["address", "addresses/a1", "forwardingRules/r1"],
  ])("a %s fails while another resource refers to it: %s, %s", async (noun, path, user) => {
    await using cloud = await startCompute();
    await cloud.make(...everything);
    expect(refusal(await cloud.call("DELETE", `p1/global/${path}`))).toBe(
      `400 resourceInUseByAnotherResource: The ${noun} resource 'projects/p1/global/${path}' is already being used by 'projects/p1/global/${user}'`,
    );
    expect(await cloud.call("GET", `p1/global/${path}`)).toMatchObject({ status: 200 });
  });

  it("succeeds from the referring resources to their targets", async () => {
    await using cloud = await startCompute();
    await cloud.make(...everything);
    for (const [path, { name }] of [...everything].reverse()) {
      expect(await cloud.call("DELETE", `${path}/${name}`)).toMatchObject({
        status: 200,
        body: { operationType: "delete" },
      });
      expect(refusal(await cloud.call("GET", `${path}/${name}`))).toBe(
        `404 notFound: The resource 'projects/${path}/${name}' was not found`,
      );
    }
    expect(cloud.compute.frontends()).toEqual([]);
  });

  it("a certificate succeeds after its proxy has a map instead", async () => {
    await using cloud = await startCompute();
    await cloud.make(...everything);
    await cloud.make([
      "p1/global/targetSslProxies/t1/setCertificateMap",
      { certificateMap: `${manager}/global/certificateMaps/m1` },
    ]);
    expect(await cloud.call("DELETE", "p1/global/sslCertificates/s2")).toMatchObject({ status: 400 });
    await cloud.make(["p1/global/targetSslProxies/t1/setSslCertificates", { sslCertificates: [] }]);
    expect(await cloud.call("DELETE", "p1/global/sslCertificates/s2")).toMatchObject({ status: 200 });
  });

  it("a missing resource fails", async () => {
    await using cloud = await startCompute();
    expect(refusal(await cloud.call("DELETE", "p1/global/urlMaps/u9"))).toBe(
      "404 notFound: The resource 'projects/p1/global/urlMaps/u9' was not found",
    );
  });
});
