import { keyMatches, readCertificateChain } from "../../x509";
import { CloudError } from "../cloud-error";
import type { Json } from "../front";
import type { Clock } from "../state";
import { invalidValue, requiredField } from "./answers";
import type { Concept } from "./concept";
import { pathOfLink } from "./links";
import { type ComputeResource, pathOfResource, type Resources, textMember, textMembers } from "./resources";

/** Uploaded certificates, which never change, and managed ones. The private key is stored and never returned. */
export const sslCertificates: Concept = {
  collection: "sslCertificates",
  schema: "SslCertificate",
  noun: "ssl_certificate",
  methods: { global: "sslCertificates", regional: "regionSslCertificates" },
  complete(body) {
    if (body.type === "MANAGED" || body.managed !== undefined) return newManaged(body);
    const { certificate, privateKey } = materialOf(body);
    const { leaf } = readCertificateChain(certificate);
    if (leaf === undefined)
      throw refusal("sslCertificateCouldNotParseCert", "The SSL certificate could not be parsed.");
    const match = keyMatches(leaf.pem, privateKey);
    if (match === "unreadable" || match === "encrypted")
      throw refusal("sslCertificateCouldNotParseKey", "The SSL private key could not be parsed.");
    if (match === "differs")
      throw refusal("sslCertificateKeyMismatch", "The SSL certificate and the private key do not match.");
    return {
      description: body.description,
      type: "SELF_MANAGED",
      certificate,
      privateKey,
      selfManaged: { certificate },
      subjectAlternativeNames: leaf.dnsNames,
      expireTime: leaf.notAfter.toISOString(),
    };
  },
  present({ privateKey: _, ...rest }) {
    return rest;
  },
};

/** Reads a certificate and its key from the top level or from `selfManaged`. */
function materialOf(body: Json): { readonly certificate: string; readonly privateKey: string } {
  const selfManaged = (body.selfManaged ?? {}) as Json;
  const certificate = textMember(body, "certificate") || textMember(selfManaged, "certificate");
  const privateKey = textMember(body, "privateKey") || textMember(selfManaged, "privateKey");
  if (certificate === "") throw requiredField("certificate");
  if (privateKey === "") throw requiredField("privateKey");
  return { certificate, privateKey };
}

function refusal(reason: string, message: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", message, { reason });
}

export function keyMaterialOf(resource: ComputeResource): { readonly pem: string; readonly key: string } {
  return { pem: textMember(resource, "certificate"), key: textMember(resource, "privateKey") };
}

/** SSL certificates that Compute Engine obtains itself (`type: MANAGED`), the predecessor of Certificate Manager. */

export interface ManagedSslServices {
  readonly addressesOf: (domain: string) => Promise<readonly string[]>;
  readonly issue: (
    domains: readonly string[],
  ) => Promise<{ readonly chainPem: string; readonly privateKeyPem: string; readonly notAfter: Date }>;
}

interface Options extends ManagedSslServices {
  readonly clock: Clock;
  readonly resources: Resources;
  readonly onChange: () => void;
}

/** Maximum number of domains per certificate (API reference of sslCertificates). */
const mostDomains = 100;

/** Delay between checks of DNS, in milliseconds of the cloud's time. */
const checkMs = 10_000;

function newManaged(body: Json): Json {
  const domains = textMembers((body.managed ?? {}) as Json, "domains").map((domain) => domain.replace(/\.$/, ""));
  if (domains.length === 0) throw invalidValue("managed.domains", "", "At least one domain is needed.");
  if (domains.length > mostDomains)
    throw invalidValue("managed.domains", `${domains.length} domains`, `At most ${mostDomains} are allowed.`);
  const wildcard = domains.find((domain) => domain.startsWith("*."));
  if (wildcard !== undefined)
    throw invalidValue("managed.domains", wildcard, "A certificate of this type takes no wildcard.");
  const domainStatus = Object.fromEntries(domains.map((domain) => [domain, "PROVISIONING"]));
  return {
    description: body.description,
    type: "MANAGED",
    managed: { domains, status: "PROVISIONING", domainStatus },
    subjectAlternativeNames: domains,
  };
}

/**
 * Processes managed certificates until they are ACTIVE: each domain has to resolve to an address of a load balancer
 * that uses the certificate. @returns a function to call when a certificate may have been created
 */
export function obtainManaged(options: Options): () => void {
  let isWaiting = false;
  const checkPending = async () => {
    isWaiting = false;
    for (const certificate of pendingOf(options.resources)) await check(certificate, options);
    waitIfPending();
  };
  const waitIfPending = () => {
    if (isWaiting || pendingOf(options.resources).length === 0) return;
    isWaiting = true;
    options.clock.after(checkMs, checkPending);
  };
  waitIfPending();
  return waitIfPending;
}

function pendingOf(resources: Resources): readonly ComputeResource[] {
  return [...resources.all("sslCertificates")].filter(
    ({ type, managed }) => type === "MANAGED" && (managed as Json).status !== "ACTIVE",
  );
}

async function check(
  certificate: ComputeResource,
  { resources, addressesOf, issue, onChange }: Options,
): Promise<void> {
  const path = pathOfResource(certificate);
  const domains = textMembers(certificate.managed as Json, "domains");
  const answered = new Set(frontendAddressesOf(certificate.selfLink, resources));
  const domainStatus: Record<string, string> = {};
  for (const domain of domains) {
    const found = await addressesOf(domain);
    const isVisible = found.length > 0 && found.every((address) => answered.has(address));
    domainStatus[domain] = isVisible ? "ACTIVE" : "FAILED_NOT_VISIBLE";
  }
  const isActive = Object.values(domainStatus).every((status) => status === "ACTIVE");
  const issued = isActive ? await issue(domains) : undefined;
  const now = resources.get(path);
  // The certificate may have been deleted meanwhile, or recreated with the same name.
  if (now === undefined || now.id !== certificate.id) return;
  resources.set(path, {
    ...now,
    managed: { domains, status: isActive ? "ACTIVE" : "PROVISIONING", domainStatus },
    ...(issued === undefined
      ? {}
      : {
          certificate: issued.chainPem,
          privateKey: issued.privateKeyPem,
          expireTime: issued.notAfter.toISOString(),
        }),
  });
  if (issued !== undefined) onChange();
}

/** Returns the addresses of the load balancers whose target proxies use an SSL certificate. @param link full link */
function frontendAddressesOf(link: string, resources: Resources): readonly string[] {
  const proxies = resources.usersOf(pathOfLink(link));
  const rules = proxies.flatMap(({ selfLink }) => resources.usersOf(pathOfLink(selfLink)));
  return rules.map((rule) => textMember(rule, "IPAddress"));
}
