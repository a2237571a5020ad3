import { InputError } from "../errors";
import { type Fields, isFields, parseJson } from "../json/fields";
import { isReference } from "../plan";
import { fixedRecordName, lastPart, writeComputeName, writeLocatedName, writeMapEntryName } from "../resource-names";
import { quote } from "../text/quote";
import { certificateBlocksOf } from "../x509";
import { migrationsOf, type Resolve } from "./from-outputs";
import { furtherOfStack } from "./further";
import type { MigrationSource } from "./model";
import { readStackContents, settingOf } from "./stack-contents";

/**
 * Reads a synthesized stack from its `cdk.tf.json`. References to resources of the stack with known names become ids.
 * Values that only Terraform or the cloud knows stay unknown.
 *
 * @param source name of the stack in problems, usually a path
 * @param project of the resources if the stack names none
 * @throws InputError `stack-malformed`, `stack-without-migration`, or with all problems of the output
 */
export function sourceFromStack(text: string, source: string, project?: string): MigrationSource {
  const stack = parseJson(text);
  if (stack === undefined) {
    throw new InputError("stack-malformed", `${quote(source)} is not JSON; name a folder of cdktf.out/stacks`);
  }
  const value = step(stack, "output", "cert_migration", "value");
  if (!isFields(stack) || !isFields(value) || !isFields(value.migrations)) {
    const message = `${quote(source)} has no output cert_migration; name a stack with a migration, or remove 'outputs: false' from its migration`;
    throw new InputError("stack-without-migration", message);
  }
  const resolve = stackResolver(stack, project);
  const read = migrationsOf(value, source, resolve, uploadsIn(stack));
  const migrations = read.map((migration) => ({
    ...migration,
    further: furtherOfStack(stack, migration.path, migration.traffic?.hostnames ?? []),
  }));
  const enablesApis = isFields(step(stack, "resource", "google_project_service"));
  return {
    kind: "stack",
    migrations: enablesApis ? migrations.map((migration) => ({ ...migration, enablesApis })) : migrations,
    stack: readStackContents(stack, project, resolve),
    warnings: [],
  };
}

/** Returns the certificates that the stack uploads, by references to their ids. */
function uploadsIn(stack: Fields): Resolve {
  return (id) => {
    const [, logicalId = ""] = /^\$\{google_certificate_manager_certificate\.([A-Za-z0-9_-]+)\.id\}$/.exec(id) ?? [];
    const block = step(stack, "resource", "google_certificate_manager_certificate", logicalId);
    const [upload] = [step(block, "self_managed")].flat();
    const pem = step(upload, "pem_certificate");
    if (typeof pem !== "string" || isReference(pem)) return undefined;
    const certificates = certificateBlocksOf(pem);
    return certificates === "" ? undefined : certificates;
  };
}

interface Owned {
  readonly project: string;
  readonly name: string;
}

/** Returns the id of a resource. */
type IdOf = (block: Fields, owner: Owned) => string | undefined;

function located(collection: string): IdOf {
  return ({ location }, owner) => writeLocatedName({ ...owner, location: literal(location, "global"), collection });
}

const ids: Readonly<Record<string, IdOf>> = {
  google_certificate_manager_certificate: located("certificates"),
  google_certificate_manager_dns_authorization: located("dnsAuthorizations"),
  google_certificate_manager_certificate_map: located("certificateMaps"),
  google_certificate_manager_certificate_issuance_config: located("certificateIssuanceConfigs"),
  google_privateca_ca_pool: located("caPools"),
  google_compute_target_https_proxy: (_, owner) => writeComputeName({ ...owner, collection: "targetHttpsProxies" }),
  google_compute_target_ssl_proxy: (_, owner) => writeComputeName({ ...owner, collection: "targetSslProxies" }),
  google_compute_region_target_https_proxy: ({ region }, owner) =>
    typeof region === "string" && !isReference(region)
      ? writeComputeName({ ...owner, region, collection: "targetHttpsProxies" })
      : undefined,
};

function stackResolver(stack: Fields, defaultProject: string | undefined): Resolve {
  const project = (block: Fields) => {
    const blockProject = settingOf(stack, block, "project");
    if (blockProject !== undefined) return isReference(blockProject) ? undefined : blockProject;
    return defaultProject;
  };
  const resolve: Resolve = (text) => {
    if (!isReference(text)) return text;
    const match = /^\$\{([a-z0-9_]+)\.([A-Za-z0-9_-]+)\.([a-z_]+)((?:\[0\])?\.?[a-z_]*)\}$/.exec(text);
    if (match === null) return undefined;
    const [, type = "", logicalId = "", attribute = "", rest = ""] = match;
    const block = step(stack, "resource", type, logicalId);
    if (!isFields(block)) return undefined;
    if (rest !== "") return recordName(type, block, `${attribute}${rest}`);
    if (attribute !== "id") return typeof block[attribute] === "string" ? resolve(block[attribute]) : undefined;
    const [owner, name] = [project(block), typeof block.name === "string" ? resolve(block.name) : undefined];
    if (owner === undefined || name === undefined) return undefined;
    if (type === "google_certificate_manager_certificate_map_entry") {
      const map = typeof block.map === "string" ? resolve(block.map) : undefined;
      if (map === undefined) return undefined;
      return writeMapEntryName({ project: owner, map: lastPart(map), entry: name });
    }
    return ids[type]?.(block, { project: owner, name });
  };
  return resolve;
}

/**
 * Returns the name of a record. A fixed authorization determines the name by its domain. The service generates all
 * other values of records.
 */
function recordName(type: string, block: Fields, attribute: string): string | undefined {
  if (type !== "google_certificate_manager_dns_authorization" || attribute !== "dns_resource_record[0].name") {
    return undefined;
  }
  const { domain, type: kind } = block;
  if (kind !== "FIXED_RECORD" || typeof domain !== "string" || isReference(domain)) return undefined;
  return fixedRecordName(domain);
}

function literal(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function step(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isFields(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}
