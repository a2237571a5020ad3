import { planMigration, type TrafficSpec } from "../../lib/plan";

describe("the traffic records of a hostname", () => {
  const planned = (traffic: TrafficSpec) =>
    planMigration({
      name: "shop",
      certificates: [{ domains: ["shop.example.com"] }],
      dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
      loadBalancer: { kind: "globalExternal", addresses: ["203.0.113.7", "2001:db8::7"] },
      traffic,
    }).traffic?.records.map(({ zone, ...record }) => record);
  const hostname = "shop.example.com";

  test.each<
    [string, TrafficSpec["to"], { readonly a?: readonly string[]; readonly aaaa?: readonly string[] }, object[]]
  >([
    [
      "are the present addresses, sorted, without duplicates and only of families that exist, while traffic stays",
      "previous",
      { a: ["198.51.100.2", "198.51.100.1", "198.51.100.2"] },
      [{ hostname, type: "A", data: ["198.51.100.1", "198.51.100.2"], adopt: true }],
    ],
    [
      "are one address of each family, while traffic stays",
      "previous",
      { a: ["198.51.100.1"], aaaa: ["2001:db8::1"] },
      [
        { hostname, type: "A", data: ["198.51.100.1"], adopt: true },
        { hostname, type: "AAAA", data: ["2001:db8::1"], adopt: true },
      ],
    ],
    [
      "are the load balancer's addresses, which replace only records that exist, when traffic moves",
      "loadBalancer",
      { a: ["198.51.100.1"] },
      [
        { hostname, type: "A", data: ["203.0.113.7"], adopt: true },
        { hostname, type: "AAAA", data: ["2001:db8::7"], adopt: false },
      ],
    ],
  ])("%s", (_, to, previous, expected) => {
    expect(planned({ to, previous: { [hostname]: previous } })).toEqual(expected);
  });
});
