/** What has to be there before a migration: zones, the records of today, and what the load balancer is made of beside certificates. */
import { InputError } from "../errors";
import type { HttpClient } from "../http";
import { oldAddress } from "./script";
import { projectOf, type StackJson } from "./stack";

export interface World {
  readonly zones: readonly { readonly project: string; readonly name: string; readonly dnsName: string }[];
  readonly urlMaps: readonly { readonly project: string; readonly name: string }[];
  readonly records: readonly TodaysRecord[];
}

/** A record set as it is before traffic moves. */
export interface TodaysRecord {
  readonly project: string;
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
}

type Block = Readonly<Record<string, unknown>>;

/**
 * Reads from a stack, synthesized with traffic at the previous provider, what it takes for granted. Record sets that it imports are there today; all
 * others are made by it.
 *
 * @throws InputError `rehearsal-zone-unknown` for a record set whose name only Terraform would know
 */
export function worldOf(stack: StackJson): World {
  const resources = (stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, Block>>>>;
  const project = projectOf(stack);
  const live = new Set(((stack.import ?? []) as readonly { readonly to: string }[]).map(({ to }) => to.split(".")[1]));
  const authorizations = resources.google_certificate_manager_dns_authorization ?? {};
  const zones = new Map<string, { project: string; name: string; domains: string[] }>();
  const records: TodaysRecord[] = [];
  for (const [address, block] of Object.entries(resources.google_dns_record_set ?? {})) {
    const zoneProject = String(block.project ?? project);
    const name = String(block.managed_zone);
    const domain = domainOf(block, authorizations);
    const key = `${zoneProject}/${name}`;
    const zone = zones.get(key) ?? { project: zoneProject, name, domains: [] };
    zones.set(key, zone);
    zone.domains.push(domain);
    const rrdatas = block.rrdatas as readonly string[];
    if (live.has(address) && isLiteral(String(block.name)) && rrdatas.every(isLiteral)) {
      records.push({
        project: zoneProject,
        zone: name,
        name: String(block.name),
        type: String(block.type),
        ttl: Number(block.ttl ?? 300),
        rrdatas,
      });
    }
  }
  const known = [...zones.values()].map(({ project: zoneProject, name, domains }) => ({
    project: zoneProject,
    name,
    dnsName: `${commonSuffix(domains)}.`,
  }));
  const targets = targetsOf(records, known, project);
  return {
    zones: [...known, ...targets.zones],
    urlMaps: urlMapsOf(resources, project),
    records: [...records, ...targets.records],
  };
}

/** What today's aliases lead to: names of the old provider, in zones of its own unless they lie in one that is there. */
function targetsOf(records: readonly TodaysRecord[], zones: World["zones"], project: string): Omit<World, "urlMaps"> {
  const names = new Set(records.map(({ name }) => name));
  const aliases = records.filter(({ type }) => type === "CNAME").flatMap(({ rrdatas }) => rrdatas);
  const missing = [...new Set(aliases)].filter((target) => !names.has(target));
  const added = missing.map((target, index) => {
    const zone = zones.find(({ dnsName }) => target === dnsName || target.endsWith(`.${dnsName}`));
    return { target, zone: zone ?? { project, name: `old-provider-${index + 1}`, dnsName: target } };
  });
  return {
    zones: added.map(({ zone }) => zone).filter((zone) => !zones.includes(zone)),
    records: added.map(({ target, zone }) => ({
      project: zone.project,
      zone: zone.name,
      name: target,
      type: "A",
      ttl: 300,
      rrdatas: [oldAddress],
    })),
  };
}

function isLiteral(text: string): boolean {
  return !text.includes("${");
}

function domainOf(block: Block, authorizations: Readonly<Record<string, Block>>): string {
  const name = String(block.name);
  const reference = /google_certificate_manager_dns_authorization\.([\w-]+)\./.exec(name)?.[1];
  const domain = reference === undefined ? name.replace(/\.$/, "") : String(authorizations[reference]?.domain ?? "");
  if (domain === "" || !isLiteral(domain)) {
    throw new InputError(
      "rehearsal-zone-unknown",
      `the record set ${name} has no name that is known before Terraform runs; give it a literal name`,
    );
  }
  return domain.replace(/^\*\./, "");
}

/** The longest domain that all of them lie in; at least two labels, as nobody owns less. */
function commonSuffix(domains: readonly string[]): string {
  const [first = "", ...rest] = domains.map((domain) => domain.split(".").reverse());
  let length = first.length;
  for (const labels of rest) {
    let same = 0;
    while (same < length && labels[same] === first[same]) same++;
    length = same;
  }
  return [...first].slice(0, Math.max(2, length)).reverse().join(".");
}

function urlMapsOf(
  resources: Readonly<Record<string, Readonly<Record<string, Block>>>>,
  project: string,
): World["urlMaps"] {
  const proxies = Object.values(resources.google_compute_target_https_proxy ?? {});
  const names = proxies.map((block) => String(block.url_map ?? "")).filter((link) => link !== "" && isLiteral(link));
  return [...new Set(names)].map((link) => ({
    project: /projects\/([^/]+)\//.exec(link)?.[1] ?? project,
    name: link.split("/").at(-1) ?? link,
  }));
}

/** Makes it, in a cloud. */
export async function makeWorld(world: World, cloudUrl: string, http: HttpClient): Promise<void> {
  const post = async (path: string, body: object) => {
    await http.send({
      method: "POST",
      url: `${cloudUrl}${path}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      purpose: "preparing the rehearsal",
    });
  };
  for (const { project, name, dnsName } of world.zones) {
    await post(`dns/v1/projects/${project}/managedZones`, { name, dnsName, description: "" });
  }
  for (const { project, zone, name, type, ttl, rrdatas } of world.records) {
    await post(`dns/v1/projects/${project}/managedZones/${zone}/changes`, {
      additions: [{ name, type, ttl, rrdatas }],
    });
  }
  for (const { project, name } of world.urlMaps) {
    const backend = `${name}-backend`;
    await post(`compute/v1/projects/${project}/global/backendServices`, {
      name: backend,
      loadBalancingScheme: "EXTERNAL_MANAGED",
      protocol: "HTTP",
    });
    await post(`compute/v1/projects/${project}/global/urlMaps`, {
      name,
      defaultService: `global/backendServices/${backend}`,
    });
  }
}
