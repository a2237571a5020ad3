import { checkPlan, type KnownMigration, type KnownOutsidePlan, readTerraformPlan } from "../../lib/check-plan";
import { at, classic, gone, judgedAt, other, planOf, proxy } from "./plans";

const hour = 3_600_000;
const names = ["example.com", "www.example.com"];
/** The owner of the proxy deletes a certificate that was detached before. */
const plan = JSON.stringify(
  planOf([{ address: other.classic, actions: gone }], {
    there: { [at.proxy]: proxy, [other.classic]: classic("old", ...names) },
  }),
);
const migration: KnownMigration = {
  gate: "wait",
  certificates: [],
  entries: [],
  servingProxies: [{ certificates: [{ id: "projects/p/global/sslCertificates/old", domains: names }] }],
};

function summaries(known: KnownOutsidePlan): readonly string[] {
  const { dangers } = checkPlan(readTerraformPlan(plan, "plan"), judgedAt, known);
  return dangers.map(({ code, hostnames = [] }) => [code, ...hostnames].join(" "));
}
const verified = (...hours: readonly number[]) =>
  new Map(names.map((name, index) => [name, (hours[index] ?? 0) * hour]));

test.each<[string, KnownOutsidePlan, readonly string[]]>([
  ["without a log", {}, ["certificate-deleted-unverified example.com www.example.com"]],
  ["before the time is over", { verifiedMs: verified(72, 71.9) }, ["certificate-deleted-unverified www.example.com"]],
  ["after 3 days", { verifiedMs: verified(72, 90) }, []],
  ["after the stated time", { verifiedMs: verified(2, 2), leastVerifiedMs: 2 * hour }, []],
  [
    "if the wildcard above the names passes",
    {
      verifiedMs: new Map([
        ["example.com", 80 * hour],
        ["*.example.com", 80 * hour],
      ]),
    },
    [],
  ],
])("judges the deletion of a migration's direct certificate %s", (_, known, expected) => {
  expect(summaries({ ...known, migrations: [migration] })).toEqual(expected);
});

test("warns if no outputs show whether the certificate is of a migration", () => {
  expect(summaries({})).toEqual(["certificate-deleted-unchecked example.com www.example.com"]);
  expect(summaries({ verifiedMs: verified(72, 72) })).toEqual([]);
});

test("reports how long the hostname with the shortest time has passed", () => {
  const known = { migrations: [migration], verifiedMs: verified(30.9, 50) };
  const [danger] = checkPlan(readTerraformPlan(plan, "plan"), judgedAt, known).dangers;
  expect(danger?.message).toBe(
    "old is deleted, which a rollback needs for example.com, www.example.com; 'verify' has passed for 30 h of 72 h",
  );
});
