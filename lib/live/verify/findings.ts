import { mapConcurrently } from "../../async/concurrent";
import { type CodedFinding, findingsOf } from "../../findings/finding";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import { countOf } from "../../text/words";
import { silenceMs } from "./acceptance";
import { type FindingCode, verifyCodes } from "./codes";
import type { Handshake } from "./handshake";
import type { ServedCertificate } from "./handshake-model";
import type { VerifyResult } from "./results";
import { type PrimaryTarget, randomLabel, type VerifyTarget } from "./targets";

/** A finding about an address as a whole, or about a hostname compared with the previous provider. */
export type VerifyFinding = CodedFinding<FindingCode>;

export const findingOf = findingsOf<FindingCode>(verifyCodes);

/** Certificate for a client that sends no SNI, or a hostname without an entry. */
export interface Fallback {
  readonly address: string;
  readonly client: "no-sni" | "unknown-name";
  /** Absent if no certificate was served. */
  readonly certificate?: ServedCertificate;
  /** Why no certificate was served, or what is wrong with the certificate; untrusted. */
  readonly detail?: string;
}

/** Returns a certificate for each id, in order; it has no facts before it is issued. */
interface FallbackCertificates {
  of(ids: readonly string[]): readonly { readonly facts?: Pick<ServedCertificate, "fingerprintSha256"> | undefined }[];
}

/** Options of {@link probeFallbacks}. */
export interface FallbackOptions {
  readonly targets: readonly PrimaryTarget[];
  /** Makes one connection with that SNI; `null` for no SNI. Does not check names. Never rejects. */
  readonly shakeHands: (address: string, serverName: string | null) => Promise<Handshake>;
  /** Certificates of the plan by their ids. @default - any certificate is accepted */
  readonly planned?: FallbackCertificates;
  readonly random: () => number;
}

/** Connects to each address once without SNI, and once with a hostname that is not in the plan. */
export async function probeFallbacks(
  options: FallbackOptions,
): Promise<{ readonly fallbacks: readonly Fallback[]; readonly findings: readonly VerifyFinding[] }> {
  const unknown = `${randomLabel(options.random)}.invalid`;
  const probes = options.targets.flatMap((target) => clientKinds.map((client) => ({ target, client })));
  const probed = await mapConcurrently(probes, concurrency, async ({ target, client }) => {
    const { address } = target;
    const handshake = await options.shakeHands(address, client === "no-sni" ? null : unknown);
    const { certificate } = handshake;
    const fallback: Fallback = {
      address,
      client,
      ...defined({ certificate }),
      ...(handshake.ok ? {} : { detail: `${handshake.code} (${handshake.detail})` }),
    };
    const code = judge(handshake, target, options.planned);
    const findings = code === undefined ? [] : [findingOf(code, address, `${wordsOf[client]}: ${seen(handshake)}`)];
    return { fallback, findings };
  });
  return { fallbacks: probed.map(({ fallback }) => fallback), findings: probed.flatMap(({ findings }) => findings) };
}

const clientKinds = ["no-sni", "unknown-name"] as const;
const concurrency = 16;

const wordsOf = { "no-sni": "a client without SNI", "unknown-name": "a client with an unknown name" } as const;

function judge(
  handshake: Handshake,
  { hasPrimary, planned: names }: PrimaryTarget,
  planned: FallbackCertificates | undefined,
): FindingCode | undefined {
  const { certificate } = handshake;
  if (certificate === undefined) {
    // The results of the hostnames already report an address that does not answer.
    return hasPrimary === true && !handshake.ok && handshake.code === "handshake-refused"
      ? "primary-not-served"
      : undefined;
  }
  if (hasPrimary === false) return "unplanned-fallback";
  if (hasPrimary !== true || planned === undefined || names === undefined) return undefined;
  const wanted = planned.of(names).flatMap(({ facts }) => facts?.fingerprintSha256 ?? []);
  return wanted.includes(certificate.fingerprintSha256) ? undefined : "primary-other-certificate";
}

function seen(handshake: Handshake): string {
  if (handshake.certificate === undefined) return handshake.ok ? "" : `${handshake.code} (${handshake.detail})`;
  const { dnsNames, serialNumber } = handshake.certificate;
  return `a certificate for ${dnsNames.slice(0, 5).join(", ") || "no name"}, serial ${serialNumber}`;
}

/** Google renews managed certificates a month before they expire. */
const soonMs = 14 * 24 * 3_600_000;

/** Returns findings for served certificates that expire soon, one for each certificate. */
export function expiryFindings(results: readonly VerifyResult[], now: Date): readonly VerifyFinding[] {
  const expiring = new Map<string, VerifyFinding>();
  for (const result of results) {
    if (!result.ok) continue;
    const { notAfter, fingerprintSha256, serialNumber } = result.certificate;
    if (expiring.has(fingerprintSha256) || Date.parse(notAfter) - now.getTime() > soonMs) continue;
    expiring.set(
      fingerprintSha256,
      findingOf("expires-soon", result.hostname, `serial ${serialNumber} ends at ${notAfter}`),
    );
  }
  return [...expiring.values()];
}

/**
 * Returns findings for hostnames whose addresses serve different certificates to the same clients. Certificates of the
 * plan may differ, because an entry can have several. Addresses of different migrations are not compared, because each
 * migration has its own certificates.
 *
 * @param severity severity of the findings: a warning if any valid certificate is accepted
 */
export function differingFindings(
  results: readonly VerifyResult[],
  targets: readonly VerifyTarget[],
  severity: VerifyFinding["severity"],
): readonly VerifyFinding[] {
  const migrationsAt = new Map(
    targets.flatMap(({ hostname, addresses, servedBy = [] }) =>
      addresses.map((address) => [`${hostname} ${address}`, servedBy.join(" ")]),
    ),
  );
  const groups = groupBy(
    results.filter((result) => result.ok),
    ({ hostname, address, client = "" }) => `${hostname} ${client} ${migrationsAt.get(`${hostname} ${address}`)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const served = groupBy(group, ({ certificate }) => certificate.fingerprintSha256);
    const [first] = group;
    if (first === undefined || served.size < 2 || group.every(({ planned }) => planned !== undefined)) return [];
    const each = [...served.values()].flatMap((same) => {
      const [{ certificate } = first] = same;
      const at = same.map(({ address }) => address).join(", ");
      return `${at}: serial ${certificate.serialNumber} of ${certificate.issuer}, until ${certificate.notAfter.slice(0, 10)}`;
    });
    const client = first.client === undefined ? "" : ` to a client that takes ${first.client} alone`;
    const finding = findingOf("addresses-differ", first.hostname, `served${client} at ${each.join("; at ")}`);
    return [{ ...finding, severity }];
  });
}

/** Maximum number of hostnames in a finding, because there may be thousands. */
const mostNamed = 3;

/** Returns findings for addresses that sent nothing after a completed handshake, with the affected hostnames. */
export function unconfirmedFindings(results: readonly VerifyResult[]): readonly VerifyFinding[] {
  const byAddress = new Map<string, Set<string>>();
  for (const result of results) {
    if (!result.ok || result.confirmed) continue;
    const { address, hostname } = result;
    byAddress.set(address, (byAddress.get(address) ?? new Set()).add(hostname));
  }
  return [...byAddress].map(([address, hostnames]) => {
    const named = [...hostnames].slice(0, mostNamed).join(", ");
    const rest = hostnames.size - mostNamed;
    const more = rest > 0 ? ` and ${countOf(rest, "other hostname")}` : "";
    return findingOf("not-confirmed", address, `no answer in ${silenceMs} ms after the handshake for ${named}${more}`);
  });
}
