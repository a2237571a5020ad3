import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { defined } from "../../../lib/json/defined";
import { type PreviousCertificate, readInventory } from "../../../lib/live/doctor";
import { judgeCaa } from "../../../lib/live/doctor/caa-checks";
import type { CheckContext } from "../../../lib/live/doctor/check-row";
import { judgeClients } from "../../../lib/live/doctor/client-checks";
import { notServed } from "../../../lib/live/doctor/not-served";
import { oneCodeChecks } from "../../../lib/live/doctor/one-code-checks";
import { projectNeeds } from "../../../lib/live/doctor/project-needs";
import { judgeProxy, judgeRules } from "../../../lib/live/doctor/proxy-checks";
import { countHeld, judgeComputeQuotas, judgeCounts } from "../../../lib/live/doctor/quota-checks";
import { commandLine } from "../../../lib/text/command-line";
import { anyText } from "../../support/any-text";
import { subjectOfTest } from "./subjects";
import { named } from "./world";

describe("CAA records", () => {
  test.each([
    ["a.com", ['0 issue "pki.goog"'], []],
    ["a.com", ['0 issue "PKI.goog; "'], []],
    ["a.com", ['0 issue "other.com"', '0 issue "pki.goog"'], []],
    ["a.com", ['0 issue ";"'], ["caa-forbids a.com"]],
    ["a.com", ['0 ISSUE "other.com"'], ["caa-forbids a.com"]],
    ["a.com", ['0 issuewild "other.com"'], []],
    ["*.a.com", ['0 issuewild "other.com"', '0 issue "pki.goog"'], ["caa-forbids-wildcard *.a.com"]],
    ["*.a.com", ['0 issue "other.com"'], ["caa-forbids *.a.com"]],
    ["*.a.com", ['0 issue "other.com"', '0 issuewild "pki.goog"'], []],
    ["a.com", ['0 iodef "mailto:a@a.com"'], []],
    ["a.com", ['0 tbs "x"'], []],
    ["a.com", ['128 tbs "x"', '0 issue "pki.goog"'], ["caa-critical a.com"]],
    ["a.com", ['128 issue "pki.goog"'], []],
    ["a.com", ['0 issue "pki.goog; validationmethods=http-01"'], ["caa-restricted a.com"]],
    ["a.com", ['0 issue "pki.goog; accounturi=x"', '0 issue "pki.goog"'], []],
  ])("of %s, %j, have the result %j", (name, records, found) => {
    expect(named(judgeCaa(name, "a.com", records).findings)).toEqual(found);
  });
});

const roles = (change: Parameters<typeof subjectOfTest>[0]) =>
  projectNeeds(subjectOfTest(change)).flatMap(({ project, roles: needed }) =>
    needed.map(({ role, permissions }) => [project, role, permissions] as const),
  );

test("the permissions of a project cover what the steps of the migration use, by project", () => {
  const needs = projectNeeds(subjectOfTest({ balancer: { project: "web" } }));
  expect(needs.map(({ project, services }) => [project, services])).toEqual([
    ["p1", ["certificatemanager.googleapis.com", "dns.googleapis.com"]],
    ["web", ["compute.googleapis.com"]],
  ]);
  expect(roles({}).map(([, role]) => role)).toEqual([
    "roles/certificatemanager.owner",
    "roles/compute.loadBalancerAdmin",
    "roles/dns.admin",
  ]);
});

test("the permissions of a project are checked with one request for each role", () => {
  for (const { roles: needed } of projectNeeds(subjectOfTest())) {
    for (const { permissions, toDelete } of needed) expect(permissions.length + toDelete.length).toBeLessThan(100);
  }
});

test("the permissions of a project exclude maps if certificates are attached directly in a region", () => {
  const proxies = [{ id: "projects/p1/regions/europe-west1/targetHttpsProxies/web", origin: "new" as const }];
  const [[, , certificates] = [], [, , balancer] = []] = roles({
    map: { usesMap: false },
    balancer: { region: "europe-west1", proxies },
  });
  expect(certificates?.filter((permission) => permission.includes("map"))).toEqual([]);
  expect(balancer).toEqual([
    "compute.regionTargetHttpsProxies.get",
    "compute.regionTargetHttpsProxies.list",
    "compute.regionTargetHttpsProxies.setSslCertificates",
    "compute.regionTargetHttpsProxies.use",
    "compute.regionTargetHttpsProxies.create",
    "compute.regionUrlMaps.use",
    "compute.forwardingRules.create",
    "compute.forwardingRules.get",
  ]);
});

test("the permissions of a project exclude the creation of existing certificates and maps", () => {
  const [[, , needed = []] = []] = roles({ certificates: { made: [] }, map: { existing: "m" } });
  expect(needed.filter((permission) => /\.(create|update)$/.test(permission))).toEqual([
    "certificatemanager.dnsauthorizations.create",
    "certificatemanager.dnsauthorizations.update",
    "certificatemanager.certmapentries.create",
    "certificatemanager.certmapentries.update",
  ]);
  expect(needed).toEqual(expect.arrayContaining(["certificatemanager.certs.use", "certificatemanager.certmaps.get"]));
});

test.each([
  ["no certificate of a private CA", [], []],
  ["a config of the migration", [{ caPool: "pool" }], ["create", "get", "list", "update", "use"]],
  ["existing configs alone", [{ existingIssuanceConfig: "config" }], ["get", "list", "use"]],
  [
    "a config of the migration and an existing one",
    [{ existingIssuanceConfig: "config" }, { caPool: "pool" }],
    ["create", "get", "list", "update", "use"],
  ],
])("the permissions of a project cover issuance configs as far as needed for %s", (_, issuers, verbs) => {
  const privateCertificates = issuers.map((issuer) => ({ domains: ["shop.corp.internal"], issuer }));
  const [[, , needed = []] = []] = roles({ certificates: { private: privateCertificates } });
  expect(needed.filter((permission) => permission.includes(".certissuanceconfigs."))).toEqual(
    verbs.map((verb) => `certificatemanager.certissuanceconfigs.${verb}`),
  );
});

test("the permissions of a project exclude DNS roles if records are published manually", () => {
  expect(roles({ dns: { zones: [] } }).map(([, role]) => role)).not.toContain("roles/dns.admin");
});

test("counts many Certificate Manager resources, because the API does not return their quotas", () => {
  const judge = (there: number, made: number) => judgeCounts("p1", [{ kind: "certificates", there, made }]);
  expect([judge(99, 1), judge(500, 0)]).toEqual([[], []]);
  expect(judge(99, 2)).toMatchObject([
    { code: "quota-unknown", message: "project p1 has 99 certificates, and the migration makes 2 more" },
  ]);
});

test("counts created resources by location, without existing resources", () => {
  const id = (location: string, name: string) => `projects/p1/locations/${location}/certificates/${name}`;
  const subject = subjectOfTest({
    certificates: { made: [id("global", "a"), id("global", "b"), id("europe-west1", "c")], authorizations: [] },
    map: { entries: [{ id: "m/e1", hostname: "a.com" }, { hostname: "PRIMARY" }] },
  });
  const certificate = (name: string) =>
    ({ name, kind: "managed", state: "ACTIVE", domains: [], attempts: [] }) as const;
  const certificates = [id("global", "b"), id("global", "other"), id("europe-west1", "d")].map(certificate);
  const entries = [{ name: "m/e1", hostname: "a.com", state: "ACTIVE", certificates: [] }];
  expect(countHeld(subject, { certificates, authorizations: [], entries })).toEqual([
    { kind: "certificates in europe-west1", there: 1, made: 1 },
    { kind: "certificates", there: 2, made: 1 },
    { kind: "entries in the certificate map", there: 1, made: 1 },
  ]);
});

test.each([
  ["targetHttpsProxies", "TARGET_HTTPS_PROXIES"],
  ["targetSslProxies", "TARGET_SSL_PROXIES"],
])("counts one of %s against the quota %s alone", (collection, metric) => {
  const subject = subjectOfTest({
    balancer: { proxies: [{ id: `projects/p1/global/${collection}/web`, origin: "new" }], rules: [] },
  });
  const quotas = ["TARGET_HTTPS_PROXIES", "TARGET_SSL_PROXIES"].map((name) => ({ metric: name, limit: 9, usage: 9 }));
  expect(judgeComputeQuotas(subject, quotas, { proxies: [], rules: [] })).toMatchObject([
    { code: "quota-exceeded", message: `project p1 has 9 of 9 ${metric}, and the migration makes 1 more` },
  ]);
});

test("does not count existing load balancer resources of the migration against a quota", () => {
  const id = "projects/p1/global/targetHttpsProxies/web";
  const rule = { id: "projects/p1/global/forwardingRules/web-ipv4", target: id, address: "203.0.113.7" };
  const subject = subjectOfTest({
    balancer: { proxies: [{ id, origin: "new" }], rules: [{ name: "web-ipv4", address: rule.address }] },
  });
  const quotas = ["TARGET_HTTPS_PROXIES", "FORWARDING_RULES"].map((metric) => ({ metric, limit: 9, usage: 9 }));
  const made = {
    proxies: [{ id, certificates: [], settings: {} }],
    rules: [{ ...rule, scheme: "EXTERNAL_MANAGED", portRange: "443-443", networkTier: "PREMIUM" }],
  };
  expect(named(judgeComputeQuotas(subject, quotas, { proxies: [], rules: [] }))).toHaveLength(2);
  expect(judgeComputeQuotas(subject, quotas, made)).toEqual([]);
});

test.each([
  ["ACTIVE", "2026-12-01T00:00:00Z", true],
  ["ACTIVE", "2026-11-01T00:00:00Z", false],
  ["PROVISIONING", undefined, false],
  // The state during a renewal.
  ["PROVISIONING", "2026-12-01T00:00:00Z", true],
  ["PROVISIONING", "2026-11-01T00:00:00Z", false],
  ["FAILED", "2026-12-01T00:00:00Z", false],
])("decides whether an existing certificate, %s and expiring at %s, is served: %s", (state, expireTime, serves) => {
  const live = { name: "c", kind: "managed", state, domains: [], attempts: [], ...defined({ expireTime }) } as const;
  const context = { options: { now: new Date("2026-11-21T12:00:00Z") } } as CheckContext;
  const fault = oneCodeChecks["existing-not-active"].judge(live, { id: "c" }, context);
  expect(fault?.subject).toBe(serves ? undefined : "c");
});

test.each([
  ["urlMap", "web", "projects/p1/global/urlMaps/web", true],
  ["urlMap", "global/urlMaps/web", "projects/p1/global/urlMaps/web", true],
  ["urlMap", "https://x/compute/v1/projects/p1/global/urlMaps/web", "projects/p1/global/urlMaps/web", true],
  ["urlMap", "eb", "projects/p1/global/urlMaps/web", false],
  ["urlMap", "projects/p2/global/urlMaps/web", "projects/p1/global/urlMaps/web", false],
  ["description", "web", "shop/web", false],
])("compares the %s of an adopted proxy, stated as %s, with %s: %s", (setting, stated, found, isSame) => {
  const id = "projects/p1/global/targetHttpsProxies/web";
  const proxy = { id, origin: "adopted" as const, stated: { [setting]: stated } };
  const there = { id, certificates: [], settings: { [setting]: found } };
  const codes = judgeProxy(proxy, subjectOfTest(), { proxies: [there], rules: [], certificates: [] }, []);
  expect(named(codes).includes(`proxy-settings-differ ${id}`)).toBe(!isSame);
});

test("does not report a proxy that already has the migration's map as a conflict", () => {
  const proxy = { id: "projects/p1/global/targetHttpsProxies/web", origin: "new" as const };
  const subject = subjectOfTest({
    map: { id: "projects/p1/locations/global/certificateMaps/m" },
    balancer: { proxies: [proxy] },
  });
  const live = (map: string) => ({
    proxies: [{ id: proxy.id, map, certificates: [], settings: {} }],
    rules: [],
    certificates: [],
  });
  expect(judgeProxy(proxy, subject, live(subject.map.id ?? ""), [])).toEqual([]);
  expect(named(judgeProxy(proxy, subject, live("another"), []))).toEqual([`proxy-exists ${proxy.id}`]);
});

test("does not judge a proxy by the forwarding rules of another proxy", () => {
  const idOf = (name: string) => `projects/p1/global/targetHttpsProxies/${name}`;
  const rule = { id: "projects/p1/global/forwardingRules/r", address: "203.0.113.9", portRange: "443-443" };
  const internal = { ...rule, scheme: "INTERNAL_MANAGED", networkTier: "STANDARD" };
  const judge = (target: string) =>
    named(
      judgeRules({ id: idOf("web"), origin: "new" }, subjectOfTest(), {
        proxies: [],
        certificates: [],
        rules: [{ ...internal, target }],
      }),
    );
  expect(judge(idOf("web"))).toEqual([`proxy-kind-mismatch ${idOf("web")}`]);
  expect(judge(idOf("other"))).toEqual([]);
});

describe("a new proxy without a map that already exists", () => {
  const proxy = { id: "projects/p1/regions/europe-west1/targetHttpsProxies/web", origin: "new" as const };
  const certificate = (name: string) => `projects/p1/locations/europe-west1/certificates/${name}`;
  const existing = (name: string) => ({ id: certificate(name), domains: [] });
  const judge = (change: Parameters<typeof subjectOfTest>[0], ...certificates: readonly string[]) => {
    const subject = subjectOfTest({
      map: { usesMap: false },
      balancer: { kind: "regionalExternal", proxies: [proxy] },
      ...change,
    });
    const there = { id: proxy.id, certificates: certificates.map(certificate), settings: {} };
    return named(judgeProxy(proxy, subject, { proxies: [there], rules: [], certificates: [] }, []));
  };
  const inTheWay = [`proxy-exists ${proxy.id}`];
  const two = { certificates: { made: [certificate("a-1"), certificate("b-1")] } };

  test.each([
    ["all certificates of the migration", ["a-1", "b-1"], []],
    ["one of them, as one was renewed under another name since", ["a-1", "b-0"], []],
    ["others alone", ["a-0", "c"], inTheWay],
    ["none", [], inTheWay],
  ])("presents %s", (_, presented, found) => {
    expect(judge(two, ...presented)).toEqual(found);
  });

  test.each([
    ["just those that the migration takes for existing", ["x", "y"], []],
    ["one of them alone", ["x"], inTheWay],
    ["one more", ["x", "y", "z"], inTheWay],
  ])("presents %s, without creating any", (_, presented, found) => {
    const change = { certificates: { made: [], existing: [existing("x"), existing("y")] } };
    expect(judge(change, ...presented)).toEqual(found);
  });

  test("presents certificates although the migration is for a map", () => {
    expect(judge({ ...two, map: { usesMap: true }, balancer: { kind: "globalExternal" } }, "a-1", "b-1")).toEqual(
      inTheWay,
    );
  });
});

test.each([
  [["a.com", "b.a.com"], ["a.com", "*.a.com"], []],
  [["c.b.a.com"], ["*.a.com"], ["c.b.a.com"]],
  [["*.a.com"], ["b.a.com"], ["*.a.com"]],
  [["a.com", "a.com"], [], ["a.com"]],
])("for %j, with %j served, reports the loss of %j", (names, hostnames, lost) => {
  expect(notServed(names, hostnames)).toEqual(lost);
});

test("quotes command lines for a shell", () => {
  expect(commandLine("gcloud", "dns", "--project=p1", "it's")).toBe(`gcloud dns --project=p1 'it'\\''s'`);
  const words = fc.sample(
    anyText({ minLength: 1 }).filter((word) => !/[\0\ud800-\udfff]/.test(word)),
    50,
  );
  const printed = execFileSync("sh", ["-c", commandLine("printf", "%s\\0", ...words)], { encoding: "utf8" });
  expect(printed.split("\0").slice(0, -1)).toEqual(words);
});

/** Names that a shell would split, or that dig would read as flags, servers or files. */
const hostile = fc.oneof(
  fc.string({ unit: "grapheme-ascii", minLength: 1 }),
  fc.constantFrom(
    "$(reboot)",
    "`reboot`",
    "a;reboot",
    "a\nreboot",
    "-f/etc/passwd",
    "+short",
    "@198.51.100.1",
    "'",
    "\\",
    "~",
  ),
);

test("quotes foreign names as one word of the command, and never as a flag of dig", () => {
  const owners = fc.sample(hostile, 60);
  const commands = owners.flatMap((owner) => {
    const [finding] = judgeCaa("a.com", owner, ['0 issue ";"']).findings;
    const billing = oneCodeChecks["billing-off"].judge(false, owner, {} as CheckContext);
    return [finding, billing].flatMap((each) => each?.command ?? []);
  });
  // Each program is replaced by a script that prints its arguments.
  const output = execFileSync(
    "sh",
    ["-c", `dig() { printf '%s\\0' dig "$@" ""; }\ngcloud() { dig "$@"; }\n${commands.join("\n")}`],
    {
      encoding: "utf8",
    },
  );
  const isFlag = (owner: string) => /^[-+@]/.test(owner);
  const expected = owners.flatMap((owner) => [
    ["dig", ...(isFlag(owner) ? ["-q"] : []), owner, "CAA", ""],
    ["dig", "billing", "projects", "describe", owner, ""],
  ]);
  expect(output.split("\0").slice(0, -1)).toEqual(expected.flat());
});

test("accepts an SSL proxy on any port, and names no location in its command", () => {
  const id = "projects/p1/global/targetSslProxies/mail";
  const proxy = { id, origin: "adopted" as const };
  const subject = subjectOfTest({ balancer: { proxies: [proxy], addresses: { ipv4: [], ipv6: [] } } });
  const there = { id, map: "projects/p1/locations/global/certificateMaps/m", certificates: [], settings: {} };
  const rule = { id: "projects/p1/global/forwardingRules/r", target: id, scheme: "EXTERNAL", address: "203.0.113.7" };
  const rules = [{ ...rule, portRange: "993-993", networkTier: "PREMIUM" }];
  const codes = (live: Parameters<typeof judgeProxy>[2]) =>
    judgeProxy(proxy, subject, live, []).map(({ code, command }) => [code, command]);
  const describe = "gcloud compute target-ssl-proxies describe mail --project=p1";
  expect(codes({ proxies: [there], rules, certificates: [] })).toEqual([["proxy-map-replaced", describe]]);
  expect(codes({ proxies: [there], rules: [], certificates: [] })).toEqual([
    ["proxy-unreached", "gcloud compute forwarding-rules list --project=p1 --global"],
    ["proxy-map-replaced", describe],
  ]);
});

describe("names that the inventory treats as foreign", () => {
  const shared = { source: "cdn", mustStaple: true, ipAddresses: [], domains: ["a.com", "b.org"] };
  const judge = (served: readonly string[], change: Partial<PreviousCertificate>) =>
    named(judgeClients(subjectOfTest({ map: { hasPrimary: true } }), [{ ...shared, ...change }], new Set(served)));

  test.each<readonly [string, readonly string[], Partial<PreviousCertificate>, readonly string[]]>([
    ["are not missed", ["a.com"], { domainsOfOthers: ["b.org"] }, ["must-staple cdn"]],
    [
      "are, in a domain that is migrated",
      ["a.com", "x.b.org"],
      { domainsOfOthers: ["b.org"] },
      ["must-staple cdn", "name-not-served b.org"],
    ],
    ["are all names of a certificate, without a finding", ["x.com"], { domainsOfOthers: ["a.com", "b.org"] }, []],
  ])("%s", (_, served, change, found) => {
    expect(judge(served, change)).toEqual([...found].sort());
  });
});

describe("an inventory", () => {
  test("is read as far as clients may lose something", () => {
    const certificate = {
      source: "old.pem",
      domains: ["a.com"],
      mustStaple: true,
      ipAddresses: [],
      validation: "EV",
      issuer: "CN=x",
    };
    expect(readInventory(JSON.stringify({ certificates: [certificate, {}] }), "inventory.json")).toEqual([
      { source: "old.pem", domains: ["a.com"], mustStaple: true, ipAddresses: [], validation: "EV" },
      { source: "certificate 2", domains: [], mustStaple: false, ipAddresses: [] },
    ]);
  });

  test("is read after the byte order mark of Windows", () => {
    expect(readInventory('\uFEFF{"certificates":[]}', "i.json")).toEqual([]);
  });

  test("returns which names it treats as foreign", () => {
    const certificates = [{ source: "cdn", domains: ["a.com", "b.org"] }];
    const findings = [
      { code: "name-of-others", about: "b.org" },
      { code: "name-gone", about: "a.com" },
      { code: "name-of-others" },
    ];
    expect(readInventory(JSON.stringify({ certificates, findings }), "i.json")).toMatchObject([
      { domains: ["a.com", "b.org"], domainsOfOthers: ["b.org"] },
    ]);
  });

  test.each(["{", "[]", "null", '{"certificates":1}'])("can't be read from %s", (text) => {
    expect(() => readInventory(text, "i.json")).toThrow(/'i\.json' is not an inventory/);
  });
});
