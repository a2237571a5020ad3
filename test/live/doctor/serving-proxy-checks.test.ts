import { judgeServingProxy } from "../../../lib/live/doctor/serving-proxy-checks";
import { subjectOfTest } from "./subjects";

const id = "projects/p1/global/targetHttpsProxies/web";
const old = "projects/p1/global/sslCertificates/old";
const map = "projects/p1/locations/global/certificateMaps/shop";
const now = new Date("2026-11-21T00:00:00Z");
const proxy = { id, addresses: ["203.0.113.7"], certificates: [{ id: old, domains: ["shop.example.com"] }] };
const rule = {
  ...{ id: "projects/p1/global/forwardingRules/web", target: id, scheme: "EXTERNAL_MANAGED" },
  ...{ address: "203.0.113.7", portRange: "443-443", networkTier: "PREMIUM" },
};

function codes(
  live: { readonly map?: string; readonly certificates: readonly string[] },
  notAfter: string,
  isManaged: boolean,
) {
  const subject = subjectOfTest({ map, servingProxies: [proxy] });
  const certificates = [{ id: old, domains: [], isManaged, notAfter }];
  const balancer = { proxies: [{ id, settings: {}, ...live }], rules: [rule], certificates };
  return judgeServingProxy(proxy, subject, balancer, [], now).map(({ code }) => code);
}

test("compares the certificates only until the migration's own map is attached", () => {
  const later = "2027-11-21T00:00:00Z";
  expect(codes({ certificates: [] }, later, false)).toEqual(["serving-certificates-changed"]);
  expect(codes({ certificates: [], map }, later, false)).toEqual([]);
  expect(codes({ certificates: [old] }, later, false)).toEqual([]);
});

test("expects an uploaded certificate to be valid for 30 days, and a managed certificate today", () => {
  expect(codes({ certificates: [old], map }, "2026-12-20T23:59:59Z", false)).toEqual(["serving-certificate-expires"]);
  expect(codes({ certificates: [old], map }, "2026-12-21T00:00:00Z", false)).toEqual([]);
  expect(codes({ certificates: [old], map }, "2026-11-21T00:00:01Z", true)).toEqual([]);
  expect(codes({ certificates: [old], map }, "2026-11-21T00:00:00Z", true)).toEqual(["serving-certificate-expired"]);
});

test.each<[traces: object]>([
  [{ description: '{"k8sResource":"/namespaces/store/gateways/web"}' }],
  [{ labels: ["goog-gke-node"] }],
])("recognizes a proxy of GKE by its forwarding rule %j", (traces) => {
  const subject = subjectOfTest({ map, servingProxies: [proxy] });
  const live = {
    proxies: [{ id, settings: {}, certificates: [old] }],
    rules: [{ ...rule, ...traces }],
    certificates: [],
  };
  expect(judgeServingProxy(proxy, subject, live, [], now).map(({ code }) => code)).toEqual([
    "serving-proxy-owned-by-gke",
  ]);
});
