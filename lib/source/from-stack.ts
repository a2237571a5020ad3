import { InputError } from "../errors";
import { type Fields, isFields, parseJson } from "../json/fields";
import { isReference } from "../plan";
import { quote } from "../text/quote";
import { certificateBlocksOf } from "../x509";
import { migrationsOf, type Resolve } from "./from-outputs";
import type { MigrationSource } from "./model";

/**
 * Reads a synthesized stack, the `cdk.tf.json` of it. References to resources of the stack whose names are known become ids; what only Terraform or the
 * cloud knows stays unknown.
 *
 * @param source what problems call it, usually a path
 * @param project of the resources where the stack names none
 * @throws InputError `stack-malformed`, `stack-without-migration`, or with everything that is wrong with the output
 */
export function sourceFromStack(text: string, source: string, project?: string): MigrationSource {
  const stack = parseJson(text);
  if (stack === undefined) {
    throw new InputError("stack-malformed", `${quote(source)} is not JSON; name a folder of cdktf.out/stacks`);
  }
  const value = step(stack, "output", "cert_migration", "value");
  if (!isFields(stack) || !isFields(value) || !isFields(value.migrations)) {
    throw new InputError(
      "stack-without-migration",
      `${quote(source)} has no output cert_migration; name a stack with a migration`,
    );
  }
  const migrations = migrationsOf(value, source, stackResolver(stack, project), uploadsIn(stack));
  const enablesApis = isFields(step(stack, "resource", "google_project_service"));
  return {
    kind: "stack",
    migrations: enablesApis ? migrations.map((migration) => ({ ...migration, enablesApis })) : migrations,
    warnings: [],
  };
}

/** What certificates of the stack upload, by references to their ids. */
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

/** Where the ids of a type's resources are, and the last part of them. */
const collections: Readonly<Record<string, (block: Fields) => string | undefined>> = {
  google_certificate_manager_certificate: ({ location }) => `locations/${literal(location, "global")}/certificates`,
  google_certificate_manager_dns_authorization: ({ location }) =>
    `locations/${literal(location, "global")}/dnsAuthorizations`,
  google_certificate_manager_certificate_map: () => "locations/global/certificateMaps",
  google_compute_target_https_proxy: () => "global/targetHttpsProxies",
  google_compute_target_ssl_proxy: () => "global/targetSslProxies",
  google_compute_region_target_https_proxy: ({ region }) =>
    typeof region === "string" && !isReference(region) ? `regions/${region}/targetHttpsProxies` : undefined,
};

function stackResolver(stack: Fields, defaultProject: string | undefined): Resolve {
  const providers = [step(stack, "provider", "google")].flat();
  const ofProvider = providers.find((one) => isFields(one) && one.alias === undefined);
  const project = (block: Fields) => {
    const own = block.project ?? step(ofProvider, "project");
    if (typeof own === "string") return isReference(own) ? undefined : own;
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
      const bare = map.slice(map.lastIndexOf("/") + 1);
      return `projects/${owner}/locations/global/certificateMaps/${bare}/certificateMapEntries/${name}`;
    }
    const collection = collections[type]?.(block);
    return collection === undefined ? undefined : `projects/${owner}/${collection}/${name}`;
  };
  return resolve;
}

/** The record of a fixed authorization is named by its domain; everything else of records is made up by the service. */
function recordName(type: string, block: Fields, attribute: string): string | undefined {
  if (type !== "google_certificate_manager_dns_authorization" || attribute !== "dns_resource_record[0].name") {
    return undefined;
  }
  const { domain, type: kind } = block;
  if (kind !== "FIXED_RECORD" || typeof domain !== "string" || isReference(domain)) return undefined;
  return `_acme-challenge.${domain}.`;
}

function literal(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function step(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isFields(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}
