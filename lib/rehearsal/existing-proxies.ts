/**
 * Target proxies that a stack imports. They exist before a migration, and present certificates of the previous
 * provider.
 */

import { defined } from "../json/defined";
import { lastPart, writeComputeName, writeComputeScope } from "../resource-names";
import { makeBackends } from "./backends";
import { namedPolicyOf } from "./client-rule";
import { type Lookups, lookedUpAddresses, lookupsOf, type Preparation } from "./lookups";
import { createPost, forwardingRule, type Post } from "./post-resource";
import { loadBalancerAddressAt } from "./script";
import { type ProxyCollection, type ServingProxy, servingProxiesOf, servingProxyTypes } from "./serving-proxies";
import { type Block, importsIn, isLiteral, projectOfStack, resourcesOf, type StackJson } from "./stack";

interface ExistingProxy {
  readonly project: string;
  readonly name: string;
  readonly collection: ProxyCollection;
  /** Link of the URL map or the backend service; absent if only Terraform knows it. */
  readonly backend?: string;
  /** Names of the SSL certificates that the proxy refers to directly. */
  readonly sslCertificates: readonly string[];
  /** Domains of these certificates by name; absent if the migration does not state them. */
  readonly domains?: ReadonlyMap<string, readonly string[]>;
  /** Id of the proxy's server TLS policy; absent without a policy that exists before the migration. */
  readonly serverTlsPolicy?: string;
  /** IP addresses of the proxy's forwarding rules. */
  readonly addresses: readonly string[];
}

/**
 * Returns the proxies that import blocks of the stack name, and the proxies of other owners that serve the hostnames
 * today. Forwarding rules that the stack looks up refer to the first proxy; {@link makeExistingProxies} does not create
 * them.
 */
export function existingProxiesOf(stack: StackJson, lookups: Lookups = lookupsOf(stack)): readonly ExistingProxy[] {
  const adopted = new Set(importsIn(stack).map(({ to }) => to));
  const all = Object.entries(servingProxyTypes) as [ProxyCollection, string][];
  const found = all.flatMap(([collection, type]) =>
    Object.entries(resourcesOf(stack, type))
      .filter(([name]) => adopted.has(`${type}.${name}`))
      .map(([, block]) => ({ collection, block })),
  );
  const known = lookedUpAddresses(stack, lookups);
  const ruled = new Set(lookups.rules.map(({ address }) => address));
  const ofFirst =
    known.length === 0 && ruled.size === 0
      ? [loadBalancerAddressAt(0)]
      : known.filter((address) => !ruled.has(address));
  const serving = servingProxiesOf(stack);
  const adoptedProxies = found.map(({ collection, block }, index) => {
    const served = serving.find(
      (proxy) => proxy.isAdopted && proxy.name === block.name && proxy.collection === collection,
    );
    const backend = collection === "targetHttpsProxies" ? block.url_map : block.backend_service;
    return {
      project: typeof block.project === "string" ? block.project : projectOfStack(stack),
      name: String(block.name),
      collection,
      ...(isLiteral(backend) ? { backend } : {}),
      ...defined({ serverTlsPolicy: namedPolicyOf(block) }),
      ...(served === undefined
        ? {
            sslCertificates: certificatesOf(block, stack),
            addresses: index === 0 ? ofFirst : [loadBalancerAddressAt(index)],
          }
        : presentedBy(served)),
    };
  });
  const ownedProxies = serving
    .filter(({ isAdopted }) => !isAdopted)
    .map((proxy) => {
      const { project, name, collection } = proxy;
      return { project, name, collection, ...presentedBy(proxy) };
    });
  return [...adoptedProxies, ...ownedProxies];
}

function presentedBy({ certificates, addresses }: ServingProxy) {
  const domains = new Map(certificates.map((certificate) => [lastPart(certificate.id), certificate.domains]));
  return { sslCertificates: [...domains.keys()], domains, addresses };
}

/**
 * Returns the names of a proxy's certificates that exist before Terraform runs: literal names and names of data
 * sources.
 */
function certificatesOf({ ssl_certificates: links }: Block, stack: StackJson): readonly string[] {
  return (Array.isArray(links) ? links : []).flatMap((link: unknown) => {
    if (isLiteral(link)) return [lastPart(link)];
    const [, type = "", id = ""] = /^\$\{data\.([a-z]\w+)\.([\w-]+)\.\w+\}$/.exec(String(link)) ?? [];
    const { name } = resourcesOf({ resource: stack.data }, type)[id] ?? {};
    return isLiteral(name) ? [name] : [];
  });
}

export interface ProxyPreparation extends Preparation {
  /** Issues a certificate of the previous provider for DNS names. */
  readonly issue: (domains: readonly string[]) => Promise<Preparation["certificate"]>;
}

const purpose = "preparing the proxies that are there today";

/**
 * Creates the proxies, with the resources that they need and a forwarding rule for each address. An existing proxy
 * stays unchanged.
 *
 * @returns a function that deletes the forwarding rules, so that the proxies can be destroyed
 */
export async function makeExistingProxies(
  proxies: readonly ExistingProxy[],
  { cloudUrl, http, certificate, issue }: ProxyPreparation,
): Promise<() => Promise<void>> {
  const post = createPost({ cloudUrl, http }, purpose, [409]);
  const rules: string[] = [];
  for (const proxy of proxies) {
    const { project, name, collection, sslCertificates, domains, addresses, serverTlsPolicy } = proxy;
    const place = writeComputeScope({ project });
    const url = `${cloudUrl}compute/v1/${place}/${collection}/${name}`;
    const { status } = await http.send({ method: "GET", url, purpose, accept: [404] });
    if (status === 200) continue;
    for (const certificateName of sslCertificates) {
      const names = domains?.get(certificateName);
      const { chainPem, privateKeyPem } = names === undefined ? certificate : await issue(names);
      const selfManaged = { certificate: chainPem, privateKey: privateKeyPem };
      await post(`compute/v1/${place}/sslCertificates`, { name: certificateName, type: "SELF_MANAGED", selfManaged });
    }
    const links = sslCertificates.map((certificateName) => `${place}/sslCertificates/${certificateName}`);
    await post(`compute/v1/${place}/${collection}`, {
      name,
      ...(await makeBackend(proxy, post)),
      ...(links.length === 0 ? {} : { sslCertificates: links }),
      ...defined({ serverTlsPolicy }),
    });
    for (const address of addresses) {
      // Proxies of two kinds may have the same name, so that the name of the rule contains a number only.
      const rule = `today-rule-${rules.length + 1}`;
      await post(
        `compute/v1/${place}/forwardingRules`,
        forwardingRule(rule, address, `${place}/${collection}/${name}`),
      );
      rules.push(`compute/v1/${place}/forwardingRules/${rule}`);
    }
  }
  return async () => {
    for (const rule of rules.splice(0)) {
      await http.send({ method: "DELETE", url: `${cloudUrl}${rule}`, purpose, accept: [404] });
    }
  };
}

/**
 * Creates the backend of a proxy, except a URL map with a known name, which `makeWorld` creates.
 *
 * @returns the proxy's member that refers to the backend
 */
async function makeBackend({ project, name, collection, backend }: ExistingProxy, post: Post): Promise<object> {
  const isHttps = collection === "targetHttpsProxies";
  const todaysBackend = { project, name: backend === undefined ? todaysBackendOf(name) : lastPart(backend) };
  // The provider accepts a bare name, Compute Engine only a link.
  const link = backend?.includes("/")
    ? backend
    : writeComputeName({ ...todaysBackend, collection: backendsOf[collection] });
  if (!isHttps) await makeBackends({ urlMaps: [], services: [todaysBackend], policies: [] }, post);
  else if (backend === undefined) await makeBackends({ urlMaps: [todaysBackend], services: [], policies: [] }, post);
  return isHttps ? { urlMap: link } : { service: link };
}

function todaysBackendOf(name: string): string {
  return `${name.slice(0, 50)}-today`;
}

/** Collections of the resources that proxies refer to. */
const backendsOf = { targetHttpsProxies: "urlMaps", targetSslProxies: "backendServices" } as const;

/** Returns the argument that refers to the backend of a proxy whose backend the stack does not name. */
export function todaysBackendArgument({ project, name, collection }: Omit<ServingProxy, "addresses">): Block {
  const link = writeComputeName({ project, collection: backendsOf[collection], name: todaysBackendOf(name) });
  return collection === "targetHttpsProxies" ? { url_map: link } : { backend_service: link };
}
