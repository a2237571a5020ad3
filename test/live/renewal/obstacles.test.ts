import type { LiveAuthorization, LiveCertificate } from "../../../lib/google";
import { createObstacleReader, type RenewalSources } from "../../../lib/live/renewal";

const parent = "projects/p/locations/global";
const pool = "projects/p/locations/europe-west6/caPools/corp";
const managed: LiveCertificate = {
  name: `${parent}/certificates/shop`,
  kind: "managed",
  state: "ACTIVE",
  domains: ["example.com", "*.example.com"],
  attempts: [],
};
const privately: LiveCertificate = { ...managed, issuanceConfig: "config", caPool: pool };

const authorization = (target: string): LiveAuthorization => ({
  name: target,
  domain: "example.com",
  record: { name: "_acme-challenge.example.com.", data: `${target}.` },
});
const authority = (state: string) => ({ name: state, state, chainPem: [] });

const details = { fails: "ETIMEOUT", ESERVFAIL: "ESERVFAIL", SERVFAIL: "SERVFAIL", bogus: "bogus" } as const;

/** @param zone records by name and type, or the failure of the query */
function sources(
  zone: Readonly<Record<string, readonly string[] | keyof typeof details>>,
  more: Partial<RenewalSources> = {},
): RenewalSources {
  return {
    lookUp: async (name, type) => {
      const found = zone[`${name} ${type}`] ?? [];
      return typeof found === "string" ? { ok: false, detail: details[found] } : { ok: true, data: found };
    },
    authorizationsIn: async (asked) => (asked === parent ? [authorization("own")] : []),
    authoritiesOf: async () => [authority("ENABLED")],
    ...more,
  };
}

const record = "_acme-challenge.example.com. CNAME";
const good = { [record]: ["own."] };
const missing = "example.com, *.example.com: the CNAME record _acme-challenge.example.com is missing";
const stopped = `example.com, *.example.com: the CA pool ${pool} has no enabled CA`;
const noneAllowed = 'the CAA records of example.com are 0 issue ";"';

type Case = [string, LiveCertificate, RenewalSources, readonly string[]];

test.each<Case>([
  ["a published record is no obstacle", managed, sources(good), []],
  ["a missing record is one for all names that it authorizes", managed, sources({}), [missing]],
  [
    "a record that leads elsewhere is shown with its target",
    managed,
    sources({ [record]: ["other."] }),
    ["example.com, *.example.com: the CNAME record _acme-challenge.example.com leads elsewhere: other"],
  ],
  [
    "one published record of several authorizations is enough",
    managed,
    sources(
      { [record]: ["second."] },
      { authorizationsIn: async () => [authorization("own"), authorization("second")] },
    ),
    [],
  ],
  [
    "only the record of the authorization that the certificate uses counts, whatever form its project has",
    { ...managed, authorizations: ["projects/123456/locations/global/dnsAuthorizations/own"] },
    sources(
      { [record]: ["second."] },
      {
        authorizationsIn: async () => [
          { ...authorization("own"), name: `${parent}/dnsAuthorizations/own` },
          { ...authorization("second"), name: `${parent}/dnsAuthorizations/second` },
        ],
      },
    ),
    ["example.com, *.example.com: the CNAME record _acme-challenge.example.com leads elsewhere: second"],
  ],
  ...(["ESERVFAIL", "SERVFAIL"] as const).map(
    (failure): Case => [
      `a record that its server can't give stops the CA as well (${failure})`,
      managed,
      sources({ [record]: failure }),
      ["example.com, *.example.com: the CNAME record _acme-challenge.example.com can't be read (SERVFAIL)"],
    ],
  ),
  [
    "a record that fails DNSSEC validation does, too",
    managed,
    sources({ [record]: "bogus" }),
    [
      "example.com, *.example.com: the CNAME record _acme-challenge.example.com can't be read (DNSSEC validation fails)",
    ],
  ],
  ["a record that DNS does not answer for is no obstacle", managed, sources({ [record]: "fails" }), []],
  ["an authorization that is not known is no obstacle", managed, sources({}, { authorizationsIn: async () => [] }), []],
  [
    "CAA records are read for each name",
    managed,
    sources({ ...good, "example.com CAA": ['0 issue ";"'] }),
    [`example.com: ${noneAllowed}`, `*.example.com: ${noneAllowed}`],
  ],
  [
    "CAA records that their server can't give stop the CA as well",
    { ...managed, domains: ["shop.example.com"] },
    sources({ "example.com CAA": "SERVFAIL" }, { isChecked: () => true }),
    ["shop.example.com: the CAA records of example.com can't be read (SERVFAIL)"],
  ],
  [
    "CAA records above the registered domain are those of a registry, which may not answer",
    { ...managed, domains: ["shop.example.com"] },
    sources({ "com CAA": "SERVFAIL" }, { isChecked: () => true }),
    [],
  ],
  [
    "CAA records that nobody answers for are no obstacle",
    { ...managed, domains: ["shop.example.com"] },
    sources({ "shop.example.com CAA": "fails" }, { isChecked: () => true }),
    [],
  ],
  ["an uploaded certificate has no obstacle", { ...managed, kind: "selfManaged" }, sources({}), []],
  ["a certificate that is not issued has no obstacle", { ...managed, state: "PROVISIONING" }, sources({}), []],
  [
    "a certificate that its load balancer validates has none",
    { ...managed, validation: "loadBalancer" },
    sources({}),
    [],
  ],
  ["a private CA needs no record", privately, sources({}), []],
  ["a private CA whose pool is not known has none", { ...managed, issuanceConfig: "config" }, sources({}), []],
  [
    "a pool whose CAs are all disabled stops the renewal",
    privately,
    sources({}, { authoritiesOf: async () => [authority("DISABLED"), authority("STAGED")] }),
    [stopped],
  ],
  ["a pool without a CA does, too", privately, sources({}, { authoritiesOf: async () => [] }), [stopped]],
  [
    "one enabled CA is enough",
    privately,
    sources({}, { authoritiesOf: async () => [authority("DISABLED"), authority("ENABLED")] }),
    [],
  ],
  ["a pool that can't be read is no obstacle", privately, sources({}, { authoritiesOf: async () => undefined }), []],
])("%s", async (_, live, from, expected) => {
  const found = await createObstacleReader(from)(live);
  expect(found.map(({ hostnames, cause }) => `${hostnames.join(", ")}: ${cause}`)).toEqual(expected);
});

test("lists the authorizations of a location once, and not at all for records that are checked elsewhere", async () => {
  const listed: string[] = [];
  const authorizationsIn = async (asked: string) => {
    listed.push(asked);
    return [];
  };
  const read = createObstacleReader(sources({}, { authorizationsIn }));
  await Promise.all([read(managed), read({ ...managed, name: `${parent}/certificates/blog` })]);
  expect(listed).toEqual([parent]);
  await createObstacleReader(sources({}, { authorizationsIn, isChecked: (domain) => domain === "example.com" }))(
    managed,
  );
  expect(listed).toEqual([parent]);
});
