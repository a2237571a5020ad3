import { type Block, projectOf, resourcesOf, type StackJson } from "./stack";

/** A resource that exists but that Terraform does not know of, and how to bring it under Terraform. */
export interface Orphan {
  /** As in `google_dns_record_set.www`. */
  readonly address: string;
  /** What `terraform import` takes. Absent where neither the error nor the stack tells. */
  readonly id?: string;
  /** Whether it is a self-managed certificate: nobody tells its PEM again, so that Terraform would replace one that was imported. */
  readonly isUploaded: boolean;
}

/** Those of which the service may not name the one that exists. */
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
 * What a run of Terraform that was killed left behind: created, but not in the state, so that the next run is refused with "already exists".
 *
 * @param output of that next run
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
      const id = /'(projects\/[^'\s]+)' already exists/.exec(error)?.[1] ?? importId(type, block, error, stack);
      const isUploaded = type === "google_certificate_manager_certificate" && block?.self_managed !== undefined;
      return [{ address, isUploaded, ...(id === undefined ? {} : { id }) }];
    });
}

function importId(type: string, block: Block | undefined, error: string, stack: StackJson): string | undefined {
  if (block === undefined) return undefined;
  const project = String(block.project ?? projectOf(stack));
  if (type === "google_dns_record_set") {
    // The name is often known to Terraform alone; the service names what exists.
    const record = /named '([^' ]+)(?: \((\w+)\))?'/.exec(error.replace(/\s*\n\s*/g, " "))?.[1] ?? String(block.name);
    return `${project}/${block.managed_zone}/${record}/${block.type}`;
  }
  if (type === "google_certificate_manager_certificate_map_entry") {
    const mapName = /google_certificate_manager_certificate_map\.([\w-]+)\.name/.exec(String(block.map))?.[1];
    const map =
      mapName === undefined
        ? block.map
        : resourcesOf(stack, "google_certificate_manager_certificate_map")[mapName]?.name;
    return `projects/${project}/locations/global/certificateMaps/${map}/certificateMapEntries/${block.name}`;
  }
  const collection = collections[type];
  if (collection === undefined) return undefined;
  const inCompute = block.region === undefined ? "global" : `regions/${block.region}`;
  const place = type.startsWith("google_compute_") ? inCompute : `locations/${block.location ?? "global"}`;
  return `projects/${project}/${place}/${collection}/${block.name}`;
}
