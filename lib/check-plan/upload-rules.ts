/** The PEM of uploaded certificates that the apply creates, replaces or changes in place. */
import { asText, fieldsOf, listOf, textsOf } from "../json/fields";
import type { CertificateFacts } from "../x509";
import { danger, listed, type PlanDanger } from "./dangers";
import {
  classicTypes,
  domainsOf,
  isCertificateType,
  isSame,
  proxyTypes,
  resourceName,
  types,
  uploadedPem,
  x509,
} from "./kinds";
import { coverName, nameOfCertificate } from "./lookup";
import type { Change, Resource } from "./plan-json";
import { certificateAttributes } from "./switch-rules";
import type { World } from "./world";

export function uploadDangers(world: World): readonly PlanDanger[] {
  return world
    .changes(types.certificate, ...classicTypes)
    .filter(({ deposed, action }) => !deposed && action !== "delete" && action !== "no-op")
    .flatMap((change) => [...pemUnknown(change, world), ...pemRefused(change, world), ...namesLost(change, world)]);
}

/** Returns whether the apply uploads another PEM; a replacement with the same PEM does not count. */
export function bringsCertificate({ action, deposed, before, after }: Change): boolean {
  return !deposed && action !== "delete" && uploadedPem(before) !== uploadedPem(after);
}

function pemUnknown(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, unknown } = change;
  const { pem_certificate: pem, certificate_pem: former } = fieldsOf(listOf(unknown.self_managed)[0]);
  const isOpen = [unknown.self_managed, pem, former].some((one) => one === true);
  if (action !== "update" || !isOpen || uploadedPem(before) === undefined || usersOf(change, world).length === 0) {
    return [];
  }
  const message = `${asText(before.name ?? "the certificate")} gets a PEM that is unknown before the apply`;
  return [danger("uploaded-certificate-unknown", address, message, { hostnames: domainsOf(before) })];
}

/** Faults of a PEM, by kind. */
type Faults = ReadonlyMap<"order" | "self-signed" | "incomplete" | "client-only" | "weak-key", string>;

/** Faults that a certificate of a private CA or of a test environment has too. */
const usualFaults = new Set(["self-signed", "incomplete"]);

/** Reports faults that the previous certificate of the same clients does not have. */
function pemRefused(change: Change, world: World): readonly PlanDanger[] {
  const { address, before, after } = change;
  const pem = uploadedPem(after);
  if (pem === undefined || !bringsCertificate(change)) return [];
  const own = faultsOf(pem);
  if (own.size === 0) return [];
  const previous = previousFaults(change, world);
  const faults = [...own].filter(([kind]) => {
    return previous === undefined ? !usualFaults.has(kind) : !previous.some((one) => one.has(kind));
  });
  if (faults.length === 0) return [];
  const name = asText(after.name ?? before.name ?? "the certificate");
  const message = `${name}: ${faults.map(([, text]) => text).join("; ")}`;
  return [danger("uploaded-certificate-refused", address, message, { hostnames: domainsOf(after) })];
}

/** Returns the faults of the certificates that the users of a certificate have now; undefined without any. */
function previousFaults(change: Change, world: World): readonly Faults[] | undefined {
  const own = uploadedPem(change.before);
  if (own !== undefined) return [faultsOf(own)];
  const ids = usersOf(change, world).flatMap(({ address }) => {
    const { values = {} } = world.at(address) ?? {};
    return ["certificates", ...certificateAttributes].flatMap((attribute) => textsOf(values[attribute]));
  });
  const held = ids.flatMap((id) => world.certificate(id) ?? []);
  if (held.length === 0) return undefined;
  return held.map(({ values }) => {
    const pem = uploadedPem(values);
    return pem === undefined ? new Map() : faultsOf(pem);
  });
}

/** Returns the entries and proxies that have a certificate after the apply. */
function usersOf({ address, type, before, after }: Change, world: World): readonly Resource[] {
  const names = [before, after].map((values) => nameOfCertificate({ type, values })).filter(({ path }) => path !== "");
  return world.resourcesAfter(types.entry, ...proxyTypes).filter((user) => {
    return ["certificates", ...certificateAttributes].some((attribute) => {
      const ids = textsOf(user.values[attribute]).map((id) => resourceName(id));
      if (ids.some((id) => names.some((name) => isSame(name, id) || id.path.endsWith(`/${name.path}`)))) return true;
      if (!world.isUnknown(user.address, attribute)) return false;
      return world.createdCertificates(user.address, attribute).some((createdCertificate) => {
        return createdCertificate.address === address && isCertificateType(createdCertificate.type);
      });
    });
  });
}

function faultsOf(pem: string): Faults {
  const { leaf, certificates } = x509().readCertificateChain(pem);
  if (leaf === undefined) return new Map();
  const [first, ...rest] = certificates;
  const faults = new Map<"order" | "self-signed" | "incomplete" | "client-only" | "weak-key", string>();
  const broken = certificates.findIndex(({ issuer }, index) => {
    const next = certificates[index + 1];
    return next !== undefined && next.subject !== issuer;
  });
  if (first?.fingerprintSha256 !== leaf.fingerprintSha256) {
    faults.set("order", `the first certificate of its PEM is ${first?.subject}, not the certificate of the server`);
  } else if (broken !== -1) {
    faults.set("order", `certificate ${broken + 2} of its PEM has not issued certificate ${broken + 1}`);
  }
  if (leaf.selfSigned) faults.set("self-signed", "the certificate is self-signed");
  else if (
    ![first, ...rest].some((certificateFacts) => certificateFacts !== leaf && certificateFacts?.subject === leaf.issuer)
  ) {
    faults.set("incomplete", `its PEM does not contain the certificate of its issuer, ${leaf.issuer}`);
  }
  if (!isForServers(pem, leaf)) faults.set("client-only", "the certificate is only for clients, not for servers");
  const bits = /^rsa.*?-(\d+)$/.exec(leaf.keyType)?.[1];
  if (bits !== undefined && Number(bits) < 2048) faults.set("weak-key", `its RSA key has only ${bits} bits`);
  return faults;
}

/** Extended key usages for servers: serverAuth and anyExtendedKeyUsage. */
const serverUsages: readonly string[] = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0"];

function isForServers(pem: string, { fingerprintSha256 }: CertificateFacts): boolean {
  const { certificatesIn, fingerprintOf } = x509();
  const usages = certificatesIn(pem)
    .filter((x509Certificate) => fingerprintOf(x509Certificate) === fingerprintSha256)
    .flatMap((x509Certificate) => x509Certificate.keyUsage ?? []);
  return usages.length === 0 || usages.some((usage) => serverUsages.includes(usage));
}

/** Reports a certificate that is changed in place and is no longer for names that it serves. */
function namesLost(change: Change, world: World): readonly PlanDanger[] {
  const { address, action, before, after } = change;
  if (action !== "update" || !bringsCertificate(change) || uploadedPem(after) === undefined) return [];
  const lost = [...new Set(usersOf(change, world).flatMap((user) => lostBy(user, domainsOf(before), world)))];
  if (lost.length === 0) return [];
  const name = asText(after.name ?? before.name ?? "the certificate");
  const message = `${name} is changed to a certificate for ${listed(domainsOf(after)) || "no name"}, and serves ${listed(lost)}`;
  return [danger("uploaded-certificate-loses-names", address, message, { hostnames: lost })];
}

/** Returns the names that an entry or a proxy serves before the apply and not after it. */
function lostBy(user: Resource, had: readonly string[], world: World): readonly string[] {
  const was = world.at(user.address);
  if (was === undefined) return [];
  if (user.type !== types.entry) {
    if (user.values.certificate_map || world.isUnknown(user.address, "certificate_map")) return [];
    const direct = certificateAttributes.flatMap((attribute) => world.domainsAfter(user, attribute));
    return had.filter((name) => coverName(direct, name) === false);
  }
  const map = world.mapAfter(user);
  if (map === undefined || !world.isAttached(map)) return [];
  return world.servedBefore.namesBy(map, was).filter((name) => {
    return world.servedBefore.isServed(map, name) === true && world.servedAfter.isServed(map, name) === false;
  });
}
