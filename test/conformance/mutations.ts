import type { Answer, Json, SideRequest, Transport } from "../../conformance/side";
import type { CloudOptions } from "../../lib/cloud";

type Around = (transport: Transport) => Transport;

/** One changed behavior of the cloud, and the behaviors of the suite that have to find it. */
export interface Mutation {
  readonly name: string;
  /** Beginning of the ids of the behaviors that run. */
  readonly only: string;
  readonly around?: Around;
  readonly cloud?: CloudOptions;
  /** Words of behaviors below `only`; each has to differ. */
  readonly found: readonly string[];
}

/** Changes the answers of a method. @param change returns the changed answer */
function answers(method: RegExp, change: (answer: Answer, request: SideRequest) => Answer): Around {
  return (transport) => async (request) => {
    const answer = await transport(request);
    return method.test(request.id) ? change(answer, request) : answer;
  };
}

/** Changes the body of successful answers of a method. */
function bodies(method: RegExp, change: (body: Json) => Json): Around {
  return answers(method, (answer) => (answer.status < 300 ? { ...answer, body: change(answer.body) } : answer));
}

/** Changes refusals with a status to another status and code. */
function refusals(method: RegExp, from: number, status: number, code: string): Around {
  return answers(method, (answer) => {
    if (answer.status !== from) return answer;
    const error = { ...(answer.body.error as Json), code: status, status: code };
    return { status, body: { error } };
  });
}

/** Accepts what the cloud refuses. */
function accepted(method: RegExp): Around {
  return answers(method, (answer) => (answer.status >= 400 ? { status: 200, body: {} } : answer));
}

function without(field: string): (body: Json) => Json {
  return ({ [field]: _, ...rest }) => rest;
}

/** Changes a part of `managed`. */
function managedWith(change: (managed: Json) => Json): (body: Json) => Json {
  return (body) => (body.managed === undefined ? body : { ...body, managed: change(body.managed as Json) });
}

function reversed(field: string): (body: Json) => Json {
  return (body) => (Array.isArray(body[field]) ? { ...body, [field]: [...body[field]].reverse() } : body);
}

const authorization = "certificate-manager.dns-authorization";
const selfManaged = "certificate-manager.self-managed";
const managed = "certificate-manager.managed";
const issuance = "certificate-manager.issuance";
const map = "certificate-manager.map";
const entry = "certificate-manager.map-entry";
const list = "certificate-manager.list";
const operation = "certificate-manager.operation";
const trust = "certificate-manager.trust-config";

const getAuthorization = /dnsAuthorizations\.get$/;
const getCertificate = /\.certificates\.get$/;
const getMap = /certificateMaps\.get$/;
const getEntry = /certificateMapEntries\.get$/;
const listMaps = /certificateMaps\.list$/;
const getOperation = /operations\.get$/;
const getTrust = /trustConfigs\.get$/;

/** Changes of one status, field, order or delay each. */
export const mutations: readonly Mutation[] = [
  // Status.
  {
    name: "a duplicate authorization answers 400",
    only: authorization,
    around: refusals(/dnsAuthorizations\.create$/, 409, 400, "INVALID_ARGUMENT"),
    found: ["duplicate-id"],
  },
  {
    name: "a missing authorization answers 403",
    only: authorization,
    around: refusals(getAuthorization, 404, 400, "PERMISSION_DENIED"),
    found: ["missing"],
  },
  {
    name: "a wildcard is authorized",
    only: authorization,
    around: accepted(/dnsAuthorizations\.create$/),
    found: ["wildcard-domain", "duplicate-domain", "fixed-record-regional"],
  },
  {
    name: "the domain of an authorization can be changed",
    only: authorization,
    around: accepted(/dnsAuthorizations\.patch$/),
    found: ["domain-immutable"],
  },
  {
    name: "an authorization in use can be deleted",
    only: authorization,
    around: accepted(/dnsAuthorizations\.delete$/),
    found: ["in-use"],
  },
  {
    name: "a wrong key is accepted",
    only: selfManaged,
    around: accepted(/\.certificates\.create$/),
    found: ["wrong-key", "not-pem", "without-key"],
  },
  {
    name: "the scope can be changed",
    only: selfManaged,
    around: accepted(/\.certificates\.patch$/),
    found: ["scope-immutable"],
  },
  {
    name: "an uncovered domain is accepted",
    only: managed,
    around: accepted(/\.certificates\.create$/),
    found: ["uncovered-domain", "subdomain-uncovered"],
  },
  { name: "a regional map is accepted", only: map, around: accepted(/certificateMaps\.create$/), found: ["regional"] },
  {
    name: "an unknown field in a mask is ignored",
    only: map,
    around: accepted(/certificateMaps\.patch$/),
    found: ["unknown-field-in-mask"],
  },
  {
    name: "a fifth certificate is accepted",
    only: entry,
    around: accepted(/certificateMapEntries\.patch$/),
    found: ["five-certificates", "without-certificates", "hostname-immutable"],
  },
  {
    name: "a second PRIMARY entry is accepted",
    only: entry,
    around: accepted(/certificateMapEntries\.create$/),
    found: ["second-primary", "duplicate-hostname"],
  },
  {
    name: "a certificate in use can be deleted",
    only: entry,
    around: accepted(/\.certificates\.delete$/),
    found: ["certificate-in-use"],
  },
  {
    name: "a map with entries answers 409",
    only: entry,
    around: refusals(/certificateMaps\.delete$/, 400, 409, "ABORTED"),
    found: ["map-in-use"],
  },
  {
    name: "an invented page token is ignored",
    only: list,
    around: accepted(listMaps),
    found: ["token-unknown", "filter-invalid"],
  },
  {
    name: "a missing operation answers 400",
    only: operation,
    around: refusals(getOperation, 404, 400, "INVALID_ARGUMENT"),
    found: ["missing"],
  },
  {
    name: "an old etag is ignored",
    only: trust,
    around: accepted(/trustConfigs\.(?:patch|delete)$/),
    found: ["etag-of-patch", "etag-of-deletion"],
  },
  {
    name: "two trust stores are accepted",
    only: trust,
    around: accepted(/trustConfigs\.create$/),
    found: ["two-stores", "not-pem"],
  },
  // Field.
  {
    name: "the record has no final dot",
    only: authorization,
    around: bodies(getAuthorization, (body) => ({
      ...body,
      dnsResourceRecord: {
        ...(body.dnsResourceRecord as Json),
        name: String((body.dnsResourceRecord as Json).name).replace(/\.$/, ""),
      },
    })),
    found: ["record", "record-per-project"],
  },
  {
    name: "the type of an authorization is missing",
    only: authorization,
    around: bodies(getAuthorization, without("type")),
    found: ["type-default", "type-default-regional"],
  },
  {
    name: "the key is returned",
    only: selfManaged,
    around: bodies(getCertificate, (body) => ({ ...body, selfManaged: { pemPrivateKey: "key" } })),
    found: ["key-hidden"],
  },
  {
    name: "the end of a certificate is missing",
    only: selfManaged,
    around: bodies(getCertificate, without("expireTime")),
    found: ["expiry"],
  },
  {
    name: "the scope DEFAULT is written",
    only: selfManaged,
    around: bodies(getCertificate, (body) => ({ scope: "DEFAULT", ...body })),
    found: ["scope-default"],
  },
  {
    name: "labels stay after they are cleared",
    only: selfManaged,
    around: bodies(getCertificate, (body) => ({ ...body, labels: { team: "web" } })),
    found: ["labels-cleared"],
  },
  {
    name: "names are missing before the issuance",
    only: managed,
    around: bodies(getCertificate, without("sanDnsnames")),
    found: ["names-before-issuance"],
  },
  {
    name: "a certificate begins as ACTIVE",
    only: managed,
    around: bodies(
      getCertificate,
      managedWith((part) => ({ ...part, state: "ACTIVE" })),
    ),
    found: ["first-state", "missing-record"],
  },
  {
    name: "the provisioning issue is missing",
    only: managed,
    around: bodies(getCertificate, managedWith(without("provisioningIssue"))),
    found: ["provisioning-issue"],
  },
  {
    name: "the authorizations are not returned",
    only: managed,
    around: bodies(getCertificate, managedWith(without("dnsAuthorizations"))),
    found: ["authorizations-returned"],
  },
  {
    name: "an issued certificate has no chain",
    only: issuance,
    around: bodies(getCertificate, without("pemCertificate")),
    found: ["chain"],
  },
  {
    name: "a map has an etag",
    only: map,
    around: bodies(getMap, (body) => ({ ...body, etag: "x" })),
    found: ["resource"],
  },
  {
    name: "the time of an update stays",
    only: map,
    around: bodies(getMap, (body) => ({ ...body, updateTime: body.createTime })),
    found: ["update-time"],
  },
  {
    name: "an entry has bare names of certificates",
    only: entry,
    around: bodies(getEntry, (body) => ({
      ...body,
      certificates: (body.certificates as string[]).map((name) => name.split("/").at(-1)),
    })),
    found: ["resource", "repointed"],
  },
  {
    name: "the metadata have no target",
    only: operation,
    around: bodies(getOperation, (body) => ({ ...body, metadata: without("target")(body.metadata as Json) })),
    found: ["metadata"],
  },
  {
    name: "the etag stays after a change",
    only: trust,
    around: bodies(getTrust, (body) => ({ ...body, etag: "fixed" })),
    found: ["etag-changes"],
  },
  // Order.
  {
    name: "the attempts are in another order",
    only: managed,
    around: bodies(getCertificate, managedWith(reversed("authorizationAttemptInfo"))),
    found: ["first-attempts"],
  },
  {
    name: "the certificates of an entry are in another order",
    only: entry,
    around: bodies(getEntry, reversed("certificates")),
    found: ["several-certificates"],
  },
  {
    name: "a list ignores the order",
    only: list,
    around: bodies(listMaps, reversed("certificateMaps")),
    found: ["order-descending"],
  },
  {
    name: "a list ends after its first page",
    only: list,
    around: bodies(listMaps, without("nextPageToken")),
    found: ["complete", "page-size"],
  },
  // Delay.
  {
    name: "an issuance takes two hours",
    only: issuance,
    cloud: { behavior: { pace: { firstAttemptMs: 2 * 3_600_000 } } },
    found: ["active"],
  },
  {
    name: "an entry needs an hour to reach the front ends",
    only: entry,
    cloud: { behavior: { propagationMs: 3_600_000 } },
    found: ["states"],
  },
  // The other services.
  {
    name: "a deletion of other data is accepted",
    only: "cloud-dns.changes",
    around: accepted(/dns\.changes\.create$/),
    found: ["deletion-differs", "deletion-missing"],
  },
  {
    name: "a change is done at once",
    only: "cloud-dns.changes",
    around: bodies(/dns\.changes\.create$/, (body) => ({ ...body, status: "done" })),
    found: ["pending"],
  },
  {
    name: "a missing target proxy answers 400",
    only: "compute-engine.target-proxies",
    around: refusals(/\.get$/, 404, 400, "INVALID_ARGUMENT"),
    found: ["missing"],
  },
  {
    name: "a backend service in use can be deleted",
    only: "compute-engine.url-maps",
    around: accepted(/backendServices\.delete$/),
    found: ["backend-in-use"],
  },
  {
    name: "a list of enabled APIs has others",
    only: "service-usage.changes",
    around: bodies(/services\.list$/, (body) => ({ ...body, services: [{ state: "DISABLED" }] })),
    found: ["list-enabled"],
  },
  {
    name: "a CA has another state",
    only: "private-ca.ca-deletion",
    around: bodies(/certificateAuthorities\.get$/, (body) => ({ ...body, state: "STAGED" })),
    found: ["disabled", "grace-period"],
  },
  {
    name: "a server TLS policy is created twice",
    only: "network-security.server-tls-policies",
    around: accepted(/serverTlsPolicies\.create$/),
    found: ["duplicate-id", "rejecting-needs-trust-config"],
  },
  {
    name: "an uptime check has no period",
    only: "monitoring.uptime-checks",
    around: bodies(/uptimeCheckConfigs\.(?:get|create)$/, without("period")),
    found: ["period-default"],
  },
  {
    name: "log entries come in another order",
    only: "logging.expiry-log",
    around: bodies(/entries\.list$/, reversed("entries")),
    found: ["ascending"],
  },
];
