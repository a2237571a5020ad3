import { mapConcurrently } from "../concurrent";
import { familyOf, type KeyFamily } from "../key-families";
import type { ClientKind } from "./clients";
import { findingOf, type VerifyFinding } from "./fallback";
import type { Handshake } from "./handshake";
import { isCoveredBy, probeName } from "./names";
import type { OldAddress, OldSideSource } from "./previous";
import type { ServedCertificate } from "./served-certificate";

/** What clients can do with one side. */
export interface SideAbilities {
  readonly address: string;
  /** As in `TLSv1.2`, oldest first. */
  readonly protocols: readonly string[];
  /** Kinds of keys, each served to clients that take no other. */
  readonly keyTypes: readonly KeyFamily[];
  /** Application protocols that can be agreed on, as in `h2`. */
  readonly alpn: readonly string[];
  /** Whether a client without SNI gets a certificate for the name. */
  readonly withoutSni: boolean;
}

/** Old and new side of one hostname. */
export interface SideComparison {
  readonly hostname: string;
  /** Absent where no address of it made a handshake. */
  readonly old?: SideAbilities;
  /** Who says that the old side is there; absent where it is. */
  readonly oldFrom?: OldSideSource;
  /** Absent where the load balancer made none. */
  readonly new?: SideAbilities;
}

export interface CompareOptions {
  /** What is compared; a wildcard is asked for by a random label. */
  readonly pairs: readonly { readonly hostname: string; readonly old: readonly OldAddress[]; readonly new: string }[];
  /** Every name that the plan serves, wildcards among them. */
  readonly served: readonly string[];
  /** One connection. Never rejects. */
  readonly shakeHands: (address: string, hostname: string, as: ClientParticulars) => Promise<Handshake>;
  /** Hostnames at once; each makes one connection at a time to either side. @default 32 */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
  readonly random: () => number;
}

/** What one client of the comparison is like. */
interface ClientParticulars {
  readonly client?: ClientKind;
  readonly alpn?: readonly string[];
  /** `null`: no SNI. */
  readonly serverName?: null;
}

const protocols = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;
const keyFamilies = ["rsa", "ecdsa"] as const;
const applicationProtocols = ["h2", "http/1.1"] as const;

/** Compares what clients can do with the old side and with the load balancer: nine connections to each side for a hostname. */
export async function compareSides(
  options: CompareOptions,
): Promise<{ readonly comparisons: readonly SideComparison[]; readonly findings: readonly VerifyFinding[] }> {
  const { pairs, concurrency = 32, signal } = options;
  const seen = new Map<string, ServedCertificate>();
  const compared = await mapConcurrently(pairs, concurrency, async (pair) => {
    if (signal.aborted) return undefined;
    const asked = probeName(pair.hostname, options.random);
    const oldAddresses = pair.old.map(({ address }) => address);
    const [before, after] = await Promise.all([look(oldAddresses, asked, options), look([pair.new], asked, options)]);
    const from = pair.old.find(({ address }) => address === before?.abilities.address)?.from;
    for (const certificate of before?.certificates ?? []) seen.set(certificate.fingerprintSha256, certificate);
    const comparison: SideComparison = {
      hostname: pair.hostname,
      ...(before === undefined ? {} : { old: before.abilities }),
      ...(from === undefined ? {} : { oldFrom: from }),
      ...(after === undefined ? {} : { new: after.abilities }),
    };
    return { comparison, findings: losses(comparison, oldAddresses) };
  });
  const done = compared.filter((one) => one !== undefined);
  return {
    comparisons: done.map(({ comparison }) => comparison),
    findings: [...done.flatMap(({ findings }) => findings), ...forgottenNames([...seen.values()], options.served)],
  };
}

/** The first address that makes a handshake at all. */
async function look(
  addresses: readonly string[],
  hostname: string,
  { shakeHands }: CompareOptions,
): Promise<{ readonly certificates: readonly ServedCertificate[]; readonly abilities: SideAbilities } | undefined> {
  for (const address of addresses) {
    const ask = async (as: ClientParticulars) => {
      const handshake = await shakeHands(address, hostname, as);
      return { certificate: handshake.certificate, alpn: handshake.ok ? handshake.alpn : undefined };
    };
    const spoken: string[] = [];
    // Servers with keys of both families may have a certificate with other names for either.
    const certificates: ServedCertificate[] = [];
    for (const client of [...protocols].reverse()) {
      const { certificate: served } = await ask({ client });
      if (served === undefined) continue;
      spoken.unshift(client);
      certificates.push(served);
    }
    if (certificates.length === 0) continue;
    const keyTypes: KeyFamily[] = [];
    for (const client of keyFamilies) {
      const { certificate: served } = await ask({ client });
      if (served === undefined || familyOf(served.keyType) !== client) continue;
      keyTypes.push(client);
      certificates.push(served);
    }
    const alpn: string[] = [];
    for (const protocol of applicationProtocols) {
      if ((await ask({ alpn: [protocol] })).alpn === protocol) alpn.push(protocol);
    }
    const { certificate: bare } = await ask({ serverName: null });
    const withoutSni = bare !== undefined && isCoveredBy(hostname, bare.dnsNames);
    return { certificates, abilities: { address, protocols: spoken, keyTypes, alpn, withoutSni } };
  }
  return undefined;
}

function losses(
  { hostname, old, new: now }: SideComparison,
  oldAddresses: readonly string[],
): readonly VerifyFinding[] {
  if (old === undefined) {
    const where = oldAddresses.length === 0 ? "no address is known" : oldAddresses.join(", ");
    return [findingOf("old-side-unseen", hostname, where)];
  }
  // A load balancer that makes no handshake at all is told as such.
  if (now === undefined) return [];
  const lost = (had: readonly string[], has: readonly string[]) => had.filter((one) => !has.includes(one));
  const lostProtocols = lost(old.protocols, now.protocols);
  const isModern = (protocol: string) => protocol === "TLSv1.2" || protocol === "TLSv1.3";
  const modern = lostProtocols.filter(isModern);
  const outdated = lostProtocols.filter((protocol) => !isModern(protocol));
  const between = `at ${old.address}, and not at ${now.address}`;
  const found: VerifyFinding[] = [];
  if (modern.length > 0) found.push(findingOf("protocol-lost", hostname, `${modern.join(", ")} ${between}`));
  if (outdated.length > 0) found.push(findingOf("old-protocol-lost", hostname, `${outdated.join(", ")} ${between}`));
  const lostKeys = lost(old.keyTypes, now.keyTypes);
  if (lostKeys.length > 0) found.push(findingOf("key-type-lost", hostname, `${lostKeys.join(", ")} ${between}`));
  const lostAlpn = lost(old.alpn, now.alpn);
  if (lostAlpn.length > 0) found.push(findingOf("alpn-lost", hostname, `${lostAlpn.join(", ")} ${between}`));
  if (old.withoutSni && !now.withoutSni) found.push(findingOf("no-sni-lost", hostname, between));
  return found;
}

/** Names of old certificates that nobody has planned to serve. */
function forgottenNames(
  certificates: readonly ServedCertificate[],
  served: readonly string[],
): readonly VerifyFinding[] {
  const forgotten = new Map<string, string>();
  for (const { dnsNames, serialNumber } of certificates) {
    for (const name of dnsNames) {
      if (!served.includes(name) && !isCoveredBy(name, served)) forgotten.set(name, serialNumber);
    }
  }
  return [...forgotten].map(([name, serial]) =>
    findingOf("name-not-planned", name, `in the certificate with ${serial}`),
  );
}
