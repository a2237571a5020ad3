import type { TerraformStack } from "cdktf";
import {
  Certificate,
  CertificateAlerts,
  type CertificateAlertsProps,
  CertificateIssuer,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  PrivateKey,
  WildcardCertWithAuth,
} from "../../lib";
import { publicRootsContextKey } from "../../lib/rehearsed";
import { makeCertificate } from "../support/make-certificate";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, resourcesOf, synthesize } from "../support/synth";

const channel = "projects/my-project/notificationChannels/1";
const alerts = { notificationChannels: [channel] };
const policyType = "google_monitoring_alert_policy";
const checkType = "google_monitoring_uptime_check_config";

/** Returns a stack with one migration that has alerts, and its warnings. */
function alerting(change: Partial<ManagedCertMigrationProps> = {}) {
  const stack = newStack();
  const migration = migrate(stack, { alerts, ...change });
  return { stack, migration, warnings: warningsOf(migration) };
}

function warningsOf({ node }: { readonly node: { readonly metadata: readonly { readonly data: unknown }[] } }) {
  return node.metadata.map(({ data }) => /\[([a-z-]+)\]$/.exec(String(data))?.[1]);
}

/** Returns a stack with `CertificateAlerts` for a migration. */
function watching(change: Partial<CertificateAlertsProps>, stack: TerraformStack = newStack()) {
  const shop = migrate(stack);
  return new CertificateAlerts(stack, "alerts", { migrations: [shop], ...alerts, ...change });
}

test.each([
  [true, ["logging.googleapis.com", "monitoring.googleapis.com"]],
  [false, []],
  [undefined, []],
])("alerts with 'enableApis' %p enable the APIs %j before their resources", (enableApis, expected) => {
  const stack = newStack();
  watching(enableApis === undefined ? {} : { enableApis }, stack);
  const synthesized = synthesize(stack);
  const apis = resourcesOf(synthesized, "google_project_service");
  expect(
    Object.values(apis)
      .map(({ service }) => service)
      .sort(),
  ).toEqual(expected);
  const waitedFor = Object.keys(apis).map((id) => `google_project_service.${id}`);
  for (const type of [policyType, checkType, "google_monitoring_dashboard"]) {
    for (const { depends_on = [] } of Object.values(resourcesOf(synthesized, type))) {
      expect(depends_on).toEqual(expect.arrayContaining(waitedFor));
    }
  }
});

test("a migration with alerts has an uptime check for each certificate, and policies for it and for the expiry log", () => {
  const { stack, migration } = alerting();
  expect(migration.alerts?.plan.checks).toEqual([
    {
      hostname: "example.com",
      certificate: "example.com",
      migration: "prod/shop",
      renewedBy: "google",
      intervalSeconds: 900,
      daysBeforeExpiry: 25,
    },
  ]);
  const synthesized = synthesize(stack);
  expect(Object.values(resourcesOf(synthesized, checkType))).toMatchObject([
    {
      display_name: "Certificate of example.com",
      period: "900s",
      timeout: "10s",
      http_check: {
        use_ssl: true,
        validate_ssl: true,
        accepted_response_status_codes: [{ status_class: "STATUS_CLASS_ANY" }],
      },
      monitored_resource: { type: "uptime_url", labels: { host: "example.com" } },
      lifecycle: { create_before_destroy: true },
    },
  ]);
  const policies = resourcesOf(synthesized, policyType);
  expect(
    Object.values(policies).map(({ conditions, severity, notification_channels: channels }) => [
      (conditions as readonly object[]).map((condition) => Object.keys(condition).sort()[0]),
      severity,
      channels,
    ]),
  ).toEqual([
    [["condition_matched_log"], "WARNING", [channel]],
    [["condition_threshold", "condition_threshold", "condition_absent"], "ERROR", [channel]],
    [["condition_matched_log"], "CRITICAL", [channel]],
  ]);
  expect(Object.keys(resourcesOf(synthesized, "google_monitoring_dashboard"))).toHaveLength(1);
});

test.each([
  [25, []],
  [30, ["alert-before-renewal"]],
])(
  "the alert of an existing certificate, %i days before its end, states that it may be managed or uploaded",
  (daysBeforeExpiry, expected) => {
    const existing = Certificate.existing("projects/p/locations/global/certificates/c", { domains: ["example.com"] });
    const change = { alerts: { ...alerts, daysBeforeExpiry }, certificates: [existing] };
    const { stack, migration, warnings } = alerting(change);
    expect(migration.alerts?.plan.checks).toMatchObject([{ renewedBy: "unknown" }]);
    expect(JSON.stringify(resourcesOf(synthesize(stack), policyType))).toContain(
      "if it is managed, Google should have renewed it 30 days before its end; if it is uploaded, it has to be replaced",
    );
    expect(warnings.filter((code) => code?.startsWith("alert-"))).toEqual(expected);
  },
);

test("policies on logs limit their notifications, and refer to the check by its id", () => {
  const { stack, migration } = alerting();
  const text = JSON.stringify(resourcesOf(synthesize(stack), policyType));
  expect(text.match(/"notification_rate_limit":\{"period":"86400s"\}/g)).toHaveLength(2);
  const check = migration.alerts?.uptimeCheck("example.com");
  expect(text).toContain(`\${${checkType}.${check?.friendlyUniqueId}.uptime_check_id}`);
});

test("addresses of alerts depend on hostnames, so that another hostname changes none of them", () => {
  const idsOf = (domains: readonly string[]) => {
    const { stack } = alerting({
      certificates: domains.map((domain) => Certificate.managed({ domains: [domain] })),
    });
    return Object.keys(resourcesOf(synthesize(stack), policyType));
  };
  const before = idsOf(["b.example.com"]);
  expect(before).toEqual([
    "shop_alerts_alert-bexamplecom_5E4ED19C",
    "shop_alerts_alert-close-to-expiry_BFB60FD7",
    "shop_alerts_alert-expired_C127B18E",
  ]);
  expect(idsOf(["a.example.com", "b.example.com"])).toEqual(expect.arrayContaining(before));
});

test("people see the name of the migration in alerts, not its construct path", () => {
  const titlesOf = (change: Partial<ManagedCertMigrationProps>) => {
    const synthesized = synthesize(alerting(change).stack);
    const policies = Object.values(resourcesOf(synthesized, policyType)).map(({ display_name: title }) => title);
    const [dashboard] = Object.values(resourcesOf(synthesized, "google_monitoring_dashboard"));
    return [...policies, JSON.parse(String(dashboard?.dashboard_json)).displayName];
  };
  expect(titlesOf({ name: "web" })).toEqual([
    "Certificates expire soon (web)",
    "Certificate of example.com (web)",
    "Certificates have expired (web)",
    "Certificates (web)",
  ]);
  expect(titlesOf({}).every((title) => String(title).endsWith(" (prod/shop)"))).toBe(true);
});

test("without alerts a migration creates nothing in Monitoring", () => {
  const stack = newStack();
  const migration = migrate(stack);
  expect(migration.alerts).toBeUndefined();
  expect(Object.keys(synthesize(stack).resource ?? {}).filter((type) => type.includes("monitoring"))).toEqual([]);
});

test("phase issue has the policies on the log only, because no hostname is served", () => {
  const { stack } = alerting({ phase: "issue" });
  const synthesized = synthesize(stack);
  expect(Object.keys(resourcesOf(synthesized, policyType))).toHaveLength(2);
  expect(resourcesOf(synthesized, checkType)).toEqual({});
});

test.each<[string, Partial<ManagedCertMigrationProps>, readonly string[]]>([
  ["all hostnames", { alerts: { ...alerts, uptimeChecks: "all" } }, ["example.com"]],
  [
    "a wildcard by the name to request",
    { alerts: { ...alerts, uptimeChecks: "all", wildcardProbes: { "*.example.com": "www.example.com" } } },
    ["example.com", "www.example.com"],
  ],
  ["listed hostnames", { alerts: { ...alerts, hostnames: ["example.com"] } }, ["example.com"]],
  ["none", { alerts: { ...alerts, uptimeChecks: "none" } }, []],
])("checks %s", (_, change, expected) => {
  expect(Object.keys(alerting(change).migration.alerts?.uptimeChecks ?? {})).toEqual(expected);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["is not a hostname", { "*.example.com": "exa mple.example.com" }, "hostname-bad-character"],
  ["has a scheme", { "*.example.com": "https://www.example.com" }, "hostname-has-scheme"],
  ["is a wildcard", { "*.example.com": "*.example.com" }, "alert-probe-invalid"],
  ["is not below its wildcard", { "*.example.com": "www.example.org" }, "alert-probe-invalid"],
  ["is the parent domain", { "*.example.com": "example.com" }, "alert-probe-invalid"],
  ["is more than one label below its wildcard", { "*.example.com": "a.www.example.com" }, "alert-probe-invalid"],
  ["has a key that is not a hostname", { "*.exa mple.com": "www.example.com" }, "hostname-bad-character"],
  ["has a key that is not a wildcard", { "example.com": "www.example.com" }, "alert-probe-invalid"],
  ["has a key of no migration", { "*.example.org": "www.example.org" }, "alert-probe-invalid"],
  [
    "has a key in two spellings",
    { "*.example.com": "www.example.com", "*.Example.com": "b.example.com" },
    "key-repeated",
  ],
])("refuses a probe that %s, in a migration and in CertificateAlerts", (_, wildcardProbes, code) => {
  expect(refusal(() => alerting({ alerts: { ...alerts, wildcardProbes } }))).toEqual([code]);
  expect(refusal(() => watching({ wildcardProbes }))).toEqual([code]);
});

test("refuses a probe that another migration serves with its own certificate", () => {
  const stack = newStack();
  const certificates = [Certificate.managed({ domains: ["pay.example.com"] })];
  const pay = new ManagedCertMigration(stack, "pay", { certificates, dns: DnsPublication.external() });
  const act = () =>
    new CertificateAlerts(stack, "alerts", {
      migrations: [migrate(stack), pay],
      ...alerts,
      wildcardProbes: { "*.example.com": "pay.example.com" },
    });
  expect(refusal(act)).toEqual(["alert-probe-served-itself"]);
});

test("a probe in another spelling, and with the certificate of its wildcard, has one check", () => {
  const { migration } = alerting({
    certificates: [Certificate.managed({ domains: ["*.example.com", "www.example.com"] })],
    alerts: { ...alerts, uptimeChecks: "all", wildcardProbes: { "*.Example.com.": "WWW.example.com." } },
  });
  expect(migration.alerts?.plan.checks.map(({ hostname }) => hostname)).toEqual(["www.example.com"]);
});

test("refuses a listed name that is not a hostname, also in phase issue", () => {
  const act = () => alerting({ phase: "issue", alerts: { ...alerts, hostnames: ["exa mple.com"] } });
  expect(refusal(act)).toEqual(["hostname-bad-character"]);
});

test.each<[string, Partial<ManagedCertMigrationProps>, RegExp]>([
  [
    "of internal load balancers",
    { loadBalancer: LoadBalancer.crossRegionInternal() },
    /internal, and uptime checks run from the internet/,
  ],
  [
    "of private CAs",
    {
      certificates: [
        Certificate.privateCa({
          domains: ["shop.internal.example.com"],
          issuer: CertificateIssuer.caPool("projects/my-project/locations/europe-west1/caPools/p", { lifetime: "21d" }),
        }),
      ],
    },
    /private CA/,
  ],
  [
    "of uploaded certificates of private CAs",
    {
      certificates: [
        Certificate.selfManaged({
          certificatePem: makeCertificate(["up.example.com"]).certificatePem,
          privateKey: PrivateKey.variable("up_key"),
        }),
      ],
    },
    /its uploaded chain does not end in the root of a public CA/,
  ],
])("hostnames %s have no check, and a warning with the reason", (_, change, reason) => {
  const { migration, warnings } = alerting(change);
  expect(warnings).toContain("alert-hostname-unchecked");
  expect(migration.alerts?.plan.checks).toEqual([]);
  expect(migration.alerts?.plan.unchecked[0]?.reason).toMatch(reason);
});

test.each([
  ["has no check without", undefined, []],
  ["has a check with", "certificate", ["up.example.com"]],
])("an upload of a private CA %s its certificate among the public roots of a rehearsal", (_, roots, expected) => {
  const { certificatePem } = makeCertificate(["up.example.com"]);
  const app = newApp();
  if (roots !== undefined) app.node.setContext(publicRootsContextKey, [certificatePem]);
  const stack = newStack(app);
  const certificates = [Certificate.selfManaged({ certificatePem, privateKey: PrivateKey.variable("up_key") })];
  const { plan } = watching({ migrations: [migrate(stack, { certificates }, "uploads")] }, stack);
  expect(plan.checks.map(({ hostname }) => hostname)).toEqual(expected);
  expect(migrate(stack, { certificates, alerts }, "alerting").plan.alerts?.checks).toHaveLength(expected.length);
});

test("alerts of several migrations have no check of an uploaded certificate of a private CA", () => {
  const stack = newStack();
  const { certificatePem } = makeCertificate(["up.example.com"]);
  const certificates = [Certificate.selfManaged({ certificatePem, privateKey: PrivateKey.variable("up_key") })];
  const { plan } = watching({ migrations: [migrate(stack, { certificates }, "uploads")] }, stack);
  expect(plan.unchecked.map(({ hostname }) => hostname)).toEqual(["up.example.com"]);
});

test("certificates of further projects have policies on the logs there", () => {
  const { stack, migration } = alerting({
    certificates: [
      Certificate.managed({ domains: ["example.com"] }),
      Certificate.managed({ name: "pay", domains: ["pay.example.com"], project: "pay-project" }),
    ],
  });
  expect(Object.keys(migration.alerts?.policies ?? {})).toEqual([
    "close-to-expiry",
    "expired",
    "close-to-expiry in pay-project",
    "expired in pay-project",
    "example.com",
    "pay.example.com",
  ]);
  const ofPay = Object.values(resourcesOf(synthesize(stack), policyType)).filter(
    ({ project }) => project === "pay-project",
  );
  expect(ofPay).toHaveLength(2);
});

test("enables the APIs of Monitoring and Logging on request", () => {
  const { stack } = alerting({ enableApis: true });
  const services = Object.values(resourcesOf(synthesize(stack), "google_project_service")).map(
    ({ service }) => service,
  );
  expect(services).toEqual(expect.arrayContaining(["monitoring.googleapis.com", "logging.googleapis.com"]));
});

test("CertificateAlerts watches several migrations, also WildcardCertWithAuth, with one pair of policies on the log", () => {
  const stack = newStack();
  const wildcard = new WildcardCertWithAuth(stack, "wildcard", {
    domain: "example.net",
    dns: DnsPublication.external(),
    certificateMap: "projects/my-project/locations/global/certificateMaps/web",
  });
  const watched = new CertificateAlerts(stack, "alerts", {
    migrations: [migrate(stack), wildcard.migration],
    ...alerts,
    labels: { team: "web" },
  });
  expect(Object.keys(watched.policies)).toEqual(["close-to-expiry", "expired", "example.com", "example.net"]);
  const blocks = Object.values(resourcesOf(synthesize(stack), policyType));
  expect(blocks.map(({ user_labels: labels }) => labels)).toEqual(blocks.map(() => ({ team: "web" })));
  expect(watched.policy("expired").severityInput).toBe("CRITICAL");
  expect(() => watched.policy("shop")).toThrow(/unknown alert policy 'shop'/);
});

test.each<[string, Partial<Record<keyof CertificateAlertsProps, unknown>>, readonly string[]]>([
  ["no migration", { migrations: [] }, ["list-empty"]],
  ["something else than a migration", { migrations: [{}] }, ["value-wrong-type"]],
  ["migrations that are missing", { migrations: undefined }, ["property-missing"]],
  ["a property that does not exist", { channels: [] } as never, ["property-unknown"]],
  ["a wrong interval", { checkIntervalSeconds: 120 }, ["value-not-allowed"]],
  ["days out of range", { daysBeforeExpiry: 61 }, ["value-out-of-range"]],
  ["labels with a wrong key", { labels: { Team: "web" } }, ["label-key-invalid"]],
  ["an object that is not a provider", { provider: {} }, ["provider-invalid"]],
])("CertificateAlerts refuses %s", (_, change, codes) => {
  expect(refusal(() => watching(change as Partial<CertificateAlertsProps>))).toEqual(codes);
});

test("CertificateAlerts refuses a migration that has alerts of its own, and reports all mistakes at once", () => {
  const { stack, migration } = alerting();
  const act = () =>
    new CertificateAlerts(stack, "alerts", {
      migrations: [migration],
      notificationChannels: ["ops"],
      daysBeforeExpiry: 0,
    });
  expect(refusal(act)).toEqual(["alerts-repeated", "value-out-of-range", "notification-channel-invalid"]);
});

test("CertificateAlerts refuses a migration that is listed twice, or that another CertificateAlerts watches", () => {
  const stack = newStack();
  const shop = migrate(stack);
  const watch = (id: string, migrations: readonly ManagedCertMigration[], scope = stack) =>
    refusal(() => new CertificateAlerts(scope, id, { migrations, ...alerts }));
  expect(watch("twice", [shop, shop])).toEqual(["alerts-repeated"]);
  // A refused construct watches nothing.
  expect(watch("first", [shop])).toEqual([]);
  expect(watch("second", [shop])).toEqual(["alerts-repeated"]);
  const other = new ManagedCertMigration(stack, "other", {
    certificates: [Certificate.managed({ domains: ["example.net"] })],
    dns: DnsPublication.external(),
  });
  expect(watch("third", [other])).toEqual([]);
});

test("CertificateAlerts refuses a stack in place of a migration", () => {
  const { stack } = alerting();
  const act = () => new CertificateAlerts(stack, "watched", { ...alerts, migrations: [stack as never] });
  expect(refusal(act)).toEqual(["value-wrong-type"]);
});

test("CertificateAlerts warns without a notification channel", () => {
  expect(warningsOf(watching({ notificationChannels: [] }))).toEqual(["notification-channels-missing"]);
});
