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
  ["several targets", { [at("CNAME")]: [own, "x.example.org."] }, "record-conflicting-cname", /PER_PROJECT_RECORD/],
  ["a TXT record of another CA", { [at("TXT")]: ["token"] }, "record-conflicting-txt", /remove it, then publish/],
  [
    "the record under a doubled name",
    { "_acme-challenge.pay.example.net.example.net. CNAME": [own] },
    "record-doubled",
    /type '_acme-challenge\.pay'/,
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
  ["a wildcard with another TXT", { [at("TXT")]: ["token"], [`${beside} TXT`]: ["v=spf1"] }, "record-conflicting-txt"],
])("%s: %s", async (_, answers, verdict) => {
  expect((await checkRecord(record, dns(answers))).verdict).toBe(verdict);
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
