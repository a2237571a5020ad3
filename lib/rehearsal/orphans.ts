import { defined } from "../json/defined";
import { existingNameIn, writeComputeName, writeLocatedName, writeMapEntryName } from "../resource-names";
import { type Block, projectOfStack, resourcesOf, type StackJson } from "./stack";

/** A resource that exists outside of Terraform's state, and how to import it. */
export interface Orphan {
  /** Address, for example `google_dns_record_set.www`. */
  readonly address: string;
  /** Id for `terraform import`. Absent if neither the error nor the stack contains it. */
  readonly id?: string;
  /**
   * Whether it is a self-managed certificate. No service returns its PEM, so Terraform would replace the certificate
   * after an import.
   */
  readonly isUploaded: boolean;
}

/** Collections of types for which the service may omit the name of the existing resource. */
const collections: Readonly<Record<string, string>> = {
  google_certificate_manager_certificate: "certificates",
  google_certificate_manager_dns_authorization: "dnsAuthorizations",
  google_certificate_manager_certificate_map: "certificateMaps",
  google_compute_target_https_proxy: "targetHttpsProxies",
  google_compute_region_target_https_proxy: "targetHttpsProxies",
  google_compute_target_ssl_proxy: "targetSslProxies",
  google_compute_global_forwarding_rule: "forwardingRules",
  google_compute_forwarding_rule: "forwardingRules",
};

/**
 * Returns the resources that a killed run of Terraform created but did not write to the state. The next run fails with
 * "already exists".
 *
 * @param output output of the next run
 */
export function orphansOf(output: string, stack: StackJson): readonly Orphan[] {
  const plain = output.replace(/^[│╷╵] ?/gm, "");
  return plain
    .split(/^Error: /m)
    .slice(1)
    .filter((error) => /already exists/i.test(error))
    .flatMap((error) => {
      const address = /^\s*with ([\w.-]+(?:\[[^\]]+\])?),$/m.exec(error)?.[1];
      if (address === undefined) return [];
      const [type = "", name = ""] = address.replace(/\[.*/, "").split(".");
      const block = resourcesOf(stack, type)[name];
      const id = existingNameIn(error) ?? importId(type, block, error, stack);
      const isUploaded = type === "google_certificate_manager_certificate" && block?.self_managed !== undefined;
      return [{ address, isUploaded, ...defined({ id }) }];
    });
}

function importId(type: string, block: Block | undefined, error: string, stack: StackJson): string | undefined {
  if (block === undefined) return undefined;
  const project = String(block.project ?? projectOfStack(stack));
  if (type === "google_dns_record_set") {
    // Often only Terraform knows the name, so the name in the service's error is preferred.
    const record = /named '([^' ]+)(?: \((\w+)\))?'/.exec(error.replace(/\s*\n\s*/g, " "))?.[1] ?? String(block.name);
    return `${project}/${block.managed_zone}/${record}/${block.type}`;
  }
  if (type === "google_certificate_manager_certificate_map_entry") {
    const mapName = /google_certificate_manager_certificate_map\.([\w-]+)\.name/.exec(String(block.map))?.[1];
    const map =
      mapName === undefined
        ? block.map
        : resourcesOf(stack, "google_certificate_manager_certificate_map")[mapName]?.name;
    return writeMapEntryName({ project, map: String(map), entry: String(block.name) });
  }
  const collection = collections[type];
  if (collection === undefined) return undefined;
  const resource = { project, collection, name: String(block.name) };
  const region = block.region === undefined ? undefined : String(block.region);
  return type.startsWith("google_compute_")
    ? writeComputeName({ ...resource, region })
    : writeLocatedName({ ...resource, location: String(block.location ?? "global") });
}
