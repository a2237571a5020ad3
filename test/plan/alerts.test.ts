import { type MigrationSpec, planMigration } from "../../lib/plan";
import { makeClientPki } from "../support/client-certificates";
import { makeCertificate, makeChain } from "../support/make-certificate";

const notificationChannels = ["projects/my-project/notificationChannels/1"];

describe("the uptime check of a certificate", () => {
  const checked = (domains: readonly string[], wildcardProbes: Readonly<Record<string, string>> = {}) => {
    const { alerts } = planMigration({
      name: "shop",
      certificates: [{ domains }],
      dns: { kind: "external" },
      alerts: { notificationChannels, wildcardProbes },
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

describe("an alternative certificate, which clients choose by the type of its key", () => {
  const { certificatePem } = makeCertificate(["example.com", "www.example.com"]);
  const domains = ["example.com", "www.example.com"];
  const rsa = {
    kind: "selfManaged",
    name: "rsa",
    domains,
    hostnames: [] as readonly string[],
    certificatePem,
    privateKeyVariable: "key",
  } as const;
  const planned = (alerts: object, hostnames: readonly string[] = []) => {
    const served = domains.filter((domain) => !hostnames.includes(domain));
    const { alerts: plan, findings } = planMigration({
      name: "shop",
      certificates: [
        { domains, hostnames: served, alternatives: ["rsa"] },
        { ...rsa, hostnames },
      ],
      dns: { kind: "external" },
      alerts: { notificationChannels, ...alerts },
    });
    const messages = findings.flatMap(({ code, message }) => (code === "alert-hostname-unchecked" ? [message] : []));
    return { checks: plan?.checks.map(({ hostname }) => hostname), unchecked: plan?.unchecked, messages };
  };
  const reason =
    "clients choose between the certificates of an entry by their key types, and an uptime check can't choose";

  test.each<[string, object]>([
    ["by default", {}],
    ["with one check for each certificate", { uptimeChecks: "onePerCertificate" }],
  ])("is listed without a check %s", (_, alerts) => {
    expect(planned(alerts)).toEqual({
      checks: ["example.com"],
      unchecked: [{ hostname: "example.com", certificate: "rsa", reason }],
      messages: [`certificate 'rsa' of 'example.com' has no uptime check: ${reason}`],
    });
  });

  test.each<[string, object, readonly string[], readonly string[]]>([
    ["if each hostname has a check", { uptimeChecks: "all" }, [], domains],
    ["if hostnames are chosen", { hostnames: ["www.example.com"] }, [], ["www.example.com"]],
    ["without uptime checks", { uptimeChecks: "none" }, [], []],
    ["if it is also the first certificate of a hostname", {}, ["www.example.com"], domains],
  ])("is not listed %s", (_, alerts, hostnames, checks) => {
    expect(planned(alerts, hostnames)).toEqual({ checks, unchecked: [], messages: [] });
  });
});

describe("a probe of a wildcard", () => {
  const mistakes = (wildcardProbes: Readonly<Record<string, string>>, phase: "issue" | "serve" = "serve") =>
    planMigration({
      name: "shop",
      phase,
      certificates: [{ domains: ["example.com", "*.example.com"] }],
      dns: { kind: "external" },
      alerts: { notificationChannels, wildcardProbes },
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

describe("a hostname behind mutual TLS", () => {
  const trustAnchors = [makeClientPki().root.pem];
  const reasonsOf = (loadBalancer: MigrationSpec["loadBalancer"]) => {
    const { alerts, findings } = planMigration({
      name: "shop",
      certificates: [{ domains: ["example.com"] }],
      dns: { kind: "external" },
      ...(loadBalancer && { loadBalancer }),
      alerts: { notificationChannels, uptimeChecks: "all" },
    });
    expect(findings.some(({ code }) => code === "alert-hostname-unchecked")).toBe(alerts?.unchecked.length !== 0);
    return alerts?.unchecked.map(({ reason }) => reason);
  };
  const https = (mode: "REJECT_INVALID" | "ALLOW_INVALID_OR_MISSING_CLIENT_CERT") => ({
    urlMap: "projects/my-project/global/urlMaps/shop",
    clientAuthentication: { mode, trustAnchors },
  });

  test("has no check if the load balancer rejects clients without a certificate", () => {
    expect(reasonsOf({ kind: "globalExternal", newTargetHttpsProxy: https("REJECT_INVALID") })).toEqual([
      "the load balancer rejects clients without a certificate, and uptime checks have no client certificate",
    ]);
  });

  test("has a check if the load balancer accepts clients without a certificate", () => {
    expect(
      reasonsOf({ kind: "globalExternal", newTargetHttpsProxy: https("ALLOW_INVALID_OR_MISSING_CLIENT_CERT") }),
    ).toEqual([]);
  });

  test("has a check if another proxy accepts clients without a certificate", () => {
    const newTargetSslProxy = { backendService: "projects/my-project/global/backendServices/shop" };
    expect(
      reasonsOf({ kind: "globalExternal", newTargetHttpsProxy: https("REJECT_INVALID"), newTargetSslProxy }),
    ).toEqual([]);
  });
});

/** Plans the alerts of an uploaded certificate. */
function planUpload(certificatePem: string, daysBeforeExpiry?: number, roots?: readonly string[]) {
  const { alerts, findings } = planMigration(
    {
      name: "shop",
      certificates: [
        { kind: "selfManaged", name: "up", domains: ["up.example.com"], certificatePem, privateKeyVariable: "key" },
      ],
      dns: { kind: "external" },
      alerts: { notificationChannels, uptimeChecks: "all", ...(daysBeforeExpiry && { daysBeforeExpiry }) },
    },
    roots && { publicRoots: () => roots },
  );
  const warnings = findings.filter(({ code }) => code.startsWith("alert-"));
  return {
    days: alerts?.checks.map((check) => check.daysBeforeExpiry),
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
  };
}

/** Makes a certificate that is its own root, as PEM. */
function lasting(lifetimeDays: number): string {
  const notBefore = new Date("2026-11-01T00:00:00Z");
  const notAfter = new Date(notBefore.getTime() + lifetimeDays * 86_400_000);
  return makeCertificate(["up.example.com"], { notBefore, notAfter }).certificatePem;
}

describe("the alert of an uploaded certificate", () => {
  test.each([
    [47, 11],
    [365, 25],
  ])("begins after the usual replacement of a certificate of %s days", (lifetimeDays, days) => {
    expect(planUpload(lasting(lifetimeDays))).toEqual({ days: [days], warnings: [] });
  });

  test.each([
    [47, 60, "16"],
    [47, 16, "16"],
    [47, 15, undefined],
    [90, 30, "30"],
    [90, 29, undefined],
    [365, 60, undefined],
  ])(
    "of %s days is compared with the replacement if it begins %s days before the end: due %s days before it",
    (lifetime, given, due) => {
      const message = `'daysBeforeExpiry' is ${given}, and the replacement of uploaded certificate 'up' is due ${due} days before its end`;
      expect(planUpload(lasting(lifetime), given).warnings).toEqual(
        due === undefined ? [] : [`alert-before-renewal: ${message}`],
      );
    },
  );

  test("does not exist if no public CA has issued the chain", () => {
    const { certificatePem, rootPem } = makeChain("up.example.com", new Date("2060-01-01T00:00:00Z"));
    const reason =
      "its uploaded chain does not end in the root of a public CA, and uptime checks trust public CAs only";
    const unchecked = `alert-hostname-unchecked: 'up.example.com' has no uptime check: ${reason}`;
    expect(planUpload(certificatePem, undefined, [lasting(90)])).toEqual({ days: [], warnings: [unchecked] });
    expect(planUpload(certificatePem, undefined, [rootPem])).toEqual({ days: [25], warnings: [] });
  });

  test("exists if only Terraform knows the chain, or the roots are not known", () => {
    expect(planUpload("${var.chain}", undefined, [lasting(90)])).toEqual({ days: [25], warnings: [] });
    expect(planUpload(lasting(397))).toEqual({ days: [25], warnings: [] });
  });
});
