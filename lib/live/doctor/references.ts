import { isIP } from "node:net";
import { canonicalAddress } from "../../hostnames";
import { isReference, type MigrationPlan, type PlannedProxy } from "../../plan";
import { commandLine } from "../../text/command-line";
import type { DoctorCode } from "./codes";
import { canBeName, computePath, lastPart, placeOf, projectOf, scopeFlag } from "./compute-names";
import type { CheckName } from "./model";
import type { DoctorGoogle } from "./options";
import type { Shared } from "./shared";
import type { DoctorSubject } from "./subject";

/** A resource that the migration names but does not create. The resource must exist before the first apply. */
export interface Reference {
  /** ID for the look-up: a path, a project or an address. */
  readonly id: string;
  /**
   * The field that names the resource, for example `urlMap of the target proxy web`.
   *
   * @default - the resource is named on its own
   */
  readonly by?: string;
}

/** Result of a look-up. */
interface LookUp {
  readonly isThere: boolean;
  /** IDs of the same kind in the same location; the user may have meant another ID. @default - unknown */
  readonly others?: readonly string[];
}

/** Data and clients for look-ups. */
export interface LookUpContext {
  readonly google: DoctorGoogle;
  readonly shared: Shared;
  readonly subject: DoctorSubject;
  readonly signal: AbortSignal;
}

/** A kind of reference: where migrations name it, how to look it up, and what to report if the resource is missing. */
export interface ReferenceKind {
  /** For example `URL map`. */
  readonly noun: string;
  /** Returns all references of this kind in a migration. Values that are known only to Terraform are left out. */
  readonly of: (subject: DoctorSubject, plan: MigrationPlan | undefined) => readonly Reference[];
  /** Looks up a resource. Throws ServiceError. */
  readonly find: (id: string, context: LookUpContext) => Promise<LookUp>;
  /** Returns the check of the reference and its subject. @default - `references` for the parent of the ID */
  readonly check?: (id: string, subject: DoctorSubject) => { readonly check: CheckName; readonly subject: string };
  /** Code of the finding. @default "existing-missing" */
  readonly code?: DoctorCode;
  /** Returns subject and text of the finding for a missing resource. @default - the ID, and the field that names it */
  readonly missing?: (id: string) => { readonly subject: string; readonly what: string };
  /** Returns the remedy. @default - the nearest name, if any */
  readonly remedy?: (id: string, context: LookUpContext) => Promise<string | undefined>;
  /** Returns a command that lists the existing resources. */
  readonly command?: (id: string) => string;
}

/** Every kind of reference that a migration can have. To support a new kind, add a row. */
export const referenceKinds: readonly ReferenceKind[] = [
  {
    noun: "project",
    of: (subject, plan) => unique([...projectsOf(subject, plan)]).map((id) => ({ id })),
    find: async (id, { google, signal }) => ({ isThere: await google.projects.exists(id, signal) }),
    missing: (id) => ({ subject: id, what: `there is no project ${id}` }),
    command: (id) => commandLine("gcloud", "projects", "describe", id),
  },
  {
    noun: "region",
    of: ({ balancerProject, region, proxies }) =>
      balancerProject === undefined || region === undefined || proxies.length === 0
        ? []
        : [{ id: `projects/${balancerProject}/regions/${region}` }],
    find: async (id, { google, signal }) => ({
      isThere: await google.projects.hasRegion(projectOf(id), lastPart(id), signal),
    }),
    command: (id) => commandLine("gcloud", "compute", "regions", "list", `--project=${projectOf(id)}`),
  },
  {
    noun: "target proxy",
    code: "proxy-missing",
    of: ({ proxies }) => proxies.flatMap(({ id, origin }) => (origin === "adopted" ? { id } : [])),
    find: async (id, { shared }) =>
      among(
        id,
        (await shared.proxiesOf(projectOf(id))).map((proxy) => proxy.id),
      ),
    check: (_id, { balancerProject = "" }) => ({ check: "proxies", subject: balancerProject }),
    command: (id) => {
      const isSsl = id.includes("/targetSslProxies/");
      const place = [`--project=${projectOf(id)}`, ...(isSsl ? [] : [scopeFlag(id)])];
      const kind = isSsl ? "target-ssl-proxies" : "target-https-proxies";
      return commandLine("gcloud", "compute", kind, "describe", lastPart(id), ...place);
    },
  },
  computeKind("URL map", "urlMaps", "url-maps", (plan) =>
    plan.attachment.proxies.flatMap((proxy) =>
      proxy.kind === "newHttps" || proxy.kind === "adoptedHttps" ? statedBy(proxy, "urlMap", proxy.spec.urlMap) : [],
    ),
  ),
  computeKind("backend service", "backendServices", "backend-services", (plan) =>
    plan.attachment.proxies.flatMap((proxy) =>
      proxy.kind === "newSsl" || proxy.kind === "adoptedSsl"
        ? statedBy(proxy, "backendService", proxy.spec.backendService)
        : [],
    ),
  ),
  computeKind("SSL policy", "sslPolicies", "ssl-policies", (plan) =>
    plan.attachment.proxies.flatMap((proxy) => statedBy(proxy, "sslPolicy", proxy.spec.sslPolicy)),
  ),
  computeKind("SSL certificate", "sslCertificates", "ssl-certificates", (plan) =>
    directCertificates(plan).filter(({ text }) => !isOfCertificateManager(text)),
  ),
  computeKind(
    "reserved address",
    "addresses",
    "addresses",
    (plan) =>
      plan.attachment.forwardingRules.flatMap(({ id, address }) =>
        isIP(withoutBits(address)) === 0 ? [{ text: address, by: `address of the forwarding rule ${id}` }] : [],
      ),
    // A single request lists the certificates of all locations, and other checks use the result too.
    async (id, { shared }) =>
      among(
        id,
        (await shared.addresses(projectOf(id))).map((address) => address.id),
      ),
  ),
  computeKind("network", "networks", "networks", (plan) =>
    plan.attachment.forwardingRules.flatMap(({ id, network }) =>
      network === undefined ? [] : [{ text: network, by: `network of the forwarding rule ${id}`, isGlobal: true }],
    ),
  ),
  computeKind("subnetwork", "subnetworks", "networks subnets", (plan) =>
    plan.attachment.forwardingRules.flatMap(({ id, subnetwork }) =>
      // A subnetwork belongs to a region. Without a region, a plain name is ambiguous if the load balancer is global.
      subnetwork === undefined || (plan.attachment.region === undefined && !subnetwork.includes("regions/"))
        ? []
        : [{ text: subnetwork, by: `subnetwork of the forwarding rule ${id}` }],
    ),
  ),
  {
    noun: "server TLS policy",
    of: ({ balancerProject, region }, plan) =>
      (plan?.attachment.proxies ?? []).flatMap((proxy) => {
        if (proxy.kind !== "adoptedHttps") return [];
        return statedBy(proxy, "serverTlsPolicy", proxy.spec.serverTlsPolicy).flatMap(({ text, by, project }) => {
          const path = /projects\/[^/]+\/locations\/[^/]+\/serverTlsPolicies\/[^/]+$/.exec(text)?.[0];
          const place = `projects/${project ?? balancerProject}/locations/${region ?? "global"}`;
          return literal(text) ? [{ id: path ?? `${place}/serverTlsPolicies/${lastPart(text)}`, by }] : [];
        });
      }),
    find: async (id, { google, signal }) =>
      canBeName(lastPart(id)) ? among(id, await google.balancers.ids(placeOf(id), signal)) : { isThere: false },
    command: (id) => {
      const place = [`--location=${id.split("/")[3]}`, `--project=${projectOf(id)}`];
      return commandLine("gcloud", "network-security", "server-tls-policies", "list", ...place);
    },
  },
  {
    noun: "reserved address",
    code: "address-not-reserved",
    of: ({ balancerProject, kind }, plan) =>
      balancerProject === undefined || kind === "regionalInternal" || kind === "crossRegionInternal"
        ? // Internal rules accept any free address of their subnetwork.
          []
        : (plan?.attachment.forwardingRules ?? []).flatMap(({ id, address }) => {
            const bare = canonicalAddress(withoutBits(address));
            const named = { id: `projects/${balancerProject}/${bare}`, by: `address of the forwarding rule ${id}` };
            return isIP(bare) === 0 ? [] : [named];
          }),
    find: async (id, { shared, subject }) => {
      const address = lastPart(id);
      const [reserved, rules] = await Promise.all([shared.addresses(projectOf(id)), shared.rules()]);
      // A forwarding rule of the migration's proxies uses the address, so the address exists even if its reservation
      // was deleted.
      const own = new Set(subject.proxies.map((proxy) => proxy.id));
      const isServed = rules.some((rule) => rule.address === address && own.has(rule.target));
      return { isThere: isServed || reserved.some((one) => withoutBits(one.address) === address) };
    },
    // Separate from the check of proxies, which also works without permission to list addresses.
    check: (id) => ({ check: "references", subject: `${placeOf(id)}/addresses` }),
    missing: (id) => ({ subject: lastPart(id), what: `project ${projectOf(id)} has not reserved ${lastPart(id)}` }),
    command: (id) => commandLine("gcloud", "compute", "addresses", "list", `--project=${projectOf(id)}`),
  },
  {
    noun: "DNS zone",
    code: "zone-missing",
    of: ({ zones }) => zones.map(({ project, name }) => ({ id: `projects/${project}/managedZones/${name}` })),
    find: async (id, { shared }) => ({
      isThere: (await shared.zones(projectOf(id))).some(({ name }) => name === lastPart(id)),
    }),
    check: (id, { zones }) => {
      const zone = zones.find(({ project, name }) => id === `projects/${project}/managedZones/${name}`);
      return { check: "zones", subject: `${lastPart(id)} (${zone?.domain})` };
    },
    missing: (id) => ({
      subject: lastPart(id),
      what: `project ${projectOf(id)} has no DNS zone ${lastPart(id)}`,
    }),
    remedy: async (id, { shared, subject }) => {
      const wanted = subject.zones.filter(({ name, project }) => name === lastPart(id) && project === projectOf(id));
      const fitting = (await shared.zones(projectOf(id))).filter(
        ({ domain, isPrivate }) => !isPrivate && wanted.some((zone) => zone.domain === domain),
      );
      if (fitting.length === 0) return undefined;
      return `name ${fitting.map(({ name }) => name).join(" or ")}, which is for ${fitting[0]?.domain}`;
    },
    command: (id) => commandLine("gcloud", "dns", "managed-zones", "list", `--project=${projectOf(id)}`),
  },
  {
    noun: "certificate map",
    of: ({ existingMap }) => (existingMap === undefined ? [] : [{ id: existingMap }]),
    find: async (id, { shared }) => ({ isThere: (await shared.map(id)) !== undefined }),
    check: (id) => ({ check: "existing", subject: id }),
    command: (id) => managerCommand("maps", id),
  },
  {
    noun: "certificate",
    of: (subject, plan) => namedCertificates(subject, plan).map((id) => ({ id })),
    find: async (id, { shared }) =>
      among(
        id,
        (await shared.certificatesIn(parentOf(id))).map(({ name }) => name),
      ),
    check: () => ({ check: "existing", subject: "certificates" }),
    command: (id) => managerCommand("certificates", id),
  },
  {
    noun: "DNS authorization",
    of: ({ existingAuthorizations }) => existingAuthorizations.map((id) => ({ id })),
    find: async (id, { shared }) =>
      among(
        id,
        (await shared.authorizationsIn(parentOf(id))).map(({ name }) => name),
      ),
    check: () => ({ check: "existing", subject: "authorizations" }),
    command: (id) => managerCommand("dns-authorizations", id),
  },
];

/** A name in a plan, relative to a project. */
interface Mention {
  readonly text: string;
  readonly by: string;
  /** Project of a name without project. @default - the load balancer's project */
  readonly project?: string | undefined;
  /** Whether the resource is always global. @default false */
  readonly isGlobal?: boolean;
}

/**
 * Returns a kind of Compute Engine resource; all of them are named, listed and shown in the same way.
 *
 * @param gcloud words of the `gcloud` commands for the kind
 */
function computeKind(
  noun: string,
  collection: string,
  gcloud: string,
  mentions: (plan: MigrationPlan) => readonly Mention[],
  find: ReferenceKind["find"] = async (id, { google, signal }) =>
    canBeName(lastPart(id)) ? among(id, await google.balancers.ids(placeOf(id), signal)) : { isThere: false },
): ReferenceKind {
  return {
    noun,
    of: ({ balancerProject, region }, plan) =>
      (plan === undefined ? [] : mentions(plan)).flatMap(({ text, by, project = balancerProject, isGlobal = false }) =>
        project === undefined || !literal(text)
          ? []
          : [{ id: computePath(text, collection, { project, region: isGlobal ? undefined : region }), by }],
      ),
    find,
    command: (id) => commandLine("gcloud", "compute", ...gcloud.split(" "), "list", `--project=${projectOf(id)}`),
  };
}

function statedBy(proxy: PlannedProxy, attribute: string, text: string | null | undefined): readonly Mention[] {
  if (text === null || text === undefined || text === "") return [];
  const project = "project" in proxy.spec && literal(proxy.spec.project ?? "") ? proxy.spec.project : undefined;
  return [{ text, by: `${attribute} of the target proxy ${proxy.name}`, project }];
}

function directCertificates(plan: MigrationPlan): readonly Mention[] {
  return plan.attachment.proxies.flatMap((proxy) =>
    proxy.kind === "adoptedHttps" || proxy.kind === "adoptedSsl"
      ? (proxy.spec.sslCertificates ?? []).flatMap((text) => statedBy(proxy, "sslCertificates", text))
      : [],
  );
}

function isOfCertificateManager(text: string): boolean {
  return /projects\/[^/]+\/locations\/[^/]+\/certificates\/[^/]+$/.test(text);
}

/** Returns the existing certificates that a migration uses: alone, in addition to others, or on adopted proxies. */
export function namedCertificates(
  { existingCertificates }: DoctorSubject,
  plan: MigrationPlan | undefined,
): readonly string[] {
  const beside = (plan?.entries ?? []).flatMap(({ certificates }) => certificates);
  const direct = (plan === undefined ? [] : directCertificates(plan)).map(({ text }) => text);
  return unique(
    [...existingCertificates.map(({ id }) => id), ...[...beside, ...direct].filter(isOfCertificateManager)]
      .filter(literal)
      .map((id) => id.replace(/^.*?(?=projects\/)/, "")),
  );
}

/** Returns the projects that a migration names: projects of its resources, of its zones and of existing resources. */
function projectsOf(subject: DoctorSubject, plan: MigrationPlan | undefined): readonly string[] {
  const named = [
    subject.project,
    subject.balancerProject,
    ...subject.zones.map(({ project }) => project),
    ...[...subject.madeCertificates, ...subject.proxies.map(({ id }) => id)].map(projectOf),
    plan?.project,
  ];
  return named.filter((project): project is string => project !== undefined && project !== "" && literal(project));
}

function among(id: string, ids: readonly string[]): LookUp {
  return { isThere: ids.includes(id), others: ids };
}

function managerCommand(kind: string, id: string): string {
  const place = [`--location=${id.split("/")[3] ?? "global"}`, `--project=${projectOf(id)}`];
  return commandLine("gcloud", "certificate-manager", kind, "list", ...(kind === "maps" ? place.slice(1) : place));
}

/** Returns `projects/P/locations/L` of a resource ID. */
export function parentOf(id: string): string {
  return placeOf(placeOf(id));
}

/** Reports whether a value is known before Terraform runs. */
function literal(text: string): boolean {
  return !isReference(text);
}

/** Returns an address without its prefix length. */
function withoutBits(address: string): string {
  return address.replace(/\/\d+$/, "");
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
