import { planDangers } from "../../lib/check-plan";
import * as alerts from "./cases/alerts";
import * as certificates from "./cases/certificates";
import * as clients from "./cases/clients";
import * as detachments from "./cases/detachments";
import * as effects from "./cases/effects";
import * as issuance from "./cases/issuance";
import * as plans from "./cases/plans";
import * as provider from "./cases/provider";
import * as records from "./cases/records";
import * as scopes from "./cases/scopes";
import * as serving from "./cases/serving";
import * as switches from "./cases/switches";
import * as traffic from "./cases/traffic";
import * as validity from "./cases/validity";
import { at, type Case, certificate, entry, judged, planOf, summaries } from "./plans";

const tables = [
  plans,
  serving,
  switches,
  detachments,
  clients,
  certificates,
  effects,
  issuance,
  scopes,
  traffic,
  records,
  validity,
  provider,
  alerts,
];
const refused = tables.flatMap((table) => table.refused);
const passing = tables.flatMap((table) => table.passing);

/** Codes that need more than a plan: retirement.test.ts. */
const elsewhere = ["certificate-deleted-unverified"];

test.each(refused)("refuses that %s", (_, plan, expected) => {
  expect(summaries(plan)).toEqual(expected);
  expect(judged(plan).ok).toBe(false);
});

test.each(passing)("accepts that %s", (_, plan, warnings) => {
  expect(summaries(plan)).toEqual(warnings);
  expect(judged(plan).ok).toBe(true);
});

test.each(alerts.weakened)("describes how %s", (_, plan, message) => {
  expect(judged(plan).dangers.map((found) => found.message)).toEqual([message]);
});

test("covers every danger, with the severity in its table", () => {
  const seen = (cases: readonly Case[]) => cases.flatMap(([, , codes]) => codes.map((code) => code.split(" ")[0]));
  const of = (severity: string) =>
    Object.entries(planDangers)
      .filter(([, one]) => one.severity === severity)
      .map(([code]) => code)
      .sort();
  expect([...new Set([...seen(refused), ...elsewhere])].sort()).toEqual(of("error"));
  expect([...new Set(seen(passing))].sort()).toEqual(of("warning"));
});

test("names a removed hostname once, and the option that allows its removal", () => {
  const managed = [{ domains: ["example.com"], state: "ACTIVE" }];
  const plan = planOf([{ address: at.entry, actions: ["delete"] }], {
    there: {
      [at.certificate]: { ...certificate("shop"), managed, san_dnsnames: ["example.com", "www.example.com"] },
      [at.entry]: entry("www.example.org", "shop"),
      "google_certificate_manager_certificate_map_entry.primary": {
        ...entry("", "shop"),
        hostname: undefined,
        matcher: "PRIMARY",
      },
    },
  });
  expect(judged(plan).dangers.map(({ message, remedy }) => ({ message, remedy }))).toEqual([
    {
      message:
        "www.example.org would get the PRIMARY entry (google_certificate_manager_certificate_map_entry.primary), whose certificate is for example.com, www.example.com",
      remedy:
        "move the hostname's traffic away first, or keep the entry; if no client uses the hostname, use --allow entry-deleted=HOST",
    },
  ]);
});

test("prints a safe command that looks up a certificate that is missing from the plan", () => {
  const theirs = "projects/p/locations/global/certificates/it's $(reboot)";
  const plan = planOf([{ address: at.entry, actions: ["update"], after: { certificates: [`//x/${theirs}`] } }]);
  expect(judged(plan).dangers.map(({ command }) => command)).toEqual([
    "cert-migration wait --certificate 'projects/p/locations/global/certificates/it'\\''s $(reboot)'",
  ]);
});
