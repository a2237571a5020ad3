import { judgeExpiry, judgeServingProxy } from "../../../lib/live/doctor/serving-proxy-checks";
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

test("compares the certificates only until the migration's own map is attached", () => {
  const codes = (live: { readonly map?: string; readonly certificates: readonly string[] }) => {
    const subject = subjectOfTest({ map: { id: map }, balancer: { servingProxies: [proxy] } });
    const balancer = { proxies: [{ id, settings: {}, ...live }], rules: [rule], certificates: [] };
    return judgeServingProxy(proxy, subject, balancer, []).map(({ code }) => code);
  };
  expect(codes({ certificates: [] })).toEqual(["serving-certificates-changed"]);
  expect(codes({ certificates: [], map })).toEqual([]);
  expect(codes({ certificates: [old] })).toEqual([]);
});

test("ignores a managed certificate that was never issued, unless the migration states it", () => {
  const codes = (
    certificate: { readonly isManaged: boolean; readonly notAfter?: string },
    stated: readonly string[],
  ) => {
    const subject = subjectOfTest({ map: { id: map }, balancer: { servingProxies: [proxy] } });
    const other = "projects/p1/global/sslCertificates/other";
    const balancer = {
      proxies: [{ id, settings: {}, certificates: [old, other] }],
      rules: [rule],
      certificates: [{ id: other, domains: ["shop.example.com"], ...certificate }],
    };
    const certificates = stated.map((id) => ({ id, domains: ["shop.example.com"] }));
    return judgeServingProxy({ ...proxy, certificates }, subject, balancer, []).map(({ code }) => code);
  };
  const other = "projects/p1/global/sslCertificates/other";
  const changed = ["serving-certificates-changed"];
  expect(codes({ isManaged: true }, [old])).toEqual([]);
  expect(codes({ isManaged: true, notAfter: "2027-01-01T00:00:00Z" }, [old])).toEqual(changed);
  expect(codes({ isManaged: false }, [old])).toEqual(changed);
  expect(codes({ isManaged: true }, [old, other])).toEqual([]);
});

function expiry(notAfter: string, isManaged: boolean, proxies = [{ id, settings: {}, certificates: [old] }]) {
  const serving = proxies.map((one) => ({ ...proxy, id: one.id }));
  const certificates = [{ id: old, domains: [], isManaged, notAfter }];
  return judgeExpiry(serving, { proxies, certificates }, now).map(({ code, message }) => [code, message]);
}

test("expects an uploaded certificate to be valid for 30 days, and a managed certificate today", () => {
  expect(expiry("2026-12-20T23:59:59Z", false)).toEqual([
    ["serving-certificate-expires", `it expires on 2026-12-20, and ${id} presents it`],
  ]);
  expect(expiry("2026-12-21T00:00:00Z", false)).toEqual([]);
  expect(expiry("2026-11-21T00:00:01Z", true)).toEqual([]);
  expect(expiry("2026-11-21T00:00:00Z", true)).toEqual([
    ["serving-certificate-expired", `it expired on 2026-11-21, and ${id} presents it`],
  ]);
});

test("reports a certificate of several proxies once, with the proxies", () => {
  const proxies = [id, `${id}-2`].map((one) => ({ id: one, settings: {}, certificates: [old] }));
  expect(expiry("2026-11-20T00:00:00Z", false, proxies)).toEqual([
    ["serving-certificate-expired", `it expired on 2026-11-20, and ${id}, ${id}-2 present it`],
  ]);
});

test.each<[traces: object]>([
  [{ description: '{"k8sResource":"/namespaces/store/gateways/web"}' }],
  [{ labels: ["goog-gke-node"] }],
])("recognizes a proxy of GKE by its forwarding rule %j", (traces) => {
  const subject = subjectOfTest({ map: { id: map }, balancer: { servingProxies: [proxy] } });
  const live = {
    proxies: [{ id, settings: {}, certificates: [old] }],
    rules: [{ ...rule, ...traces }],
    certificates: [],
  };
  expect(judgeServingProxy(proxy, subject, live, []).map(({ code }) => code)).toEqual(["serving-proxy-owned-by-gke"]);
});
