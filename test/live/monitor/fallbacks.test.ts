import type { LiveCertificate } from "../../../lib/google";
import { fallbackChecks } from "../../../lib/live/monitor";
import type { ObservedMigration } from "../../../lib/live/status";
import type { Handshake } from "../../../lib/live/verify";
import { type SourceMigration, sourceFromSpec } from "../../../lib/source";

const address = "203.0.113.7";
const parent = "projects/my-project/locations/global";

/** Returns a migration of one hostname, which may plan the PRIMARY entry. */
function migrationFor(name: string, isPrimary: boolean, change: Partial<SourceMigration> = {}): SourceMigration {
  const certificates = [{ domains: [`${name}.example.com`], ...(isPrimary ? { primary: true } : {}) }];
  const loadBalancer = { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "global/urlMaps/web" } };
  const spec = JSON.stringify({ name, certificates, dns: { kind: "external" }, loadBalancer });
  const [migration] = sourceFromSpec(spec, { source: "spec", project: "my-project" }).migrations;
  return { ...(migration as SourceMigration), ...change };
}

const certificateOf = ({ certificates: [certificate] }: SourceMigration) => certificate?.id ?? "";
const shop = migrationFor("shop", false);
const primary = migrationFor("primary", true);

interface Case {
  /** All migrations; the first one is in the shard. */
  readonly migrations: readonly SourceMigration[];
  readonly observed?: Partial<ObservedMigration[1]>;
  readonly isServing?: boolean;
  readonly handshake: Handshake;
}

/** Returns the findings of a pass, each once for clients without SNI. */
async function findings({ migrations, observed = {}, isServing = true, handshake }: Case): Promise<readonly string[]> {
  const checks = fallbackChecks(migrations)();
  const map = { name: `${parent}/certificateMaps/m`, addresses: [address], proxies: [] };
  const found = { certificates: [], entries: [], records: new Map(), addresses: new Map(), map, ...observed };
  const [first = shop] = migrations;
  checks.note([[first, found]], { results: [{ hostname: "x.example.com", address, ok: isServing }] });
  const live = ["other", ...migrations.map(certificateOf)].map((name): LiveCertificate => {
    const leaf = { notBefore: new Date(0), notAfter: new Date(1), fingerprintSha256: name.split("/").at(-1) ?? "" };
    return {
      name: name.replace("my-project", "123456"),
      kind: "managed",
      state: "ACTIVE",
      domains: [],
      attempts: [],
      leaf,
    };
  });
  const all = await checks.findings({
    lister: { certificates: async () => live },
    shakeHands: async () => handshake,
    random: () => 0.5,
    signal: new AbortController().signal,
  });
  return all
    .filter(({ message }) => message.startsWith("a client without SNI"))
    .map(({ severity, code }) => `${severity} ${code}`);
}

const refused: Handshake = { ok: false, code: "handshake-refused", detail: "alert" };
const served = (name: string): Handshake => ({
  ok: true,
  protocol: "TLSv1.3",
  certificate: {
    ...{ issuer: "CN=Root", serialNumber: "1", keyType: "ecdsa-p256", dnsNames: [] },
    ...{ notBefore: "2020-01-01T00:00:00Z", notAfter: "2060-01-01T00:00:00Z" },
    fingerprintSha256: name.split("/").at(-1) ?? "",
  },
});
const livePrimary = { entries: [{ name: "p", hostname: "PRIMARY", state: "ACTIVE", certificates: ["x"] }] };

test.each<[string, Case, readonly string[]]>([
  ["are refused as planned", { migrations: [shop], handshake: refused }, []],
  [
    "get a certificate that nobody plans",
    { migrations: [shop], handshake: served("x") },
    ["warning unplanned-fallback"],
  ],
  [
    "get the certificate of an entry that others plan in the same map",
    { migrations: [shop], observed: livePrimary, handshake: served("x") },
    [],
  ],
  [
    "get the certificate that another migration at the address plans, which is not in the shard",
    {
      migrations: [shop, { ...primary, addresses: { ipv4: [address], ipv6: [] } }],
      handshake: served(certificateOf(primary)),
    },
    [],
  ],
  [
    "get the planned certificate, whose id has the project's number",
    { migrations: [primary], handshake: served(certificateOf(primary)) },
    [],
  ],
  [
    "get another certificate",
    { migrations: [primary], handshake: served("other") },
    ["warning primary-other-certificate"],
  ],
  [
    "are refused although the plan has an entry for them",
    { migrations: [primary], handshake: refused },
    ["error primary-not-served"],
  ],
  [
    "are refused by an address that serves nothing yet",
    { migrations: [primary], isServing: false, handshake: refused },
    [],
  ],
  [
    "get what they got before, because the migration is in phase issue",
    { migrations: [migrationFor("shop", false, { phase: "issue" })], handshake: served("x") },
    [],
  ],
])("clients without SNI %s", async (_, of, expected) => {
  expect(await findings(of)).toEqual(expected);
});
