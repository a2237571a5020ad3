import { onceForEach } from "../../async/once";
import { type DelegationReading, type DnsView, findDelegation, type LookUp, withoutDot } from "../../dns";
import type {
  LiveAddress,
  LiveAuthorization,
  LiveCertificate,
  LiveForwardingRule,
  LiveMap,
  LiveProxy,
  LiveZone,
} from "../../google";
import type { DoctorLookUps, DoctorOptions } from "./options";
import type { DoctorSubject } from "./subject";

/** Data that several checks of a migration need. Each value is requested once, on first use. */
export interface Shared {
  readonly manager: SharedManager;
  readonly balancers: SharedBalancers;
  readonly zones: (project: string) => Promise<readonly LiveZone[]>;
  readonly delegationOf: (name: string) => Promise<DelegationReading>;
}

/** Resources of Certificate Manager. */
interface SharedManager {
  /** All certificates in the locations of the migration's certificates. */
  readonly certificates: () => Promise<readonly LiveCertificate[]>;
  /** All authorizations in the locations of the migration's authorizations. */
  readonly authorizations: () => Promise<readonly LiveAuthorization[]>;
  /** The CNAME records of authorizations, by the ID of the authorization. */
  readonly records: () => Promise<ReadonlyMap<string, LiveAuthorization["record"]>>;
  /** All certificates in `projects/P/locations/L`. */
  readonly certificatesIn: (parent: string) => Promise<readonly LiveCertificate[]>;
  /** All authorizations in `projects/P/locations/L`. */
  readonly authorizationsIn: (parent: string) => Promise<readonly LiveAuthorization[]>;
  readonly map: (id: string) => Promise<LiveMap | undefined>;
}

/** Resources of load balancers. */
interface SharedBalancers {
  /** Target proxies of the load balancer's project, in its region or global. */
  readonly proxies: () => Promise<readonly LiveProxy[]>;
  /** Target proxies of any project. */
  readonly proxiesOf: (project: string) => Promise<readonly LiveProxy[]>;
  /** Reserved addresses of a project, in all regions and global. */
  readonly addresses: (project: string) => Promise<readonly LiveAddress[]>;
  /** Forwarding rules of the load balancer's project, in its region or in all locations. */
  readonly rules: () => Promise<readonly LiveForwardingRule[]>;
}

/** DNS, and a label that does not exist: a resolver has no answer for its names in its cache. */
export type DnsContext = Pick<DoctorOptions, "dns"> & Pick<DoctorLookUps, "unusedLabel"> & Pick<Shared, "delegationOf">;

export function share(subject: DoctorSubject, { google, dns, signal }: DoctorOptions): Shared {
  const { project: balancerProject = "", region } = subject.balancer;
  const collect = async <Item>(
    ids: readonly string[],
    collection: string,
    list: (parent: string) => Promise<readonly Item[]>,
  ) => {
    const parents = ids.flatMap((id) =>
      id.includes(`/${collection}/`) ? id.slice(0, id.indexOf(`/${collection}/`)) : [],
    );
    return (await Promise.all([...new Set(parents)].map(list))).flat();
  };
  const certificatesIn = onceForEach((parent) => google.resources.certificates(parent, signal));
  const authorizationsIn = onceForEach((parent) => google.resources.authorizations(parent, signal));
  const certificates = onceForEach(() => collect(certificateIds(subject), "certificates", certificatesIn));
  const authorizations = onceForEach(() =>
    collect(
      subject.certificates.authorizations.flatMap(({ id }) => id ?? []),
      "dnsAuthorizations",
      authorizationsIn,
    ),
  );
  const records = onceForEach(
    async () => new Map((await authorizations("")).map(({ name, record }) => [name, record] as const)),
  );
  const proxiesOf = onceForEach((project) => google.balancers.proxies(project, region, signal));
  const rules = onceForEach(() => google.balancers.forwardingRules(balancerProject, region, signal));
  return {
    zones: onceForEach((project) => google.zones(project, signal)),
    delegationOf: onceForEach((name) => findDelegation(name, dns)),
    manager: {
      certificates: () => certificates(""),
      authorizations: () => authorizations(""),
      records: () => records(""),
      certificatesIn,
      authorizationsIn,
      map: onceForEach((id) => google.resources.map(id, signal)),
    },
    balancers: {
      proxies: () => proxiesOf(balancerProject),
      proxiesOf,
      addresses: onceForEach((project) => google.balancers.addresses(project, signal)),
      rules: () => rules(""),
    },
  };
}

/** Returns a look-up that uses the answers of a DNS view, so that each name is asked for once. */
export function lookUpOf(dns: Pick<DnsView, "resolve">): LookUp {
  return async (name, type) => {
    const found = await dns.resolve(withoutDot(name), type);
    return found.ok ? { ok: true, data: found.records.map(({ data }) => data) } : found;
  };
}

/** Returns the certificates of a migration whose renewal is checked: its own ones and all that its entries name. */
export function certificateIds({ certificates }: DoctorSubject): readonly string[] {
  return [...certificates.made, ...certificates.existing.map(({ id }) => id), ...certificates.others];
}
