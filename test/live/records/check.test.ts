import type { Answer } from "../../../lib/dns";
import { type ChallengeRecord, checkRecord, checkRecords } from "../../../lib/live/records";

const own = "1.2.authorize.certificatemanager.goog.";
const record: ChallengeRecord = {
  domain: "pay.example.net",
  name: "_acme-challenge.pay.example.net.",
  type: "CNAME",
  data: own,
  published: "external",
  zone: "example.net",
  relativeName: "_acme-challenge.pay",
};

const dns =
  (answers: Readonly<Record<string, readonly string[] | "fails">>) =>
  async (name: string, type: string): Promise<Answer> => {
    const answer = answers[`${name} ${type}`] ?? [];
    return answer === "fails" ? { ok: false, detail: "ESERVFAIL" } : { ok: true, data: answer };
  };

const at = (type: string) => `_acme-challenge.pay.example.net. ${type}`;

test.each<[string, Readonly<Record<string, readonly string[] | "fails">>, string, RegExp | undefined]>([
  ["the right target", { [at("CNAME")]: [own] }, "published", undefined],
  ["nothing", {}, "record-missing", /^publish _acme-challenge\.pay\.example\.net\. CNAME 1\.2\.authorize/],
  [
    "the target of another authorization",
    { [at("CNAME")]: ["9.9.authorize.certificatemanager.goog."] },
    "record-wrong",
    /^replace its target: publish/,
  ],
  [
    "a delegation to another provider",
    { [at("CNAME")]: ["x.dcv.example.org."] },
    "record-conflicting-cname",
    /PER_PROJECT_RECORD/,
  ],
  [
    "the right target and another",
    { [at("CNAME")]: [own, "x.example.org."] },
    "record-several-cnames",
    /^remove the other CNAME of _acme-challenge\.pay\.example\.net\.: x\.example\.org\.$/,
  ],
  [
    "the targets of two other authorizations",
    { [at("CNAME")]: ["8.8.authorize.certificatemanager.goog.", "9.9.authorize.certificatemanager.goog."] },
    "record-several-cnames",
    /^remove the CNAMEs of .*: 8\.8\..*, 9\.9\..*; then publish _acme-challenge\.pay\.example\.net\. CNAME 1\.2\./,
  ],
  [
    "two CNAMEs where it is delegated to",
    { [at("CNAME")]: ["a.example.org."], "a.example.org. CNAME": [own, "x.example.org."] },
    "record-several-cnames",
    /^remove the other CNAME of a\.example\.org\.: x\.example\.org\.$/,
  ],
  ["a TXT record of another CA", { [at("TXT")]: ["token"] }, "record-conflicting-txt", /remove it, then publish/],
  [
    "the record under a doubled name",
    { "_acme-challenge.pay.example.net.example.net. CNAME": [own] },
    "record-doubled",
    /type '_acme-challenge\.pay'/,
  ],
  [
    "addresses of a proxy in place of the CNAME",
    { [at("A")]: ["104.16.132.229"] },
    "record-proxied",
    /^switch the proxy off for this record \(Cloudflare: DNS only, in Terraform 'proxied = false'\)/,
  ],
  ["a server that fails", { [at("CNAME")]: "fails" }, "record-unanswered", /^retry; /],
  ["a server that fails for TXT", { [at("TXT")]: "fails" }, "record-unanswered", /^retry; /],
])("%s is %s", async (_, answers, verdict, fix) => {
  const check = await checkRecord(record, dns(answers));
  expect(check.verdict).toBe(verdict);
  if (fix === undefined) expect(check).not.toHaveProperty("fix");
  else expect(check.fix).toMatch(fix);
});

const beside = "_cert-migration-nobody-has-this.pay.example.net.";

test.each<[string, Readonly<Record<string, readonly string[] | "fails">>, string]>([
  [
    "a delegation that leads there in the end",
    {
      [at("CNAME")]: ["acme.example.org."],
      "acme.example.org. CNAME": ["b.example.org."],
      "b.example.org. CNAME": [own],
    },
    "published",
  ],
  ["a loop of aliases", { [at("CNAME")]: [at("").trim()] }, "record-conflicting-cname"],
  [
    "a wildcard CNAME that answers in its place",
    { [at("CNAME")]: ["www.example.net."], [`${beside} CNAME`]: ["www.example.net."] },
    "record-under-wildcard",
  ],
  [
    "a wildcard TXT that answers in its place",
    { [at("TXT")]: ["v=spf1 -all"], [`${beside} TXT`]: ["v=spf1 -all"] },
    "record-missing",
  ],
  ["a wildcard TXT that does not answer for the name", { [`${beside} TXT`]: ["v=spf1 -all"] }, "record-missing"],
  [
    "a CNAME to a name whose server fails",
    { [at("CNAME")]: ["acme.example.org."], "acme.example.org. CNAME": "fails" },
    "record-conflicting-cname",
  ],
  [
    "a wildcard TXT with the same values in another order",
    { [at("TXT")]: ["v=spf1 -all", "token"], [`${beside} TXT`]: ["token", "v=spf1 -all"] },
    "record-missing",
  ],
  [
    "a wildcard with addresses that answers in its place",
    { [at("A")]: ["203.0.113.7"], [`${beside} A`]: ["203.0.113.7"] },
    "record-missing",
  ],
  ["a wildcard with another TXT", { [at("TXT")]: ["token"], [`${beside} TXT`]: ["v=spf1"] }, "record-conflicting-txt"],
])("%s: %s", async (_, answers, verdict) => {
  expect((await checkRecord(record, dns(answers))).verdict).toBe(verdict);
});

describe("a target without its trailing dot", () => {
  test.each<[string, Readonly<Record<string, readonly string[] | "fails">>, string, string | undefined]>([
    [
      "has the zone of the record appended",
      { [at("CNAME")]: [`${own}example.net.`] },
      "record-target-relative",
      "the target of _acme-challenge.pay.example.net. lacks its trailing dot, so that the zone example.net. was appended",
    ],
    [
      "has the name itself appended, which is a zone of its own",
      { [at("CNAME")]: [`${own}${record.name}`] },
      "record-target-relative",
      `so that the zone ${record.name} was appended`,
    ],
    [
      "has the zone appended at the name that the record is delegated to",
      { [at("CNAME")]: ["acme.example.org."], "acme.example.org. CNAME": [`${own}example.org.`] },
      "record-target-relative",
      "the target of acme.example.org. lacks its trailing dot, so that the zone example.org. was appended",
    ],
    [
      "is followed by a zone that doesn't contain the record",
      { [at("CNAME")]: [`${own}example.org.`] },
      "record-conflicting-cname",
      undefined,
    ],
    [
      "is followed by a name that only ends like the zone",
      { [at("CNAME")]: [`${own}ple.net.`] },
      "record-conflicting-cname",
      undefined,
    ],
    [
      "of another authorization has the zone of the record appended",
      { [at("CNAME")]: ["9.9.authorize.certificatemanager.goog.example.net."] },
      "record-wrong",
      undefined,
    ],
    [
      "under a doubled name has the zone appended",
      { "_acme-challenge.pay.example.net.example.net. CNAME": [`${own}example.net.`] },
      "record-doubled",
      undefined,
    ],
  ])("%s", async (_, answers, verdict, fix) => {
    const check = await checkRecord(record, dns(answers));
    expect(check.verdict).toBe(verdict);
    if (fix !== undefined) expect(check.fix).toContain(fix);
  });

  test("has commands only at the name of the record itself", async () => {
    const atTheName = await checkRecord(record, dns({ [at("CNAME")]: [`${own}example.net.`] }));
    const delegated = { [at("CNAME")]: ["acme.example.org."], "acme.example.org. CNAME": [`${own}example.org.`] };
    expect(atTheName.commands).toHaveLength(1);
    expect((await checkRecord(record, dns(delegated))).commands).toEqual([]);
  });
});

test.each([
  [8, "published"],
  [9, "record-conflicting-cname"],
])("follows up to 8 aliases: a target after %d is %s", async (count, verdict) => {
  const names = [...Array.from({ length: count - 1 }, (_, index) => `a${index}.example.org.`), own];
  const aliases = names.map((target, index) => [`${names[index - 1] ?? record.name} CNAME`, [target]] as const);
  expect((await checkRecord(record, dns(Object.fromEntries(aliases)))).verdict).toBe(verdict);
});

test("passes on each result when it is known", async () => {
  const known: string[] = [];
  const records = ["a.example.", "b.example."].map((name) => ({ ...record, name }));
  const lookUp = dns({ "a.example. CNAME": [own] });
  await checkRecords(records, lookUp, 1, ({ record: { name }, verdict }) => known.push(`${name} ${verdict}`));
  expect(known).toEqual(["a.example. published", "b.example. record-missing"]);
});

describe("the fix of a record", () => {
  const missing = dns({});
  const doubled = dns({ "_acme-challenge.pay.example.net.example.net. CNAME": [own] });
  const wrong = dns({ [at("CNAME")]: ["9.9.authorize.certificatemanager.goog."] });
  const text = dns({ [at("TXT")]: ["token"] });
  const foreign = dns({ [at("CNAME")]: ["x.dcv.example.org."] });
  const update = (...lines: readonly string[]) => {
    const all = ["zone example.net.", ...lines, `update add ${record.name} 300 CNAME ${own}`, "send"];
    return `printf '%s\\n' ${all.map((line) => `'${line}'`).join(" ")} | nsupdate`;
  };

  test.each([
    ["nothing is there", missing, [update()]],
    ["the name is doubled", doubled, [update(`update delete ${record.name}example.net. CNAME`)]],
    ["the target is another", wrong, [update(`update delete ${record.name} CNAME`)]],
    ["a TXT record is in the way", text, [update(`update delete ${record.name} TXT`)]],
    ["another CA renews by the record", foreign, []],
    ["DNS does not answer", dns({ [at("CNAME")]: "fails" }), [`dig +trace ${record.name} CNAME`]],
  ])("is manual if %s", async (_, lookUp, expected) => {
    expect((await checkRecord(record, lookUp)).commands).toEqual(expected);
  });

  test.each([
    ["nothing is there", missing, ["terraform apply"]],
    ["the target is another", wrong, ["terraform apply"]],
    [
      "a TXT record is in the way",
      text,
      [
        `gcloud dns record-sets delete ${record.name} --type=TXT --zone="$(gcloud dns managed-zones list --filter='dnsName=example.net.' --format='value(name)')"`,
        "terraform apply",
      ],
    ],
  ])("is in Cloud DNS if %s", async (_, lookUp, expected) => {
    expect((await checkRecord({ ...record, published: "cloudDns" }, lookUp)).commands).toEqual(expected);
  });
});

test("ignores case and trailing dots of the target", async () => {
  const loud = { ...record, data: own.toUpperCase() };
  expect((await checkRecord(loud, dns({ [at("CNAME")]: [own] }))).verdict).toBe("published");
});

test("reports for a missing record whether Terraform writes it", async () => {
  const check = await checkRecord({ ...record, published: "cloudDns" }, dns({}));
  expect(check.fix).toContain("Terraform writes it");
});

test("sends at most the limit of concurrent queries, and keeps the order of results", async () => {
  let open = 0;
  let most = 0;
  const records = Array.from({ length: 20 }, (_, index) => ({ ...record, name: `n${index}.example.net.` }));
  const checks = await checkRecords(
    records,
    async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { ok: true, data: [] };
    },
    4,
  );
  expect(most).toBe(4);
  expect(checks.map((check) => check.record.name)).toEqual(records.map(({ name }) => name));
});
