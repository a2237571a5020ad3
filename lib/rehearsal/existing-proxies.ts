/** Target proxies that a stack adopts: they are there before a migration, and present the old provider's certificates. */
import type { HttpClient } from "../http";
import { addressesOf, type Lookups, lookupsOf } from "./lookups";
import type { OldCertificate } from "./old-side";
import { newAddress } from "./script";
import { projectOf, resourcesOf, type StackJson } from "./stack";

interface ExistingProxy {
  readonly project: string;
  readonly name: string;
  readonly collection: "targetHttpsProxies" | "targetSslProxies";
  /** Members of the proxy as Compute Engine has them. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Names of its own certificates. */
  readonly sslCertificates: readonly string[];
  /** Where it is reached. */
  readonly addresses: readonly string[];
}

/** The proxies that import blocks of the stack name. Forwarding rules that the stack looks up lead to the first of them, and are made elsewhere. */
export function existingProxiesOf(stack: StackJson, lookups: Lookups = lookupsOf(stack)): readonly ExistingProxy[] {
  const adopted = new Set(((stack.import ?? []) as readonly { readonly to: string }[]).map(({ to }) => to));
  const all = [
    ["google_compute_target_https_proxy", "targetHttpsProxies"],
    ["google_compute_target_ssl_proxy", "targetSslProxies"],
  ] as const;
  const found = all.flatMap(([type, collection]) =>
    Object.entries(resourcesOf(stack, type))
      .filter(([name]) => adopted.has(`${type}.${name}`))
      .map(([, block]) => ({ collection, block })),
  );
  const known = addressesOf(stack, lookups);
  const ruled = new Set(lookups.rules.map(({ address }) => address));
  const ofFirst =
    known.length === 0 && ruled.size === 0 ? [nextAddress(0)] : known.filter((address) => !ruled.has(address));
  return found.map(({ collection, block }, index) => ({
    project: typeof block.project === "string" ? block.project : projectOf(stack),
    name: String(block.name),
    collection,
    body: collection === "targetHttpsProxies" ? { urlMap: block.url_map } : { service: block.backend_service },
    sslCertificates: ((block.ssl_certificates ?? []) as readonly string[]).map(lastPart),
    addresses: index === 0 ? ofFirst : [nextAddress(index)],
  }));
}

function nextAddress(index: number): string {
  return newAddress.replace(/\d+$/, (last) => String(Number(last) + index));
}

function lastPart(link: string): string {
  return link.slice(link.lastIndexOf("/") + 1);
}

/**
 * Makes them, with what they need and a forwarding rule each; what is there already stays as it is.
 *
 * @returns takes the forwarding rules away, so that the proxies can be destroyed
 */
export async function makeExistingProxies(
  proxies: readonly ExistingProxy[],
  {
    cloudUrl,
    http,
    certificate,
  }: { readonly cloudUrl: string; readonly http: HttpClient; readonly certificate: OldCertificate },
): Promise<() => Promise<void>> {
  const purpose = "preparing the proxies that are there today";
  const rules: string[] = [];
  const post = (path: string, body: object) =>
    http.send({
      method: "POST",
      url: `${cloudUrl}${path}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose,
      accept: [409],
    });
  for (const { project, name, collection, body, sslCertificates, addresses } of proxies) {
    const place = `compute/v1/projects/${project}/global`;
    const url = `${cloudUrl}${place}/${collection}/${name}`;
    const { status } = await http.send({ method: "GET", url, purpose, accept: [404] });
    if (status === 200) continue;
    for (const own of sslCertificates) {
      const { chainPem, privateKeyPem } = certificate;
      const selfManaged = { certificate: chainPem, privateKey: privateKeyPem };
      await post(`${place}/sslCertificates`, { name: own, type: "SELF_MANAGED", selfManaged });
    }
    if (typeof body.service === "string") {
      const service = { name: lastPart(body.service), loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "SSL" };
      await post(`${place}/backendServices`, service);
    }
    const links = sslCertificates.map((own) => `projects/${project}/global/sslCertificates/${own}`);
    await post(`${place}/${collection}`, { name, ...body, ...(links.length === 0 ? {} : { sslCertificates: links }) });
    for (const [index, address] of addresses.entries()) {
      const rule = `today-${name}-${index + 1}`;
      await post(`${place}/forwardingRules`, {
        name: rule,
        IPAddress: address,
        IPProtocol: "TCP",
        portRange: "443",
        loadBalancingScheme: "EXTERNAL_MANAGED",
        ...(address.includes(":") ? { ipVersion: "IPV6" } : {}),
        target: `projects/${project}/global/${collection}/${name}`,
      });
      rules.push(`${place}/forwardingRules/${rule}`);
    }
  }
  return async () => {
    for (const rule of rules.splice(0)) {
      await http.send({ method: "DELETE", url: `${cloudUrl}${rule}`, purpose, accept: [404] });
    }
  };
}
