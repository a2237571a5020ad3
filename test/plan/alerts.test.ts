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

describe("a probe of a wildcard", () => {
  const mistakes = (wildcardProbes: Readonly<Record<string, string>>, phase: "issue" | "serve" = "serve") =>
    planMigration({
      name: "shop",
      phase,
      certificates: [{ domains: ["example.com", "*.example.com"] }],
      dns: { kind: "external" },
      alerts: { notificationChannels: ["projects/my-project/notificationChannels/1"], wildcardProbes },
    }).findings.flatMap(({ code, subject, message }) =>
      code === "alert-probe-invalid" ? [`${subject}: ${message}`] : [],
    );

  test.each<[string, string, string, string]>([
    ["is not for a hostname", "example.com", "www.example.com", "'example.com' is not a wildcard of the migration"],
    [
      "is not for another wildcard",
      "*.example.org",
      "www.example.org",
      "'*.example.org' is not a wildcard of the migration",
    ],
    [
      "is not a wildcard itself",
      "*.example.com",
      "*.example.com",
      "'*.example.com' is not a name that '*.example.com' covers",
    ],
    [
      "is not below a name of the wildcard",
      "*.example.com",
      "a.b.example.com",
      "'a.b.example.com' is not a name that '*.example.com' covers",
    ],
  ])("%s", (_, wildcard, probe, message) => {
    expect(mistakes({ [wildcard]: probe })).toEqual([`/alerts/wildcardProbes/${wildcard}: ${message}`]);
  });

  test("may be for any wildcard while nothing is served", () => {
    expect(mistakes({ "*.example.org": "www.example.org" }, "issue")).toEqual([]);
  });
});
