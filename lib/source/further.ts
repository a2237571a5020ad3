/**
 * Resources of a migration that only the plan shows: APIs to enable, issuance configs, gates, forwarding rules, the
 * resources that validate clients, and the records that aliases point to.
 */
import { type Fields, fieldsOf, listOf } from "../json/fields";
import { isReference, type MigrationPlan } from "../plan";
import { lastPart } from "../resource-names";

/** A resource that a migration creates beside those that the other commands use. */
export interface FurtherResource {
  readonly what:
    | "API"
    | "issuance config"
    | "gate"
    | "forwarding rule"
    | "trust config"
    | "server TLS policy"
    | "alert"
    | "traffic";
  /** Identity across plans. */
  readonly identity: string;
  /** Name of the resource; absent for a gate, which exists only in the Terraform state. */
  readonly name?: string;
  readonly detail: string;
}

/** Returns the further resources of a plan. @param enablesApis whether Terraform enables the APIs */
export function furtherOfPlan(plan: MigrationPlan, enablesApis = false): readonly FurtherResource[] {
  const { attachment, traffic } = plan;
  return [
    ...(enablesApis ? apisOf(plan) : []),
    ...(plan.issuanceConfigs ?? []).map(({ name, caPool }) => issuanceConfig(name, caPool)),
    ...gatesOf(plan),
    ...(attachment.clientAuthentications ?? []).flatMap(({ proxyId, trustConfigName, policyName, mode, ...trust }) => [
      trustConfig(proxyId, trustConfigName, trust.trustAnchors.length, trust.allowlisted.length),
      serverTlsPolicy(proxyId, policyName, mode),
    ]),
    ...attachment.forwardingRules.map(({ id, name, family, address }) => forwardingRule(id, name, family, address)),
    ...ingressOf(plan),
    ...(plan.gate === "wait" && traffic?.to === "loadBalancer" ? [verification] : []),
    ...alertsOf(plan),
  ];
}

function apisOf({
  authorizations,
  records,
  certificates,
  map,
  attachment,
  alerts,
}: MigrationPlan): readonly FurtherResource[] {
  const made = [...authorizations, ...certificates.filter(({ kind }) => kind !== "existing")];
  const apis = [
    ...[...made, ...(map === undefined ? [] : [map])].map(({ project }) =>
      api("certificatemanager.googleapis.com", project),
    ),
    ...records.flatMap(({ zone }) => (zone === undefined ? [] : [api("dns.googleapis.com", zone.project)])),
    ...attachment.proxies.map(() => api("compute.googleapis.com", attachment.project)),
    ...(attachment.clientAuthentications ?? []).flatMap(({ project }) => [
      api("certificatemanager.googleapis.com", project),
      api("networksecurity.googleapis.com", project),
    ]),
    ...(alerts?.projects ?? []).flatMap(({ project }) => [
      api("monitoring.googleapis.com", project),
      api("logging.googleapis.com", project),
    ]),
  ];
  return unique(apis);
}

function api(service: string, project: unknown): FurtherResource {
  const isKnown = typeof project === "string" && !isReference(project);
  const place = isKnown ? ` in project ${project}` : "";
  return { what: "API", identity: `${service}${place}`, name: service, detail: `enabled${place}` };
}

function issuanceConfig(name: string, pool: string): FurtherResource {
  const detail = `certificates of ${isReference(pool) ? "a CA pool" : `the CA pool ${lastPart(pool)}`}`;
  return { what: "issuance config", identity: name, name, detail };
}

/** The alerts of a plan in one row, because their names are no names of resources. */
function alertsOf({ alerts }: MigrationPlan): readonly FurtherResource[] {
  return alerts === undefined
    ? []
    : alertRow(
        alerts.checks.map(({ hostname }) => hostname),
        alerts.projects.length * 2,
      );
}

function alertRow(hostnames: readonly string[], logPolicies: number): readonly FurtherResource[] {
  const ofLog = `${logPolicies} policies on the expiry log`;
  return [
    { what: "alert", identity: "expiry log", detail: ofLog },
    ...hostnames.map((hostname): FurtherResource => {
      return { what: "alert", identity: hostname, name: hostname, detail: "uptime check and its policy" };
    }),
  ];
}

const verification: FurtherResource = {
  what: "gate",
  identity: "verification",
  detail: "before traffic: 'cert-migration verify' for every hostname",
};

function forwardingRule(identity: string, name: string, family: string, address: string): FurtherResource {
  const at = isReference(address) ? "" : ` ${address}`;
  return { what: "forwarding rule", identity, name, detail: `${family === "IPV6" ? "IPv6" : "IPv4"}${at}, port 443` };
}

function trustConfig(identity: string, name: string, anchors: number, allowlisted: number): FurtherResource {
  const detail = `trusts ${anchors} root certificates of clients and ${allowlisted} allowlisted certificates`;
  return { what: "trust config", identity, name, detail };
}

function serverTlsPolicy(identity: string, name: string, mode: string): FurtherResource {
  return { what: "server TLS policy", identity, name, detail: `client certificates: ${mode}` };
}

function gatesOf({ gate, phase, certificates, entries }: MigrationPlan): readonly FurtherResource[] {
  if (phase === "issue" || gate === "none") return [];
  if (gate !== "wait") {
    const managed = certificates.filter(({ kind }) => kind === "managed");
    const detail = (id: string) => `Terraform ${gate}: certificate ${id} is ACTIVE`;
    return managed.map(({ id }) => ({ what: "gate", identity: id, detail: detail(id) }));
  }
  return [
    ...certificates.flatMap(({ id, kind }) => (kind === "selfManaged" ? [] : [certificateGate(id)])),
    ...(entries.length === 0 ? [] : [entriesGate]),
  ];
}

function certificateGate(id: string): FurtherResource {
  const detail = `before entries: 'cert-migration wait' until certificate ${id} is ACTIVE`;
  return { what: "gate", identity: id, detail };
}

const entriesGate: FurtherResource = {
  what: "gate",
  identity: "entries",
  detail: "before proxies: 'cert-migration wait --for entries'",
};

/** Returns the records that aliases point to, which the `traffic` rows of the hostnames do not contain. */
function ingressOf({ traffic }: MigrationPlan): readonly FurtherResource[] {
  const hostnames: ReadonlySet<string> = new Set(traffic?.hostnames ?? []);
  const names = (traffic?.records ?? []).flatMap(({ hostname }) => (hostnames.has(hostname) ? [] : [hostname]));
  return [...new Set(names)].map(ingress);
}

function ingress(name: string): FurtherResource {
  const detail = "addresses of the load balancer, the target of aliases";
  return { what: "traffic", identity: name, name: `${name}.`, detail };
}

const ruleTypes = ["google_compute_global_forwarding_rule", "google_compute_forwarding_rule"];

/**
 * Returns the further resources of a migration in a synthesized stack.
 *
 * Migrations of a stack share its APIs.
 *
 * @param path construct path of the migration
 * @param hostnames hostnames of its traffic
 */
export function furtherOfStack(stack: Fields, path: string, hostnames: readonly string[]): readonly FurtherResource[] {
  const resources = fieldsOf(stack.resource);
  const blocksOf = (type: string) => Object.values(fieldsOf(resources[type])).map(fieldsOf);
  const below = (type: string) =>
    blocksOf(type).flatMap((block) => {
      const id = idBelow(path, block);
      return id === undefined ? [] : [{ id, block }];
    });
  const apis = blocksOf("google_project_service").flatMap(({ service, project }) =>
    typeof service === "string" ? [api(service, project)] : [],
  );
  const configs = below("google_certificate_manager_certificate_issuance_config").map(({ block }) =>
    issuanceConfig(String(block.name), caPoolIn(block)),
  );
  const gates = below("terraform_data").flatMap(({ id }) => gateOf(id) ?? []);
  const rules = ruleTypes.flatMap(below).map(({ id, block }) => {
    const address = typeof block.ip_address === "string" ? block.ip_address : "${}";
    const name = typeof block.name === "string" ? block.name : id;
    return forwardingRule(id.replace(/^forwarding-rule-/, ""), name, id.endsWith("ipv6") ? "IPV6" : "IPV4", address);
  });
  const trustConfigs = below("google_certificate_manager_trust_config").map(({ id, block }) => {
    const [store] = listOf(block.trust_stores).map(fieldsOf);
    const anchors = listOf(store?.trust_anchors).length;
    const allowlisted = listOf(block.allowlisted_certificates).length;
    return trustConfig(id.replace(/^trust-config-/, ""), String(block.name), anchors, allowlisted);
  });
  const policies = below("google_network_security_server_tls_policy").map(({ id, block }) => {
    const [mtls] = [block.mtls_policy].flat().map(fieldsOf);
    const identity = id.replace(/^server-tls-policy-/, "");
    return serverTlsPolicy(identity, String(block.name), String(mtls?.client_validation_mode));
  });
  const ownerNames = new Set(hostnames.map((hostname) => `${hostname}.`));
  const records = below("google_dns_record_set").flatMap(({ id, block: { name } }) =>
    id.startsWith("traffic-") && typeof name === "string" && !ownerNames.has(name) ? [name.replace(/\.$/, "")] : [],
  );
  const isLast = (gate: FurtherResource) => gate.identity === verification.identity;
  return [
    ...unique(apis),
    ...configs,
    ...unique(gates.filter((gate) => !isLast(gate))),
    ...trustConfigs.flatMap((config) => [config, ...policies.filter(({ identity }) => identity === config.identity)]),
    ...rules,
    ...[...new Set(records)].map(ingress),
    ...gates.filter(isLast),
    ...alertsOfStack(path, blocksOf),
  ];
}

/** Returns the alerts of a migration in a stack: their construct is a child of the migration. */
function alertsOfStack(path: string, blocksOf: (type: string) => readonly Fields[]): readonly FurtherResource[] {
  const idsOf = (type: string) => blocksOf(type).flatMap((block) => idBelow(`${path}/alerts`, block) ?? []);
  const policies = idsOf("google_monitoring_alert_policy").filter((id) => /^alert-(close-to-expiry|expired)/.test(id));
  const checks = idsOf("google_monitoring_uptime_check_config").map((id) => id.replace(/^uptime-check-/, ""));
  return policies.length === 0 ? [] : alertRow(checks.sort(), policies.length);
}

function caPoolIn({ certificate_authority_config: config }: Fields): string {
  const service = fieldsOf(fieldsOf(config).certificate_authority_service_config);
  return typeof service.ca_pool === "string" ? service.ca_pool : "${}";
}

/** Returns the id of a construct directly below the migration; undefined for constructs elsewhere. */
function idBelow(path: string, block: Fields): string | undefined {
  const { path: blockPath } = fieldsOf(fieldsOf(block["//"]).metadata);
  if (typeof blockPath !== "string" || !blockPath.startsWith(`${path}/`)) return undefined;
  const id = blockPath.slice(path.length + 1);
  return id.includes("/") ? undefined : id;
}

function gateOf(id: string): FurtherResource | undefined {
  if (id === "verification") return verification;
  if (id.startsWith("settlement-")) return entriesGate;
  return id.startsWith("gate-") ? certificateGate(id.slice("gate-".length)) : undefined;
}

function unique(all: readonly FurtherResource[]): readonly FurtherResource[] {
  return [...new Map(all.map((resource) => [resource.identity, resource])).values()];
}
