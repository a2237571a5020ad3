import { defined } from "../json/defined";
import { pointerTo } from "../json/pointer";
import { locationIn, parseLocatedName } from "../resource-names";
import { readCertificateChain } from "../x509";
import { describe } from "./labels";
import type { PlannedClientAuthentication, PlannedProxy } from "./model";
import { deriveResourceName } from "./names";
import type { Planning } from "./planning";
import { normalizePem } from "./self-managed";
import { isReference } from "./shape/reference";
import type { ClientAuthenticationSpec, LoadBalancerSpec } from "./spec";

type HttpsProxy = Extract<PlannedProxy, { kind: "newHttps" | "adoptedHttps" }>;

/** Maximum size of one certificate in PEM, in octets. Source: the provider's reference. */
const mostOctets = 5_000;

/** Plans the trust configs and server TLS policies of the proxies, and checks the existing policies. */
export function planClientAuthentications(
  planning: Planning,
  given: LoadBalancerSpec,
  proxies: readonly PlannedProxy[],
): readonly PlannedClientAuthentication[] {
  return proxies.flatMap((proxy) => {
    if (proxy.kind !== "newHttps" && proxy.kind !== "adoptedHttps") return [];
    const at = placeOf(given, proxy);
    const { clientAuthentication, serverTlsPolicy = "" } = proxy.spec;
    if (serverTlsPolicy !== "") checkPolicy(planning, serverTlsPolicy, pointerTo(at, "serverTlsPolicy"));
    if (clientAuthentication === undefined) return [];
    const ownAt = pointerTo(at, "clientAuthentication");
    if (serverTlsPolicy !== "") {
      const what = `target HTTPS proxy '${proxy.name}' has a server TLS policy and 'clientAuthentication'`;
      planning.findings.report("client-authentication-with-policy", ownAt, what);
    } else if (proxy.kind === "adoptedHttps" && clientAuthentication.mode === "REJECT_INVALID") {
      const what = `target HTTPS proxy '${proxy.name}' would reject every client without a valid certificate`;
      planning.findings.report("client-authentication-rejects", pointerTo(ownAt, "mode"), what);
    }
    return [planOne(planning, given, proxy, clientAuthentication, ownAt)];
  });
}

function planOne(
  planning: Planning,
  given: LoadBalancerSpec,
  proxy: HttpsProxy,
  { mode, ...lists }: ClientAuthenticationSpec,
  at: string,
): PlannedClientAuthentication {
  const { spec, location, findings } = planning;
  const read = (field: keyof typeof lists) => readCertificates(planning, lists[field] ?? [], pointerTo(at, field));
  const [trustAnchors, intermediates, allowlisted] = [read("trustAnchors"), read("intermediates"), read("allowlisted")];
  if (trustAnchors.length === 0 && (allowlisted.length === 0 || intermediates.length > 0)) {
    const what = `'clientAuthentication' of target HTTPS proxy '${proxy.name}' has no trust anchor`;
    findings.report("client-authentication-without-anchors", at, what);
  }
  const ownProject = "project" in proxy.spec ? proxy.spec.project : undefined;
  const project = ownProject ?? given.project ?? spec.project;
  const described = describe(planning, `Validates clients of ${spec.name}`);
  const identity = [planning.identityOf(spec.name), proxy.id, location, planning.identityOf(project)];
  const suggest = (more: readonly unknown[]) =>
    deriveResourceName({
      prefix: spec.namePrefix,
      readable: `${spec.name}-clients`,
      identity: [...identity, ...more],
    });
  const trustConfigName = planning.nameOf("trustConfig", suggest(["trust config"]));
  const policy = suggest(["policy", mode, trustConfigName, described.description, described.labels ?? {}]);
  return {
    proxyId: proxy.id,
    trustConfigName,
    policyName: planning.nameOf("serverTlsPolicy", policy),
    location,
    ...defined({ project }),
    mode,
    trustAnchors,
    intermediates,
    allowlisted,
    ...described,
  };
}

/** Returns one text per certificate, sorted and without duplicates; a reference is unchanged. */
function readCertificates(
  { findings, uploads: { now } }: Planning,
  texts: readonly string[],
  at: string,
): readonly string[] {
  const found = texts.flatMap((text, index): readonly string[] => {
    const place = pointerTo(at, index);
    if (isReference(text)) return [text];
    const { certificates, problems } = readCertificateChain(text);
    const [problem] = problems;
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
      findings.report("client-authentication-pem-unusable", place, "the text contains a private key");
    } else if (problem !== undefined || certificates.length === 0) {
      const why = problem?.message ?? "it has no certificate in PEM";
      findings.report("client-authentication-pem-unusable", place, `a certificate can't be read: ${why}`);
    }
    return certificates.map(({ pem, subject, notAfter }) => {
      const normalized = normalizePem(pem);
      if (Buffer.byteLength(normalized) > mostOctets) {
        const what = `the certificate '${subject}' has more than ${mostOctets} octets`;
        findings.report("client-authentication-pem-unusable", place, what);
      }
      // Allowlisted certificates are valid after their expiry as well.
      if (now !== undefined && notAfter <= now && !at.endsWith("/allowlisted")) {
        const what = `the certificate '${subject}' expired at ${notAfter.toISOString()}`;
        findings.report("client-authentication-expired", place, what);
      }
      return normalized;
    });
  });
  return [...new Set(found)].sort();
}

function checkPolicy({ findings, location }: Planning, policy: string, at: string): void {
  if (isReference(policy)) return;
  const name = policy.replace(/^(?:https?:)?\/\/networksecurity\.googleapis\.com\/(?:v1\/)?/, "");
  const isPolicy = parseLocatedName(name)?.collection === "serverTlsPolicies";
  if (isPolicy && locationIn(name) === location) return;
  const what = isPolicy ? `'${policy}' is not in ${location}` : `'${policy}' is not the id of a server TLS policy`;
  findings.report("server-tls-policy-mismatch", at, what);
}

function placeOf(given: LoadBalancerSpec, proxy: HttpsProxy): string {
  if (proxy.kind === "newHttps") return "/loadBalancer/newTargetHttpsProxy";
  const index = (given.adoptTargetHttpsProxies ?? []).indexOf(proxy.spec);
  return pointerTo("/loadBalancer", "adoptTargetHttpsProxies", index);
}
