import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { type NameServer, startNameServer } from "../../../lib/cloud/name-server";
import { type Inventory, takeInventory } from "../../../lib/inventory";
import { createFindRoot } from "../../../lib/inventory/live/chain";
import { readHost } from "../../../lib/inventory/live/hosts";
import { createAskRecords } from "../../../lib/inventory/live/names";
import { type SurveyOptions, surveyHosts } from "../../../lib/inventory/live/survey";
import { createOffers, probeTls } from "../../../lib/tls/probe";
import { recordSet } from "../../cloud/name-server/example-zones";
import { type ChainCertificate, makeChainCertificate } from "../../support/made-chain";
import { type Servers, startServers } from "../../support/servers";
import { createZone, createZoneSource } from "../../support/zones";

/** Servers and names for surveys of hosts; importing this module sets them up for each test. */
export const root = makeChainCertificate({ commonName: "Root", isAuthority: true });
export const intermediate = makeChainCertificate({ commonName: "Intermediate", isAuthority: true, issuer: root });
export const stranger = makeChainCertificate({ commonName: "Stranger", isAuthority: true });
export const leaf = (...names: readonly string[]) =>
  makeChainCertificate({ commonName: "leaf", names, issuer: intermediate });
export const shop = leaf("shop.example.com");

const zones = createZoneSource([
  createZone(
    "example.com.",
    [
      "@ 300 SOA ns1.example.com. h.example.com. 1 2 3 4 5",
      "shop 60 A 127.0.0.1",
      "pay 60 A 127.0.0.1",
      "six 60 AAAA ::1",
      "two 60 A 127.0.0.1 | 127.0.0.2",
      "slow 3600 A 127.0.0.1",
      "alias 60 CNAME shop.example.com.",
      "lost 60 CNAME nowhere.example.com.",
      "unlisted 60 A 127.0.0.1",
      "*.wild 60 A 127.0.0.1",
    ].map((line) => recordSet("example.com.", line)),
  ),
]);

let names: NameServer;
export let servers: Servers;
beforeAll(async () => {
  const fault = ({ name }: { readonly name: string }) =>
    name === "fails.example.com." ? ({ rcode: "SERVFAIL" } as const) : {};
  names = await startNameServer({ zones, fault });
});
afterAll(() => names.close());
beforeEach(() => {
  servers = startServers();
});
afterEach(() => servers[Symbol.asyncDispose]());

const nothing = takeInventory([], { now: new Date() });
const offers = createOffers([root.pem]);

export function survey(
  hosts: readonly string[],
  {
    files = nothing,
    timeoutMs = 5_000,
    run,
    ...more
  }: Partial<Omit<SurveyOptions, "run">> & {
    run?: Partial<SurveyOptions["run"]>;
    files?: Inventory;
    timeoutMs?: number;
  } = {},
): Promise<Inventory> {
  const signal = run?.signal ?? new AbortController().signal;
  return surveyHosts(files, {
    hosts: hosts.map((text) => {
      const read = readHost(text);
      if ("problem" in read) throw new Error(read.problem.message);
      return read.target;
    }),
    askRecords: createAskRecords(`127.0.0.1:${names.port}`, signal),
    comparesNames: true,
    probeTls: ({ offer, ...target }) => probeTls({ ...target, timeoutMs, secureContext: offers[offer], signal }),
    findRoot: createFindRoot([root.pem]),
    now: new Date(),
    run: { concurrency: 8, signal, ...run },
    ...more,
  });
}

export const serve = (...chain: readonly ChainCertificate[]) => servers.tls([...chain]);
export const serveBySni =
  (own: readonly ChainCertificate[]) => (name: string, done: (error: null, context?: SecureContext) => void) => {
    const found = own.find(({ der }) => new X509Certificate(der).checkHost(name) !== undefined);
    done(null, found && createSecureContext({ cert: found.pem + intermediate.pem, key: found.keyPem }));
  };
export const days = (count: number) => new Date(Date.now() + count * 86_400_000);
