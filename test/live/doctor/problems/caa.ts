import { answering, type DoctorProblem, publishing, wwwOf } from "./make";

/** Problems with CAA records. */
export const caa: readonly DoctorProblem[] = [
  {
    title: "CAA records name another CA",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "other-ca.com"']),
    found: (place) => [`caa-forbids ${place.domain}`, `caa-forbids ${wwwOf(place)}`],
    says: ['0 issue "other-ca.com"', /^add the record shop\d+\.com CAA 0 issue "pki\.goog"$/, /^dig shop\d+\.com CAA$/],
  },
  {
    title: "the CAA records of an alias's target name another CA",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "CNAME", 60, `edge.${domain}.`],
      [`edge.${domain}`, "A", 60, "198.51.100.1"],
      [`edge.${domain}`, "CAA", 60, '0 issue ";"'],
    ],
    spec: (spec, { domain }) => ({
      ...spec,
      traffic: {
        to: "previous",
        previous: { [domain]: { a: ["198.51.100.1"] }, [wwwOf({ domain })]: { cname: `edge.${domain}` } },
      },
    }),
    found: (place) => [`caa-forbids ${wwwOf(place)}`],
    says: [/^the CAA records of edge\.shop\d+\.com are 0 issue ";"$/],
  },
  {
    title: "CAA records name no CA for wildcards",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "pki.goog"', '0 issuewild ";"']),
    spec: (spec, { domain }) => ({ ...spec, certificates: [{ domains: [domain, `*.${domain}`], primary: true }] }),
    found: ({ domain }) => [`caa-forbids-wildcard *.${domain}`],
    says: [/CAA 0 issuewild "pki\.goog"$/],
  },
  {
    title: "CAA records have an unknown critical property",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "pki.goog"', '128 tbs "unknown"']),
    found: (place) => [`caa-critical ${place.domain}`, `caa-critical ${wwwOf(place)}`],
    says: ["have the critical property tbs"],
  },
  {
    title: "CAA records can't be looked up",
    make: answering((place) => ({ name: wwwOf(place), type: "CAA", rcode: "SERVFAIL" })),
    found: (place) => [`caa-unanswered ${wwwOf(place)}`],
    says: ["(SERVFAIL)", "fix the name servers"],
  },
  {
    title: "CAA records allow Google for one account only",
    make: publishing(({ domain }) => [domain, "CAA", 300, '0 issue "pki.goog; accounturi=https://dv.acme.pki.goog/1"']),
    found: (place) => [`caa-restricted ${place.domain}`, `caa-restricted ${wwwOf(place)}`],
    says: ["under conditions", "remove the parameters"],
  },
];
