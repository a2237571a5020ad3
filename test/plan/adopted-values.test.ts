import { type AdoptedTargetHttpsProxySpec, type MigrationSpec, planMigration } from "../../lib/plan";
import { adoptedProxy } from "../support/adopted-proxy";

const now = new Date("2026-01-02T03:04:05Z");
const proxy = adoptedProxy({ urlMap: "projects/p/global/urlMaps/web" });

function planOf(adopted: AdoptedTargetHttpsProxySpec) {
  const spec: MigrationSpec = {
    name: "shop",
    certificates: [{ domains: ["shop.example.com"] }],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal", adoptTargetHttpsProxies: [adopted] },
  };
  return planMigration(spec, { now });
}

test("reads null in data of earlier versions as the value that states that the proxy has none", () => {
  const { name, urlMap, ...others } = proxy;
  const former: unknown = {
    name,
    urlMap,
    ...Object.fromEntries(Object.keys(others).map((field) => [field, null])),
  };
  const plan = planOf(former as AdoptedTargetHttpsProxySpec);
  expect(plan).toEqual(planOf(proxy));
  expect(plan.findings.filter(({ severity }) => severity === "error")).toEqual([]);
});

test.each([
  [0, []],
  [4, ["value-out-of-range"]],
  [5, []],
  [1200, []],
])("judges a timeout of %i seconds", (httpKeepAliveTimeoutSeconds, codes) => {
  const { findings } = planOf({ ...proxy, httpKeepAliveTimeoutSeconds });
  expect(findings.map(({ code }) => code)).toEqual(codes);
});
