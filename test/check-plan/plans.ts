import { join } from "node:path";
import { checkPlan, type PlanVerdict, readTerraformPlan } from "../../lib/check-plan";

export type Fields = Readonly<Record<string, unknown>>;

export interface Step {
  readonly address: string;
  readonly actions: readonly string[];
  readonly before?: Fields;
  readonly after?: Fields;
  readonly unknown?: Fields;
  readonly deposed?: string;
}

export const parent = "projects/p/locations/global";
export const id = (name: string) => `${parent}/certificates/${name}`;

export const certificate = (name: string, state = "ACTIVE"): Fields => ({
  id: id(name),
  name,
  managed: [{ domains: ["example.com"], state }],
});
export const entry = (hostname: string, ...certificates: readonly string[]): Fields => ({
  hostname,
  map: "main",
  certificates: certificates.map(id),
  state: "ACTIVE",
});
const map: Fields = { name: "main", gclb_targets: [] };
export const proxy: Fields = {
  name: "web",
  certificate_map: `//certificatemanager.googleapis.com/${parent}/certificateMaps/main`,
};
export const rule: Fields = {
  name: "web",
  ip_address: "203.0.113.7",
  target: "https://www.googleapis.com/compute/v1/projects/p/global/targetHttpsProxies/web",
};
export const challenge: Fields = {
  name: "_acme-challenge.example.com.",
  type: "CNAME",
  rrdatas: ["1.2.authorize.certificatemanager.goog."],
};
export const record = (name: string, type: string, ...rrdatas: readonly string[]): Fields => ({ name, type, rrdatas });

export const cm = "google_certificate_manager";
export const at = {
  certificate: `${cm}_certificate.shop`,
  entry: `${cm}_certificate_map_entry.root`,
  map: `${cm}_certificate_map.main`,
  authorization: `${cm}_dns_authorization.root`,
  proxy: "google_compute_target_https_proxy.web",
  rule: "google_compute_global_forwarding_rule.web",
  challenge: "google_dns_record_set.challenge",
  a: "google_dns_record_set.a",
} as const;

/** A load balancer for example.com, while DNS still has the previous addresses. */
const serving: Readonly<Record<string, Fields>> = {
  [at.certificate]: certificate("shop"),
  [at.entry]: entry("example.com", "shop"),
  [at.map]: map,
  [at.authorization]: { domain: "example.com" },
  [at.proxy]: proxy,
  [at.rule]: rule,
  [at.challenge]: challenge,
  [at.a]: record("example.com.", "A", "198.51.100.1"),
};

const typeOf = (address: string) => address.replace(/^(?:module\.[^.]+\.)*/, "").split(".")[0];

export function planOf(
  steps: readonly Step[],
  change: { readonly there?: Readonly<Record<string, Fields>>; readonly more?: Fields } = {},
) {
  const there = { ...serving, ...change.there };
  const resources = Object.entries(there).map(([address, values]) => ({
    address,
    mode: "managed",
    type: typeOf(address),
    values,
  }));
  return {
    format_version: "1.2",
    planned_values: {},
    prior_state: { values: { root_module: { resources } } },
    resource_changes: steps.map(({ address, actions, before, after, unknown, deposed }) => ({
      address,
      mode: "managed",
      type: typeOf(address),
      ...(deposed === undefined ? {} : { deposed }),
      change: {
        actions,
        before: actions[0] === "create" && actions.length === 1 ? null : (before ?? there[address]),
        after: actions.length === 1 && actions[0] === "delete" ? null : { ...(before ?? there[address]), ...after },
        after_unknown: unknown ?? {},
      },
    })),
    ...change.more,
  };
}

export function summaries(plan: unknown): readonly string[] {
  return judged(plan).dangers.map(({ code, subject: address }) => `${code} ${address}`);
}

/** The time at which the tests check the plans. */
export const judgedAt = new Date("2026-11-21T00:00:00Z");

export function judged(plan: unknown): PlanVerdict {
  return checkPlan(readTerraformPlan(JSON.stringify(plan), "plan.json"), judgedAt);
}

export const gone = ["delete"];
export const destroyFirst = ["delete", "create"];
export const createFirst = ["create", "delete"];
export const next = `${cm}_certificate.next`;
export const newCertificate: Step = {
  address: next,
  actions: ["create"],
  after: { managed: [{ domains: ["example.com"] }] },
  unknown: { id: true },
};
export const repoint: Step = {
  address: at.entry,
  actions: ["update"],
  after: { certificates: [] },
  unknown: { certificates: [true] },
};
export const gate = "terraform_data.gate";
export const gateConfiguration = (user: string) => ({
  configuration: {
    root_module: {
      resources: [
        {
          address: gate,
          expressions: { triggers_replace: { references: [`${next}.id`, next] } },
          provisioners: [{ type: "local-exec" }],
        },
        { address: user, expressions: { certificates: { references: [`${next}.id`, next] } }, depends_on: [gate] },
      ],
    },
  },
});
export const referring = (name: string) => ({
  configuration: {
    root_module: {
      resources: [{ address: at.entry, expressions: { certificates: { references: [`${name}.id`, name] } } }],
    },
  },
});

/** Returns a configuration in which a resource depends on others. */
export const waiting = (user: string, ...earlier: readonly string[]) => ({
  configuration: { root_module: { resources: [{ address: user, expressions: {}, depends_on: earlier }] } },
});

export const other = {
  map: `${cm}_certificate_map.next`,
  entry: `${cm}_certificate_map_entry.next`,
  certificate: `${cm}_certificate.pending`,
  proxy: "google_compute_target_https_proxy.bare",
  classic: "google_compute_managed_ssl_certificate.old",
  uploaded: "google_compute_ssl_certificate.old",
} as const;
export const mapId = (name: string) => `//certificatemanager.googleapis.com/${parent}/certificateMaps/${name}`;
export const targetOf = (name: string) =>
  `https://www.googleapis.com/compute/v1/projects/p/global/targetHttpsProxies/${name}`;
export const classicId = (name: string) =>
  `https://www.googleapis.com/compute/v1/projects/p/global/sslCertificates/${name}`;
export const classic = (name: string, ...domains: readonly string[]): Fields => ({
  name,
  self_link: classicId(name),
  managed: [{ domains }],
  expire_time: "2027-01-01T00:00:00Z",
});
/** Returns a proxy that serves Compute Engine SSL certificates. */
export const classicProxy = (...names: readonly string[]): Fields => ({
  name: "web",
  ssl_certificates: names.map(classicId),
});
export const toMap = (name: string): Step => ({
  address: at.proxy,
  actions: ["update"],
  after: { certificate_map: mapId(name) },
});
export const newMap: Step = { address: other.map, actions: ["create"], after: { name: "next" }, unknown: { id: true } };
export const toNewMap: Step = {
  address: at.proxy,
  actions: ["update"],
  after: { certificate_map: undefined },
  unknown: { certificate_map: true },
};
export const entryOf = (of: string, name: string, state?: string): Fields => ({
  ...entry("example.com", name),
  map: of,
  ...(state === undefined ? {} : { state }),
});
export const toCertificate = (name: string): Step => ({
  address: at.entry,
  actions: ["update"],
  after: { certificates: [id(name)] },
});
export const condition = (status: string) => ({
  checks: [{ address: { kind: "resource", to_display: at.entry }, status }],
});

export const toBalancer: Step = { address: at.a, actions: ["update"], after: { rrdatas: ["203.0.113.7"] } };
export const wild = "google_dns_record_set.wild";
/** Returns an address record that sends a share of the traffic to the load balancer. */
export const weighted = (weight: number): Fields => ({
  name: "example.com.",
  type: "A",
  rrdatas: undefined,
  routing_policy: [
    {
      wrr: [
        { weight, rrdatas: ["203.0.113.7"] },
        { weight: 100 - weight, rrdatas: ["198.51.100.1"] },
      ],
    },
  ],
});

/** A plan, and the code and address of every danger in the plan. */
export type Case = readonly [title: string, plan: object, dangers: readonly string[]];

const fixtures = join(__dirname, "..", "fixtures", "plans");

/** Returns the path of a plan that real Terraform wrote. */
export function planFixture(name: string): string {
  return join(fixtures, `${name}.json`);
}

/** Returns a plan without the fields that check-plan does not read. */
export function pruned(plan: object): object {
  const { resource_changes: changes, ...rest } = plan as { readonly resource_changes: readonly { change: Fields }[] };
  const { resource_drift, ...kept } = rest as Fields;
  return {
    ...kept,
    planned_values: {},
    resource_changes: changes.map(({ change, ...more }) => {
      const { before_sensitive, after_sensitive, ...read } = change;
      return { ...more, change: read };
    }),
  };
}
