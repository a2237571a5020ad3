import { isIP } from "node:net";
import { mapConcurrently } from "../../async/concurrent";
import { coverageOf } from "../../hostnames";
import { groupBy } from "../../json/group-by";
import type { Offer, TlsProbeResult } from "../../tls/probe";
import { describeFound, mergeFound } from "../describe";
import { type InventoryFinding, inventoryFinding } from "../findings";
import type {
  Inventory,
  InventoryCertificate,
  InventoryEndpoint,
  InventoryHost,
  InventoryServed,
  NameRecords,
} from "../model";
import { createReadChain, type FindRoot, judgeChain } from "./chain";
import { type HostTarget, hostLabel } from "./hosts";
import { createAskDefault, describeDefault, judgeDefaults, judgeHosts } from "./judge";
import { type AskRecords, judgeName, judgeOthers, namesToCompare, type RecordsAnswer } from "./names";

/** Options of {@link surveyHosts}. */
export interface SurveyOptions {
  readonly hosts: readonly HostTarget[];
  /** Addresses to connect to instead of the addresses in DNS. @default - the addresses in DNS */
  readonly connect?: readonly string[];
  readonly askRecords: AskRecords;
  /** Whether names are compared with DNS. If false, only addresses of hosts are queried, and none with `connect`. */
  readonly comparesNames: boolean;
  readonly probeTls: (target: {
    readonly address: string;
    readonly port: number;
    readonly serverName?: string;
    readonly offer: Offer;
  }) => Promise<TlsProbeResult>;
  readonly findRoot: FindRoot;
  /** Time with which the validity of certificates is compared. */
  readonly now: Date;
  readonly run: SurveyRun;
}

/** How the queries run. */
export interface SurveyRun {
  /** The most hosts, and then addresses, that are queried at the same time. */
  readonly concurrency: number;
  /** Ends the run; everything found until then is reported. */
  readonly signal: AbortSignal;
  /** Called before names are looked up in DNS and after each, with the number of names done and the total. */
  readonly onLookUp?: (done: number, total: number) => void;
  /** Called after each address, with the number of addresses done and the total. */
  readonly onEndpoint?: (done: number, total: number) => void;
}

/** The most addresses of one host that are checked. The inventory's names list all addresses in DNS. */
const maxAddresses = 64;

/**
 * Checks servers: every address of each host, with one handshake for each type of key. Also queries DNS for the names
 * of the hosts and of their certificates. The result includes the inventory of files. A host that does not answer
 * delays no other host.
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
  const results = places.map((place, index) =>
    describeEndpoint(place, asked[index] as AskedEndpoint, readChain, options),
  );
  const surveyed = hostsWith(hosts, results);
  const certificates = mergeFound([...files.certificates, ...results.flatMap(({ found }) => found)]);

  // Without certificates in files, only servers have certificates: a host without an address was not checked either.
  const readsFiles = files.certificates.length > 0;
  const unanswered = new Set([...records].flatMap(([name, answer]) => (answer.ok && readsFiles ? [] : [name])));
  // Even if names are not compared, hosts without addresses have to be reported.
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
      ...judgeHosts(surveyed, certificates, unanswered),
      ...judgeDefaults(surveyed),
      ...dropRepeated(results.flatMap(({ findings }) => findings)),
      ...judgeOthers(certificates, [...listed]),
      ...names.flatMap((name) => judgeName(name, records.get(name), listed)),
    ],
  };
}

/** Creates a DNS look-up that queries each name once. */
function createLookUp({ askRecords, run }: SurveyOptions): {
  readonly records: ReadonlyMap<string, RecordsAnswer>;
  readonly lookUp: (names: readonly string[]) => Promise<void>;
} {
  const records = new Map<string, RecordsAnswer>();
  const lookUp = async (names: readonly string[]): Promise<void> => {
    const missing = [...new Set(names)].filter((name) => !records.has(name));
    let done = 0;
    const report = () => run.onLookUp?.(done, missing.length);
    if (missing.length > 0) report();
    await mapConcurrently(missing, run.concurrency, async (name) => {
      records.set(name, run.signal.aborted ? { ok: false, detail: stopped.detail } : await askRecords(name));
      done += 1;
      report();
    });
  };
  return { records, lookUp };
}

interface Place {
  readonly target: HostTarget;
  readonly address: string;
}

/** Performs handshakes with each place, with limited concurrency. Returns the results in the order of the places. */
function askPlaces(places: readonly Place[], options: SurveyOptions): Promise<readonly AskedEndpoint[]> {
  const { probeTls, run } = options;
  const askDefault = createAskDefault(probeTls);
  let done = 0;
  return mapConcurrently(places, run.concurrency, async ({ target, address }) => {
    const asked = await askEndpoint(target, address, options);
    const goesOn = asked.probes.length > 0 && isIP(target.host) === 0 && !run.signal.aborted;
    const withoutSni = goesOn ? await askDefault(address, target.port) : undefined;
    done += 1;
    run.onEndpoint?.(done, places.length);
    return { ...asked, withoutSni };
  });
}

interface EndpointResult {
  readonly label: string;
  readonly endpoint: InventoryEndpoint;
  readonly found: readonly InventoryCertificate[];
  readonly findings: readonly InventoryFinding[];
}

function hostsWith(hosts: readonly HostTarget[], results: readonly EndpointResult[]): readonly InventoryHost[] {
  const byHost = groupBy(results, ({ label }) => label);
  return hosts.map(({ host, port }) => {
    const endpoints = (byHost.get(hostLabel({ host, port })) ?? []).map(({ endpoint }) => endpoint);
    return { host, port, endpoints };
  });
}

function describeEndpoint(
  { target, address }: Place,
  { probes, failure, withoutSni }: AskedEndpoint,
  readChain: ReturnType<typeof createReadChain>,
  { findRoot, now }: SurveyOptions,
): EndpointResult {
  const label = hostLabel(target);
  const served: InventoryServed[] = [];
  const found: InventoryCertificate[] = [];
  const findings: InventoryFinding[] = [];
  for (const { chain: sent, protocol, distrust, clientCertificateWanted } of probes) {
    const chain = readChain(sent);
    const facts = chain[0]?.facts;
    if (facts === undefined) continue;
    const { trusted, problems } = judgeChain(chain, { distrust, findRoot, now });
    for (const { code, message } of problems) findings.push(inventoryFinding(code, label, `at ${address} ${message}`));
    if (clientCertificateWanted) {
      findings.push(
        inventoryFinding("client-certificate-wanted", label, `at ${address} clients are asked for a certificate`),
      );
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
  readonly probes: readonly Extract<TlsProbeResult, { ok: true }>[];
  readonly failure: InventoryEndpoint["failure"];
  readonly withoutSni: TlsProbeResult | undefined;
}

/** Offers ECDSA, then RSA, and `legacy` only if neither succeeds. Stops if an address does not answer at all. */
async function askEndpoint(
  { host, port }: HostTarget,
  address: string,
  { probeTls, run }: SurveyOptions,
): Promise<Omit<AskedEndpoint, "withoutSni">> {
  const serverName = isIP(host) === 0 ? { serverName: host } : {};
  const probes: Extract<TlsProbeResult, { ok: true }>[] = [];
  let failure: InventoryEndpoint["failure"] = null;
  let malformed: InventoryEndpoint["failure"] = null;
  for (const offer of ["ecdsa", "rsa", "legacy"] as const) {
    if (offer === "legacy" && probes.length > 0) break;
    if (run.signal.aborted) return { probes, failure: probes.length > 0 ? null : stopped };
    const probe = await probeTls({ address, port, ...serverName, offer });
    if (probe.ok) probes.push(probe);
    else {
      failure = { code: probe.code, detail: probe.detail };
      // Clients with the other type of key may get another certificate.
      if (probe.code === "certificate-malformed") {
        malformed ??= failure;
        continue;
      }
      // An answer that results like plain text to one offer may be an outdated protocol that another offer accepts.
      if (probe.code !== "handshake-refused" && probe.code !== "plaintext-answer") break;
    }
  }
  return { probes, failure: malformed ?? (probes.length > 0 ? null : failure) };
}

const stopped = { code: "not-asked", detail: "the run was stopped" } as const;

/** Removes repeated findings. Findings about several addresses or key types differ in their messages. */
function dropRepeated(findings: readonly InventoryFinding[]): readonly InventoryFinding[] {
  const keyOf = ({ code, subject: about, message }: InventoryFinding) => JSON.stringify([code, about, message]);
  return [...new Map(findings.map((each) => [keyOf(each), each])).values()];
}
