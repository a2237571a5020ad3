import { mapConcurrently } from "../../async/concurrent";
import { coverageOf } from "../../hostnames";
import { createLooking, type Look, type LookOptions, type SideAbilities } from "./abilities";
import type { FindingCode } from "./codes";
import { findingOf, type VerifyFinding } from "./fallback";
import { probeName } from "./names";
import type { OldAddress, OldSideSource } from "./previous";
import type { ServedCertificate } from "./served-certificate";

/** Old and new side of one hostname. */
export interface SideComparison {
  readonly hostname: string;
  /** The first address that was seen. Absent where none made a handshake. */
  readonly old?: SideAbilities;
  /** Who says that the old side is there; absent where it is. */
  readonly oldFrom?: OldSideSource;
  /** Other addresses of the old side. @default - there is one alone */
  readonly furtherOld?: readonly SideAbilities[];
  /** The first address that was seen. Absent where the load balancer made no handshake. */
  readonly new?: SideAbilities;
  /** Other addresses of the load balancer, which may have other proxies behind them. @default - there is one alone */
  readonly furtherNew?: readonly SideAbilities[];
}

/** A hostname, and where either side serves it; of each side the first eight addresses are compared. */
interface ComparedPair {
  /** A wildcard is asked for by a random label. */
  readonly hostname: string;
  readonly old: readonly OldAddress[];
  readonly new: readonly string[];
}

export interface CompareOptions extends LookOptions {
  readonly pairs: readonly ComparedPair[];
  /** Every name that the plan serves, wildcards among them. */
  readonly served: readonly string[];
  /** Hostnames at once; each makes one connection at a time to either side. @default 32 */
  readonly concurrency?: number;
  readonly random: () => number;
}

/** Addresses of one side of a hostname that are looked at. */
const mostAddresses = 8;

/**
 * Compares what clients can do with every address of the old side and of the load balancer: nine connections to each for a hostname. What could not be
 * compared before the deadline, before the run was stopped, or because a side vanished in the middle, is a finding.
 */
export async function compareSides(
  options: CompareOptions,
): Promise<{ readonly comparisons: readonly SideComparison[]; readonly findings: readonly VerifyFinding[] }> {
  const { pairs, concurrency = 32 } = options;
  const look = createLooking(options);
  const certificates = new Map<string, ServedCertificate>();
  const lookAtAll = async (addresses: readonly string[], hostname: string): Promise<Side> => {
    const looks: Look[] = [];
    for (const address of addresses.slice(0, mostAddresses)) looks.push(await look(address, hostname));
    return sideOf(looks, addresses.slice(mostAddresses));
  };
  const compared = await mapConcurrently(pairs, concurrency, async (pair) => {
    const asked = probeName(pair.hostname, options.random);
    const oldAddresses = pair.old.map(({ address }) => address);
    const [old, now] = await Promise.all([lookAtAll(oldAddresses, asked), lookAtAll(pair.new, asked)]);
    for (const certificate of old.certificates) certificates.set(certificate.fingerprintSha256, certificate);
    return { comparison: comparisonOf(pair, old, now), findings: findingsOf(pair.hostname, old, now) };
  });
  return {
    comparisons: compared.map(({ comparison }) => comparison),
    findings: [
      ...compared.flatMap(({ findings }) => findings),
      ...forgottenNames([...certificates.values()], options.served),
    ],
  };
}

/** What one side of a hostname came to. */
interface Side {
  readonly seen: readonly SideAbilities[];
  /** Of addresses that vanished in the middle too. */
  readonly certificates: readonly ServedCertificate[];
  /** Addresses that made no handshake, each with why. */
  readonly unseen: readonly string[];
  /** Addresses of which nobody knows, each with why. */
  readonly open: readonly string[];
}

function sideOf(looks: readonly Look[], tooMany: readonly string[]): Side {
  const whyOf = (outcome: Look["outcome"]) =>
    looks.flatMap((look) =>
      look.outcome === outcome && look.outcome !== "seen" ? [`${look.address}: ${look.why}`] : [],
    );
  const seen = looks.filter((look) => look.outcome === "seen");
  return {
    seen: seen.map(({ abilities }) => abilities),
    certificates: looks.flatMap(({ certificates }) => certificates),
    unseen: whyOf("unseen"),
    open: [...whyOf("cut-off"), ...tooMany.map((address) => `${address}: more than ${mostAddresses} addresses`)],
  };
}

function comparisonOf(pair: ComparedPair, { seen: [old, ...furtherOld] }: Side, side: Side): SideComparison {
  const [now, ...furtherNew] = side.seen;
  const from = pair.old.find(({ address }) => address === old?.address)?.from;
  return {
    hostname: pair.hostname,
    ...(old === undefined ? {} : { old }),
    ...(from === undefined ? {} : { oldFrom: from }),
    ...(furtherOld.length === 0 ? {} : { furtherOld }),
    ...(now === undefined ? {} : { new: now }),
    ...(furtherNew.length === 0 ? {} : { furtherNew }),
  };
}

function findingsOf(hostname: string, old: Side, now: Side): readonly VerifyFinding[] {
  // An address of the load balancer that makes no handshake at all is told as such.
  const open = [...old.open, ...now.open];
  const isUnseen = old.seen.length === 0 && open.length === 0;
  const missed = isUnseen ? [] : [...old.unseen, ...open];
  return [
    ...(isUnseen ? [findingOf("old-side-unseen", hostname, old.unseen.join(", ") || "no address is known")] : []),
    ...(missed.length === 0 ? [] : [findingOf("not-compared", hostname, missed.join(", "))]),
    ...losses(hostname, old.seen, now.seen),
  ];
}

const isModern = (protocol: string) => protocol === "TLSv1.2" || protocol === "TLSv1.3";

/** What an address can do that may be lost, by the finding that tells of it. */
const abilityKinds: readonly (readonly [FindingCode, (side: SideAbilities) => readonly string[]])[] = [
  ["protocol-lost", ({ protocols }) => protocols.filter(isModern)],
  ["old-protocol-lost", ({ protocols }) => protocols.filter((protocol) => !isModern(protocol))],
  ["key-type-lost", ({ keyTypes }) => keyTypes],
  ["alpn-lost", ({ alpn }) => alpn],
  ["no-sni-lost", ({ withoutSni }) => (withoutSni ? [""] : [])],
];

/** What clients can do at some address of the old side, and can't at some address of the load balancer: they may be led to any. */
function losses(
  hostname: string,
  old: readonly SideAbilities[],
  now: readonly SideAbilities[],
): readonly VerifyFinding[] {
  return abilityKinds.flatMap(([code, abilitiesOf]) => {
    /** What is lost, by where it was and where it is not. */
    const lost = new Map<string, string[]>();
    for (const ability of new Set(old.flatMap(abilitiesOf))) {
      const had = old.filter((side) => abilitiesOf(side).includes(ability));
      const lacking = now.filter((side) => !abilitiesOf(side).includes(ability));
      if (lacking.length === 0) continue;
      const between = `at ${addressesOf(had)}, and not at ${addressesOf(lacking)}`;
      lost.set(between, [...(lost.get(between) ?? []), ability]);
    }
    return [...lost].map(([between, what]) => findingOf(code, hostname, `${what.join(", ")} ${between}`.trimStart()));
  });
}

function addressesOf(sides: readonly SideAbilities[]): string {
  return sides.map(({ address }) => address).join(", ");
}

/** Names of old certificates that nobody has planned to serve. */
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
