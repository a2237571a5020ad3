import { mapConcurrently } from "../../async/concurrent";
import { coverageOf } from "../../hostnames";
import { defined } from "../../json/defined";
import type { FindingCode, HandshakeFailure } from "./codes";
import { findingOf, type VerifyFinding } from "./findings";
import type { ServedCertificate } from "./handshake-model";
import type { PreviousAddress, PreviousAddressSource } from "./previous";
import { probeName } from "./targets";
import { createExaminer, type Examination, type ExamineOptions, type TlsCapabilities } from "./tls-capabilities";

/** Comparison of the previous provider and the load balancer for one hostname. */
export interface ProviderComparison {
  readonly hostname: string;
  /** The first examined address of the previous provider. Absent if no address completed a handshake. */
  readonly previous?: TlsCapabilities;
  /** Source of the previous address; absent if `previous` is absent. */
  readonly previousFrom?: PreviousAddressSource;
  /** Other addresses of the previous provider. @default - there is only one address */
  readonly furtherPrevious?: readonly TlsCapabilities[];
  /** The first examined address of the load balancer. Absent if no address completed a handshake. */
  readonly loadBalancer?: TlsCapabilities;
  /** Other addresses of the load balancer, which may belong to other proxies. @default - there is only one address */
  readonly furtherLoadBalancer?: readonly TlsCapabilities[];
}

/** Only the first eight addresses of each provider are compared. */
interface ComparedPair {
  /** Queries for a wildcard use a random label. */
  readonly hostname: string;
  readonly previous: readonly PreviousAddress[];
  readonly loadBalancer: readonly string[];
  /** Look-ups of previous addresses that failed, each with the reason; untrusted. @default - none */
  readonly failedLookUps?: readonly string[];
}

/** Options of {@link compareProviders}. */
export interface CompareOptions extends ExamineOptions {
  readonly pairs: readonly ComparedPair[];
  /** Every name that the plan serves, including wildcards. */
  readonly served: readonly string[];
  /**
   * Maximum number of hostnames at the same time. Each makes one connection at a time to the previous provider and one
   * to the load balancer.
   *
   * @default 32
   */
  readonly concurrency?: number;
  readonly random: () => number;
}

/** Maximum number of addresses per hostname that are examined, for each provider. */
const mostAddresses = 8;

/**
 * Compares the TLS properties of all addresses of the previous provider with the load balancer. Makes up to nine
 * connections to each address for a hostname. Reports a finding for every address that could not be compared: because
 * the deadline passed, the run was stopped, or the address stopped answering.
 */
export async function compareProviders(
  options: CompareOptions,
): Promise<{ readonly comparisons: readonly ProviderComparison[]; readonly findings: readonly VerifyFinding[] }> {
  const { pairs, concurrency = 32 } = options;
  const examine = createExaminer(options);
  const certificates = new Map<string, ServedCertificate>();
  const examineAll = async (addresses: readonly string[], hostname: string): Promise<Side> => {
    const examinations: Examination[] = [];
    for (const address of addresses.slice(0, mostAddresses)) examinations.push(await examine(address, hostname));
    return sideOf(examinations, addresses.slice(mostAddresses));
  };
  const compared = await mapConcurrently(pairs, concurrency, async (pair) => {
    const asked = probeName(pair.hostname, options.random);
    const [previous, loadBalancer] = await Promise.all([
      examineAll(
        pair.previous.map(({ address }) => address),
        asked,
      ),
      examineAll(pair.loadBalancer, asked),
    ]);
    for (const certificate of previous.certificates) certificates.set(certificate.fingerprintSha256, certificate);
    return {
      comparison: comparisonOf(pair, previous, loadBalancer),
      findings: findingsOf(pair, previous, loadBalancer),
    };
  });
  return {
    comparisons: compared.map(({ comparison }) => comparison),
    findings: [
      ...compared.flatMap(({ findings }) => findings),
      ...forgottenNames([...certificates.values()], options.served),
    ],
  };
}

/** Returns the findings of a comparison that did not start, because the run was stopped. */
export function comparisonNotStarted(hostnames: readonly string[]): readonly VerifyFinding[] {
  return [...new Set(hostnames)].map((hostname) => findingOf("comparison-unfinished", hostname, "the run was stopped"));
}

interface Side {
  readonly seen: readonly TlsCapabilities[];
  /** Includes certificates of addresses that stopped answering. */
  readonly certificates: readonly ServedCertificate[];
  /** Addresses that answered and do not serve the name, each with the reason. */
  readonly refusing: readonly string[];
  /** Addresses that completed no handshake for another reason, each with the reason. */
  readonly unseen: readonly string[];
  /** Addresses with an unknown result, each with the reason. */
  readonly open: readonly string[];
  /** Addresses beyond the limit, each with the reason. */
  readonly further: readonly string[];
}

/** Failures of a server that answers, and serves no client of the name. */
const refusals: ReadonlySet<string> = new Set<HandshakeFailure>(["handshake-refused", "protocol-refused"]);

function sideOf(examinations: readonly Examination[], tooMany: readonly string[]): Side {
  const whyOf = (isOfKind: (outcome: "unseen" | "cut-off", why: string) => boolean) =>
    examinations.flatMap((examination) =>
      examination.outcome !== "seen" && isOfKind(examination.outcome, examination.why)
        ? [`${examination.address}: ${examination.why}`]
        : [],
    );
  const seen = examinations.filter((examination) => examination.outcome === "seen");
  return {
    seen: seen.map(({ capabilities }) => capabilities),
    certificates: examinations.flatMap(({ certificates }) => certificates),
    refusing: whyOf((outcome, why) => outcome === "unseen" && refusals.has(why)),
    unseen: whyOf((outcome, why) => outcome === "unseen" && !refusals.has(why)),
    open: whyOf((outcome) => outcome === "cut-off"),
    further: tooMany.map((address) => `${address}: more than ${mostAddresses} addresses`),
  };
}

function comparisonOf(
  pair: ComparedPair,
  { seen: [previous, ...furtherPrevious] }: Side,
  side: Side,
): ProviderComparison {
  const [loadBalancer, ...furtherLoadBalancer] = side.seen;
  const from = pair.previous.find(({ address }) => address === previous?.address)?.from;
  return {
    hostname: pair.hostname,
    ...defined({ previous, previousFrom: from }),
    ...(furtherPrevious.length === 0 ? {} : { furtherPrevious }),
    ...defined({ loadBalancer }),
    ...(furtherLoadBalancer.length === 0 ? {} : { furtherLoadBalancer }),
  };
}

function findingsOf(
  { hostname, failedLookUps = [] }: ComparedPair,
  previous: Side,
  loadBalancer: Side,
): readonly VerifyFinding[] {
  // The results of the hostnames already report addresses of the load balancer that complete no handshake.
  const open = [...failedLookUps, ...previous.open, ...loadBalancer.open];
  // Without any answer of the previous provider, nothing was compared. An address that accepts no connection beside
  // others may be out of use.
  const isUnseen = previous.seen.length === 0;
  const unfinished = isUnseen ? [...previous.unseen, ...open] : open;
  const missed = [
    ...(isUnseen ? [] : [...previous.refusing, ...previous.unseen]),
    ...previous.further,
    ...loadBalancer.further,
  ];
  const isUnknown = isUnseen && unfinished.length === 0;
  return [
    ...(isUnknown
      ? [findingOf("previous-provider-unseen", hostname, previous.refusing.join(", ") || "no address is known")]
      : []),
    ...(unfinished.length === 0 ? [] : [findingOf("comparison-unfinished", hostname, unfinished.join(", "))]),
    ...(missed.length === 0 ? [] : [findingOf("not-compared", hostname, missed.join(", "))]),
    ...losses(hostname, previous.seen, loadBalancer.seen),
  ];
}

const isModern = (protocol: string) => protocol === "TLSv1.2" || protocol === "TLSv1.3";

/** Properties of an address that may be lost, by the code of the finding. */
const capabilityKinds: readonly (readonly [FindingCode, (side: TlsCapabilities) => readonly string[]])[] = [
  ["protocol-lost", ({ protocols }) => protocols.filter(isModern)],
  ["obsolete-protocol-lost", ({ protocols }) => protocols.filter((protocol) => !isModern(protocol))],
  ["key-type-lost", ({ keyTypes }) => keyTypes],
  ["alpn-lost", ({ alpn }) => alpn],
  ["no-sni-lost", ({ withoutSni }) => (withoutSni ? [""] : [])],
];

/** Clients may use any of the addresses, so each address of the load balancer must have each property. */
function losses(
  hostname: string,
  previous: readonly TlsCapabilities[],
  loadBalancer: readonly TlsCapabilities[],
): readonly VerifyFinding[] {
  return capabilityKinds.flatMap(([code, capabilitiesOf]) => {
    /** Lost properties, by the addresses that have them and the addresses that lack them. */
    const lost = new Map<string, string[]>();
    for (const capability of new Set(previous.flatMap(capabilitiesOf))) {
      const had = previous.filter((side) => capabilitiesOf(side).includes(capability));
      const lacking = loadBalancer.filter((side) => !capabilitiesOf(side).includes(capability));
      if (lacking.length === 0) continue;
      const between = `at ${addressesOf(had)}, and not at ${addressesOf(lacking)}`;
      lost.set(between, [...(lost.get(between) ?? []), capability]);
    }
    return [...lost].map(([between, what]) => findingOf(code, hostname, `${what.join(", ")} ${between}`.trimStart()));
  });
}

function addressesOf(sides: readonly TlsCapabilities[]): string {
  return sides.map(({ address }) => address).join(", ");
}

/** Returns findings for names of the previous certificates that are missing from the plan. */
function forgottenNames(
  certificates: readonly ServedCertificate[],
  served: readonly string[],
): readonly VerifyFinding[] {
  const planned = new Set(served);
  const forgotten = new Map<string, string>();
  for (const { dnsNames, serialNumber } of certificates) {
    for (const name of dnsNames) {
      if (coverageOf(planned, name) === "none") forgotten.set(name, serialNumber);
    }
  }
  return [...forgotten].map(([name, serial]) =>
    findingOf("name-not-planned", name, `in the certificate with ${serial}`),
  );
}
