import type { Answer } from "../../../lib/dns";
import { caaRefusal } from "../../../lib/live/renewal";

const failing = (detail: string): Answer => ({ ok: false, detail });
const failed = failing("EREFUSED");
const unreadable = (cause: string) => `the CAA records of example.com can't be read (${cause})`;

type Case = [string, string, Readonly<Record<string, readonly string[] | Answer>>, string | undefined];

test.each<Case>([
  ["no records", "a.example.com", {}, undefined],
  ["records that name Google", "a.example.com", { "example.com": ['0 issue "pki.goog"'] }, undefined],
  [
    "records of a parent that name another CA",
    "a.example.com",
    { "example.com": ['0 issue "other-ca.com"'] },
    'the CAA records of example.com are 0 issue "other-ca.com"',
  ],
  [
    "closer records, which apply instead",
    "a.example.com",
    { "a.example.com": ['0 issue "pki.goog"'], "example.com": ['0 issue ";"'] },
    undefined,
  ],
  [
    "records that forbid only wildcards",
    "*.example.com",
    { "example.com": ['0 issue "pki.goog"', '0 issuewild ";"'] },
    'the CAA records of example.com are 0 issue "pki.goog", 0 issuewild ";"',
  ],
  [
    "an unknown critical property",
    "example.com",
    { "example.com": ['128 tbs "x"'] },
    'the CAA records of example.com are 128 tbs "x"',
  ],
  [
    "a name that DNS does not answer",
    "a.example.com",
    { "a.example.com": failed, "example.com": ['0 issue ";"'] },
    undefined,
  ],
  ...["timeout", "ETIMEOUT", "ECONNREFUSED", "REFUSED", "no resolver is known"].map(
    (detail): Case => [
      `a name without an answer: ${detail}`,
      "example.com",
      { "example.com": failing(detail) },
      undefined,
    ],
  ),
  ...["ESERVFAIL", "SERVFAIL"].map(
    (detail): Case => [
      `a name whose server fails with ${detail}`,
      "a.example.com",
      { "example.com": failing(detail) },
      unreadable("SERVFAIL"),
    ],
  ),
  [
    "a name that fails DNSSEC validation",
    "a.example.com",
    { "example.com": failing("bogus") },
    unreadable("DNSSEC validation fails"),
  ],
])("%s", async (_, name, zone, expected) => {
  const lookUp = async (asked: string): Promise<Answer> => {
    const found = zone[asked] ?? [];
    return "ok" in found ? found : { ok: true, data: found };
  };
  expect(await caaRefusal(name, lookUp)).toBe(expected);
});
