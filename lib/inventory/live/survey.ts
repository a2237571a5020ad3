import { isIP } from "node:net";
import { mapConcurrently } from "../../async/concurrent";
import { coverageOf } from "../../hostnames";
import { describeFound, mergeFound } from "../describe";
import { finding, type InventoryFinding } from "../findings";
import type {
  Inventory,
  InventoryCertificate,
  InventoryEndpoint,
  InventoryHost,
  InventoryServed,
  NameRecords,
} from "../model";
import { createReadChain, type FindRoot, judgeChain } from "./chain";
import { createAskDefault, describeDefault, judgeDefaults } from "./defaults";
import type { Greeting, Offer } from "./greet";
import { type HostTarget, hostLabel } from "./hosts";
import { judgeHosts } from "./judge";
import { judgeName, judgeOthers, namesToCompare } from "./names";
import type { AskRecords, RecordsAnswer } from "./records";

export interface SurveyOptions {
  readonly hosts: readonly HostTarget[];
  /** Addresses to connect to in place of those that DNS has. @default - those of DNS */
  readonly connect?: readonly string[];
  readonly askRecords: AskRecords;
  /** Whether names are held against DNS. Without it DNS is asked for the hosts' addresses alone, and with `connect` for nothing. */
  readonly comparesNames: boolean;
  readonly greet: (target: {
    readonly address: string;
    readonly port: number;
    readonly serverName?: string;
    readonly offer: Offer;
  }) => Promise<Greeting>;
  readonly findRoot: FindRoot;
  /** Against which validity is held. */
  readonly now: Date;
  /** Hosts, and then addresses, at a time. */
  readonly concurrency: number;
  /** Ends the run; what is known until then is reported. */
  readonly signal: AbortSignal;
  /** Told of each address that has been asked, with how many there are. */
  readonly onEndpoint?: (done: number, total: number) => void;
}

/** Most addresses of one host that are asked; all that DNS has are among the inventory's names. */
const maxAddresses = 64;

/**
 * Looks at servers: every address of each host, with a handshake for each kind of key, and at what DNS has of their names and of those in their
 * certificates. What files gave is taken along. A host that doesn't answer takes its own time and nobody else's.
 */
export async function surveyHosts(files: Inventory, options: SurveyOptions): Promise<Inventory> {
  const { hosts, connect = [], comparesNames } = options;
  const listed = new Set(hosts.flatMap(({ host }) => (isIP(host) === 0 ? [host] : [])));
  const { records, lookUp } = createLookUp(options);
  if (comparesNames || connect.length === 0) await lookUp([...listed]);

  const places = hosts.flatMap((target) =>
    addressesFor(target, connect, records).map((address) => ({ target, address })),
  );
  const asked = await askPlaces(places, options);
  const readChain = createReadChain();
  const looks = places.map((place, index) =>
    describeEndpoint(place, asked[index] as AskedEndpoint, readChain, options),
  );
  const surveyed = hostsWith(hosts, looks);
  const certificates = mergeFound([...files.certificates, ...looks.flatMap(({ found }) => found)]);

  // Where names are not compared, it still is to be said of which hosts no address was found.
  const names = comparesNames ? namesToCompare(certificates, [...listed]) : [...records.keys()];
  await lookUp(names);
  return {
    certificates,
    errors: files.errors,
    hosts: surveyed,
    names: comparesNames
      ? names.map((name) => ({ name, listed: listed.has(name), records: recordsOf(records.get(name)) }))
      : [],
    findings: [
      ...judgeHosts(surveyed, certificates),
      ...judgeDefaults(surveyed),
      ...dropRepeated(looks.flatMap(({ findings }) => findings)),
      ...judgeOthers(certificates, [...listed]),
      ...names.flatMap((name) => judgeName(name, records.get(name), listed)),
    ],
  };
}

/** What DNS says of names, each asked for once. */
function createLookUp({ askRecords, concurrency, signal }: SurveyOptions): {
  readonly records: ReadonlyMap<string, RecordsAnswer>;
  readonly lookUp: (names: readonly string[]) => Promise<void>;
} {
  const records = new Map<string, RecordsAnswer>();
  const lookUp = async (names: readonly string[]): Promise<void> => {
    const missing = [...new Set(names)].filter((name) => !records.has(name));
    await mapConcurrently(missing, concurrency, async (name) => {
      records.set(name, signal.aborted ? { ok: false, detail: stopped.detail } : await askRecords(name));
    });
  };
  return { records, lookUp };
}

/** One address of a host. */
interface Place {
  readonly target: HostTarget;
  readonly address: string;
}

/** Shakes hands at each place, so many at a time; answers in the order of the places. */
function askPlaces(places: readonly Place[], options: SurveyOptions): Promise<readonly AskedEndpoint[]> {
  const askDefault = createAskDefault(options.greet);
  let done = 0;
  return mapConcurrently(places, options.concurrency, async ({ target, address }) => {
    const own = await askEndpoint(target, address, options);
    const goesOn = own.greetings.length > 0 && isIP(target.host) === 0 && !options.signal.aborted;
    const withoutSni = goesOn ? await askDefault(address, target.port) : undefined;
    done += 1;
    options.onEndpoint?.(done, places.length);
    return { ...own, withoutSni };
  });
}

/** What the handshakes with one address give. */
interface EndpointLook {
  /** Of its host. */
  readonly label: string;
  readonly endpoint: InventoryEndpoint;
  readonly found: readonly InventoryCertificate[];
  readonly findings: readonly InventoryFinding[];
}

function hostsWith(hosts: readonly HostTarget[], looks: readonly EndpointLook[]): readonly InventoryHost[] {
  const endpoints = new Map<string, InventoryEndpoint[]>(hosts.map((target) => [hostLabel(target), []]));
  for (const { label, endpoint } of looks) endpoints.get(label)?.push(endpoint);
  return hosts.map(({ host, port }) => ({ host, port, endpoints: endpoints.get(hostLabel({ host, port })) ?? [] }));
}

function describeEndpoint(
  { target, address }: Place,
  { greetings, failure, withoutSni }: AskedEndpoint,
  readChain: ReturnType<typeof createReadChain>,
  { findRoot, now }: SurveyOptions,
): EndpointLook {
  const label = hostLabel(target);
  const served: InventoryServed[] = [];
  const found: InventoryCertificate[] = [];
  const findings: InventoryFinding[] = [];
  for (const { chain: sent, protocol, distrust, clientCertificateWanted } of greetings) {
    const chain = readChain(sent);
    const facts = chain[0]?.facts;
    if (facts === undefined) continue;
    const { trusted, problems } = judgeChain(chain, { distrust, findRoot, now });
    for (const { code, message } of problems) findings.push(finding(code, label, `at ${address} ${message}`));
    if (clientCertificateWanted) {
      findings.push(finding("client-certificate-wanted", label, `at ${address} clients are asked for a certificate`));
    }
    found.push(describeFound(facts, { kind: "host", host: label, addresses: [address] }, now));
    served.push({
      fingerprintSha256: facts.fingerprintSha256,
      protocol,
      coverage: isIP(target.host) === 0 ? coverageOf(new Set(facts.dnsNames), target.host) : null,
      trusted,
      chain: chain.map(({ facts: { subject, issuer, notAfter, fingerprintSha256 } }) => ({
        subject,
        issuer,
        notAfter: notAfter.toISOString(),
        fingerprintSha256,
      })),
    });
  }
  return {
    label,
    endpoint: { address, served, withoutSni: describeDefault(withoutSni, target, readChain), failure },
    found,
    findings,
  };
}

function addressesFor(
  { host }: HostTarget,
  connect: readonly string[],
  records: ReadonlyMap<string, RecordsAnswer>,
): readonly string[] {
  if (connect.length > 0) return connect;
  if (isIP(host) !== 0) return [host];
  const answer = records.get(host);
  if (answer === undefined || !answer.ok) return [];
  const { a, aaaa }: NameRecords = answer.records;
  return [...a.addresses, ...aaaa.addresses].slice(0, maxAddresses);
}

function recordsOf(answer: RecordsAnswer | undefined): NameRecords | null {
  return answer?.ok === true ? answer.records : null;
}

interface AskedEndpoint {
  readonly greetings: readonly Extract<Greeting, { ok: true }>[];
  readonly failure: InventoryEndpoint["failure"];
  /** How a client without SNI was answered; absent where it was not asked. */
  readonly withoutSni: Greeting | undefined;
}

/** Both kinds of key, one after the other; who does not answer at all is not asked again. */
async function askEndpoint(
  { host, port }: HostTarget,
  address: string,
  { greet, signal }: SurveyOptions,
): Promise<Omit<AskedEndpoint, "withoutSni">> {
  const serverName = isIP(host) === 0 ? { serverName: host } : {};
  const greetings: Extract<Greeting, { ok: true }>[] = [];
  let failure: InventoryEndpoint["failure"] = null;
  for (const offer of ["ecdsa", "rsa", "legacy"] as const) {
    if (offer === "legacy" && greetings.length > 0) break;
    if (signal.aborted) return { greetings, failure: greetings.length > 0 ? null : stopped };
    const greeting = await greet({ address, port, ...serverName, offer });
    if (greeting.ok) greetings.push(greeting);
    else {
      failure = { code: greeting.code, detail: greeting.detail };
      // What looks like plain text to one offer may be an old protocol, which another offer takes.
      if (greeting.code !== "handshake-refused" && greeting.code !== "plaintext-answer") break;
    }
  }
  return { greetings, failure: greetings.length > 0 ? null : failure };
}

const stopped = { code: "not-asked", detail: "the run was stopped" } as const;

/** The same of several addresses is told once for each of them; the same of two key types once. */
function dropRepeated(findings: readonly InventoryFinding[]): readonly InventoryFinding[] {
  const keyOf = ({ code, about, message }: InventoryFinding) => JSON.stringify([code, about, message]);
  return [...new Map(findings.map((each) => [keyOf(each), each])).values()];
}
