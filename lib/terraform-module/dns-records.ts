import { gateCallOf, verifyVariables } from "../gate-call";
import { type Fields, fieldsOf, listOf } from "../json/fields";
import type { MigrationPlan, PlannedRecord, PlannedTraffic } from "../plan";
import { certificateType } from "./private-keys";

type Blocks = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

/** Input that certificates wait for: resources of the root module that write the CNAME records. */
const publishedRecords = "published_records";

/** A record set as an output gives it, without trailing dots. */
interface RecordValue {
  /** Domain of the authorization, or hostname of the traffic; known when Terraform plans. */
  readonly hostname: string;
  readonly name: string;
  readonly type: string;
  readonly data: readonly string[];
  readonly ttl: number;
}

/**
 * Returns the outputs of the records that the root module writes at another DNS provider. Their keys are known in every
 * plan, so that `for_each` accepts them. The address records depend on the verification, so that traffic moves after
 * it.
 *
 * @param written the migration in the output `cert_migration`
 */
export function recordOutputs(
  { records, traffic }: MigrationPlan,
  written: Fields,
  resources: Blocks,
): Readonly<Record<string, object>> {
  const writtenRecords = listOf(written.records).map(fieldsOf);
  const ofAuthorizations = records.map((record, index): [string, RecordValue] => {
    const { name, data } = fieldsOf(writtenRecords[index]);
    return [
      keyOf(record),
      {
        hostname: record.domain,
        name: withoutDot(String(name)),
        type: "CNAME",
        data: [withoutDot(String(data))],
        ttl: record.ttlSeconds,
      },
    ];
  });
  const before = precedingTraffic(resources);
  return {
    authorization_records: {
      description: "CNAME records of the authorizations by domain, for resources of another DNS provider",
      value: Object.fromEntries(ofAuthorizations),
    },
    traffic_records: {
      description: "Address records by hostname and type, for resources of another DNS provider; empty without traffic",
      value: traffic === undefined ? {} : trafficValues(traffic),
      ...(traffic?.to === "loadBalancer" && before.length > 0 ? { depends_on: before } : {}),
    },
  };
}

function trafficValues({ records, ttlSeconds }: PlannedTraffic): object {
  return Object.fromEntries(
    records.map(({ hostname, type, data, adopt }) => [
      `${hostname} ${type}`,
      {
        hostname,
        name: hostname,
        type,
        data: type === "CNAME" ? data.map((target) => target.replace(/\.$/, "")) : data,
        ttl: ttlSeconds,
        exists: adopt,
      },
    ]),
  );
}

/** Returns the key of a record: its domain, and the project of the certificate if it has one. */
function keyOf({ domain, project }: PlannedRecord): string {
  return project === undefined ? domain : `${domain} in ${project}`;
}

/** Returns a reference without the trailing dot of its value. */
function withoutDot(reference: string): string {
  return reference.replace(/^\$\{(.*)\}$/, '${trimsuffix($1, ".")}');
}

/** Returns the verification; without this gate, the proxies and forwarding rules. */
function precedingTraffic(resources: Blocks): readonly string[] {
  const addresses = Object.entries(resources).flatMap(([type, blocks]) =>
    Object.entries(blocks).map(([name, block]) => ({ address: `${type}.${name}`, block })),
  );
  const verification = addresses.filter(({ block }) => verifies(block));
  const front = /^google_compute_(?:\w+_)?(?:target_(?:https|ssl)_proxy|forwarding_rule)\./;
  const chosen = verification.length > 0 ? verification : addresses.filter(({ address }) => front.test(address));
  return chosen.map(({ address }) => address).sort();
}

function verifies({ provisioner }: Fields): boolean {
  return listOf(provisioner).some((entry) => {
    const call = gateCallOf(fieldsOf(entry)["local-exec"]);
    return call !== undefined && verifyVariables.stack in call.environment;
  });
}

/**
 * Makes certificates depend on the input {@link publishedRecords}, and so their gates. The input is no trigger: another
 * value neither replaces a certificate nor runs a gate again.
 */
export function afterPublishedRecords(resources: Blocks): Blocks {
  const certificates = Object.entries(resources[certificateType] ?? {}).map(([name, block]) => {
    const isAuthorized = listOf(fieldsOf(block.managed).dns_authorizations).length > 0;
    if (!isAuthorized) return [name, block] as const;
    return [name, { ...block, depends_on: [...listOf(block.depends_on), `var.${publishedRecords}`] }] as const;
  });
  return certificates.length === 0 ? resources : { ...resources, [certificateType]: Object.fromEntries(certificates) };
}

/** The variable of the input {@link publishedRecords}. */
export const publishedRecordsVariable: Readonly<Record<string, Fields>> = {
  [publishedRecords]: {
    description: "Resources that write 'authorization_records': certificates and their gates wait for them",
    nullable: false,
    type: "any",
    default: [],
  },
};
