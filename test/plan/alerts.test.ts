import { planMigration } from "../../lib/plan";

describe("the uptime check of a certificate", () => {
  const checked = (domains: readonly string[], wildcardProbes: Readonly<Record<string, string>> = {}) => {
    const { alerts } = planMigration({
      name: "shop",
      certificates: [{ domains }],
      dns: { kind: "external" },
      alerts: { notificationChannels: ["projects/my-project/notificationChannels/1"], wildcardProbes },
    });
    return { checks: alerts?.checks.map(({ hostname }) => hostname), unchecked: alerts?.unchecked };
  };

  test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ["requests its shortest hostname", ["example.com", "shop.example.com"], {}, "example.com"],
    ["prefers a hostname to a shorter wildcard", ["*.example.com", "shop.eu.example.com"], {}, "shop.eu.example.com"],
    [
      "requests the name that probes a wildcard if the wildcard is shorter",
      ["*.example.com", "shop.eu.example.com"],
      { " *.EXAMPLE.com. ": " WWW.example.com. " },
      "www.example.com",
    ],
  ])("%s", (_, domains, probes, expected) => {
    expect(checked(domains, probes)).toEqual({ checks: [expected], unchecked: [] });
  });
});
