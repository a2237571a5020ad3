import {
  dataSourceSchema,
  openBindings,
  providerSchema,
  resourceSchema,
  type SchemaBlock,
} from "../../../lib/terraform-provider/schema";

const bindings = openBindings();

function blockOf(type: string): SchemaBlock {
  const block = resourceSchema(bindings, type);
  if (block === undefined) throw new Error(`unknown type ${type}`);
  return block;
}

/** Describes an attribute, for example `required "string"`. */
function attributeOf(block: SchemaBlock, path: string): string {
  const names = path.split(".");
  const last = names.pop() ?? "";
  let current: SchemaBlock | undefined = block;
  for (const name of names) current = current?.blocks.get(name)?.block;
  const attribute = current?.attributes.get(last);
  if (attribute === undefined) return "absent";
  const kinds = (["required", "optional", "computed"] as const).filter((kind) => attribute[kind]);
  return `${kinds.join(" ")} ${JSON.stringify(attribute.type)}`;
}

test.each([
  ["google_certificate_manager_certificate", "name", 'required "string"'],
  ["google_certificate_manager_certificate", "location", 'optional "string"'],
  ["google_certificate_manager_certificate", "project", 'optional computed "string"'],
  ["google_certificate_manager_certificate", "san_dnsnames", 'computed ["list","string"]'],
  ["google_certificate_manager_certificate", "labels", 'optional ["map","string"]'],
  ["google_certificate_manager_certificate", "effective_labels", 'computed ["map","string"]'],
  ["google_certificate_manager_certificate", "managed.domains", 'optional ["list","string"]'],
  ["google_certificate_manager_certificate", "managed.state", 'computed "string"'],
  [
    "google_certificate_manager_certificate",
    "managed.provisioning_issue",
    'computed ["list",["object",{"details":"string","reason":"string"}]]',
  ],
  [
    "google_certificate_manager_certificate_map",
    "gclb_targets",
    'computed ["list",["object",{"ip_configs":["list",["object",{"ip_address":"string","ports":["list","number"]}]],"target_https_proxy":"string","target_ssl_proxy":"string"}]]',
  ],
  ["google_compute_backend_service", "health_checks", 'optional ["set","string"]'],
  ["google_compute_backend_service", "enable_cdn", 'optional "bool"'],
  ["google_compute_backend_service", "backend.max_rate", 'optional computed "number"'],
  ["google_compute_url_map", "path_matcher.path_rule.paths", 'required ["set","string"]'],
  ["google_dns_managed_zone", "managed_zone_id", 'computed "number"'],
  ["google_compute_url_map", "id", 'optional computed "string"'],
])("derives for %s the attribute %s: %s", (type, path, attribute) => {
  expect(attributeOf(blockOf(type), path)).toBe(attribute);
});

test("finds the attributes of blocks for a type with several source files", () => {
  const cluster = blockOf("google_container_cluster");
  const empty = [...cluster.blocks].filter(([, { block }]) => block.attributes.size + block.blocks.size === 0);

  expect(cluster.blocks.size).toBe(43);
  expect(empty).toEqual([]);
  expect(attributeOf(cluster, "node_config.guest_accelerator.gpu_sharing_config.max_shared_clients_per_gpu")).toBe(
    'required "number"',
  );
});

test.each([
  ["google_certificate_manager_certificate", "managed", { nesting: "list", minItems: 0, maxItems: 1 }],
  ["google_certificate_manager_certificate", "timeouts", { nesting: "single", minItems: 0, maxItems: 0 }],
  ["google_compute_backend_service", "backend", { nesting: "set", minItems: 0, maxItems: 0 }],
  ["google_compute_url_map", "path_matcher", { nesting: "list", minItems: 0, maxItems: 0 }],
  ["google_monitoring_alert_policy", "conditions", { nesting: "list", minItems: 1, maxItems: 0 }],
])("derives for %s the block %s", (type, name, block) => {
  expect(blockOf(type).blocks.get(name)).toMatchObject(block);
});

test("derives the computed sets of a data source", () => {
  const block = dataSourceSchema(bindings, "google_compute_backend_service") as SchemaBlock;

  expect(attributeOf(block, "health_checks")).toBe('computed ["set","string"]');
  expect(attributeOf(block, "backend")).toMatch(/^computed \["set",\["object",/);
  expect(attributeOf(block, "name")).toBe('required "string"');
});

test("derives the schema of the provider block", () => {
  const provider = providerSchema(bindings);

  expect(attributeOf(provider, "project")).toBe('optional "string"');
  expect(attributeOf(provider, "default_labels")).toBe('optional ["map","string"]');
  expect(attributeOf(provider, "compute_custom_endpoint")).toBe('optional "string"');
  expect(attributeOf(provider, "batching.enable_batching")).toBe('optional "bool"');
  expect(attributeOf(provider, "external_credentials.audience")).toBe('required "string"');
  expect(attributeOf(provider, "alias")).toBe("absent");
});

test.each(["google_no_such", "google_provider", "google_../provider", "aws_route53_record"])(
  "has no schema for %s",
  (type) => {
    expect([resourceSchema(bindings, type), dataSourceSchema(bindings, type)]).toEqual([undefined, undefined]);
  },
);

test("reads the provider's version from the bindings", () => {
  expect(bindings.providerVersion).toMatch(/^6\.\d+\.\d+$/);
});

test("reports a folder as absent if the bindings do not have it", () => {
  expect(bindings.read("no-such-thing")).toBeUndefined();
});
