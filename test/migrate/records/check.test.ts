import { type Answer, type ChallengeRecord, checkRecord, checkRecords } from "../../../lib/migrate";

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
    "a delegation to somebody else",
    { [at("CNAME")]: ["x.dcv.example.org."] },
    "record-conflicting-cname",
    /PER_PROJECT_RECORD/,
  ],
  ["several targets", { [at("CNAME")]: [own, "x.example.org."] }, "record-conflicting-cname", /PER_PROJECT_RECORD/],
  [
    "a TXT record of another authority",
    { [at("TXT")]: ["token"] },
    "record-conflicting-txt",
    /remove it, then publish/,
  ],
  [
    "the record under a doubled name",
    { "_acme-challenge.pay.example.net.example.net. CNAME": [own] },
    "record-doubled",
    /type '_acme-challenge\.pay'/,
  ],
  ["a server that fails", { [at("CNAME")]: "fails" }, "record-unanswered", /ask again/],
  ["a server that fails for TXT", { [at("TXT")]: "fails" }, "record-unanswered", /ask again/],
])("%s is %s", async (_, answers, verdict, fix) => {
  const check = await checkRecord(record, dns(answers));
  expect(check.verdict).toBe(verdict);
  if (fix === undefined) expect(check).not.toHaveProperty("fix");
  else expect(check.fix).toMatch(fix);
});

test("case and trailing dots of the target do not matter", async () => {
  const loud = { ...record, data: own.toUpperCase() };
  expect((await checkRecord(loud, dns({ [at("CNAME")]: [own] }))).verdict).toBe("published");
});

test("a record that Terraform writes says so where it is missing", async () => {
  const check = await checkRecord({ ...record, published: "cloudDns" }, dns({}));
  expect(check.fix).toContain("Terraform writes it");
});

test("no more than the limit are asked for at once, and results keep their order", async () => {
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
