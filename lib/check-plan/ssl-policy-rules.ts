/** SSL policies: the TLS versions and the ciphers of proxies that serve. */
import { asText, type Fields, textsOf } from "../json/fields";
import { lastPart, regionIn } from "../resource-names";
import { danger, listed, type PlanDanger } from "./dangers";
import { hasUnknown, proxyTypes, sslPolicyTypes, uploadedLeaf } from "./kinds";
import { type Change, isChangedWithoutGap, type Resource } from "./plan-json";
import { directCertificates, namesOf } from "./switch-rules";
import type { World } from "./world";

/** What a proxy accepts with a policy. */
interface Accepted {
  readonly minimum: number;
  /** Types of keys with ciphers for TLS 1.2 and older. */
  readonly keys: ReadonlySet<string>;
}

const versions = ["TLS_1_0", "TLS_1_1", "TLS_1_2", "TLS_1_3"];

/** Google's default policy, for proxies without a policy. */
const standard: Accepted = { minimum: 0, keys: new Set(["RSA", "ECDSA"]) };

export function sslPolicyDangers(world: World): readonly PlanDanger[] {
  const changed = new Set(world.changes(...sslPolicyTypes).map(({ address }) => address));
  const changes = new Map(world.changes(...proxyTypes).map((change) => [change.address, change]));
  return world.resourcesAfter(...proxyTypes).flatMap((proxy) => {
    const was = world.at(proxy.address);
    const change = changes.get(proxy.address);
    if (was === undefined || (change !== undefined && !isChangedWithoutGap(change) && change.action !== "no-op")) {
      return [];
    }
    return policyChanged(proxy, was, { change, changed }, world);
  });
}

function policyChanged(
  proxy: Resource,
  was: Resource,
  { change, changed }: { readonly change: Change | undefined; readonly changed: ReadonlySet<string> },
  world: World,
): readonly PlanDanger[] {
  const [former, next] = [was, proxy].map(({ values }) => asText(values.ssl_policy ?? ""));
  const isOpen = hasUnknown(change?.unknown.ssl_policy);
  const before = policyNamed(former ?? "", world.resourcesBefore(...sslPolicyTypes));
  const after = isOpen
    ? world.referred(proxy.address, "ssl_policy", [...sslPolicyTypes])
    : policyNamed(next ?? "", world.resourcesAfter(...sslPolicyTypes));
  const isMoved = isOpen || former !== next;
  if (!isMoved && (after === undefined || !changed.has(after.address))) return [];
  // The plan does not contain the policy of another configuration.
  if ((after === undefined && (isOpen || next !== "")) || (before === undefined && former !== "")) return [];
  const hostnames = namesOf(was.values, world);
  const subject = isMoved ? proxy.address : (after?.address ?? proxy.address);
  const [had, gets] = [acceptedBy(before?.values), acceptedBy(after?.values)];
  const lost = [...had.keys].filter((key) => !gets.keys.has(key) && mayServe(key, proxy, world));
  return [
    ...(gets.minimum > had.minimum
      ? [
          danger(
            "ssl-policy-excludes-clients",
            subject,
            `${proxy.address} accepts ${versions[gets.minimum]} or later, and accepted ${versions[had.minimum]} before`,
            { hostnames },
          ),
        ]
      : []),
    ...(lost.length > 0
      ? [
          danger("ssl-policy-excludes-key", subject, `${proxy.address} keeps no cipher for ${listed(lost)} keys`, {
            hostnames,
          }),
        ]
      : []),
  ];
}

/** Returns whether a proxy may serve a certificate with a type of key; managed certificates can have any type. */
function mayServe(key: string, proxy: Resource, world: World): boolean {
  const map = world.mapAfter(proxy);
  const ids =
    map === undefined
      ? directCertificates(proxy.values)
      : world.servedAfter.entriesOf(map).flatMap(({ values }) => textsOf(values.certificates));
  const types = ids.map((id) => keyTypeOf(world.certificate(id)));
  return types.length === 0 || types.some((type) => type === undefined || type === key);
}

function keyTypeOf(certificate: Resource | undefined): string | undefined {
  const type = certificate === undefined ? undefined : uploadedLeaf(certificate.values)?.keyType;
  return type?.startsWith("rsa") ? "RSA" : type?.startsWith("ecdsa") ? "ECDSA" : undefined;
}

function acceptedBy(policy: Fields | undefined): Accepted {
  if (policy === undefined) return standard;
  const { min_tls_version: minimum, profile, custom_features: custom, enabled_features: enabled } = policy;
  const features = textsOf(custom).length > 0 ? textsOf(custom) : textsOf(enabled);
  const isOwn = profile === "CUSTOM" && features.length > 0;
  return {
    minimum: Math.max(0, versions.indexOf(asText(minimum ?? ""))),
    // All profiles of Google have ciphers for both types.
    keys: isOwn
      ? new Set(["RSA", "ECDSA"].filter((key) => features.some((feature) => isFor(feature, key))))
      : standard.keys,
  };
}

/** Returns whether a cipher is for a type of key, as in `TLS_ECDHE_RSA_WITH_…` and `TLS_RSA_WITH_…`. */
function isFor(cipher: string, key: string): boolean {
  return cipher.startsWith(`TLS_${key}_`) || cipher.includes(`_${key}_WITH_`);
}

function policyNamed(link: string, among: readonly Resource[]): Resource | undefined {
  if (link === "") return undefined;
  return among.find(({ values }) => {
    const region = typeof values.region === "string" ? lastPart(values.region) : undefined;
    return values.name === lastPart(link) && (regionIn(link) ?? "global") === (region ?? "global");
  });
}
