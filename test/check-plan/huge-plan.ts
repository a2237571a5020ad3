const cm = "google_certificate_manager";
const parent = "projects/p/locations/global";
const types = {
  certificate: `${cm}_certificate`,
  gate: "terraform_data",
  entry: `${cm}_certificate_map_entry`,
  record: "google_dns_record_set",
} as const;

/** The parts of the load balancer, with their values. */
const balancer: readonly (readonly [string, object])[] = [
  [`${cm}_certificate_map`, { name: "main" }],
  [
    "google_compute_target_https_proxy",
    { name: "web", certificate_map: `//certificatemanager.googleapis.com/${parent}/certificateMaps/main` },
  ],
  [
    "google_compute_global_forwarding_rule",
    { ip_address: "203.0.113.7", target: "projects/p/global/targetHttpsProxies/web" },
  ],
];

/**
 * The JSON of a plan that swaps the certificate of every hostname behind a gate of its own and moves its traffic: five
 * resources for each.
 *
 * @param style `forEach`: instances of five resources; `apart`: each a resource of its own, as constructs make them
 */
export function hugePlan(hostnames: number, style: "forEach" | "apart"): string {
  const nameOf = (type: string, index: number) => (style === "forEach" ? `${type}.all` : `${type}.n${index}`);
  const refer = (type: string, index: number) =>
    style === "forEach" ? [nameOf(type, index), "each.key"] : [`${nameOf(type, index)}.id`, nameOf(type, index)];
  const configure = (index: number) => [
    {
      address: nameOf(types.gate, index),
      expressions: { triggers_replace: { references: refer(types.certificate, index) } },
      provisioners: [{ type: "local-exec" }],
    },
    {
      address: nameOf(types.entry, index),
      expressions: { certificates: { references: refer(types.certificate, index) } },
      depends_on: [nameOf(types.gate, index)],
    },
  ];
  const changes: object[] = [];
  const there: object[] = [];
  const add = (type: string, index: number, actions: string[], before: object, after: object, unknown = {}) => {
    const address = `${nameOf(type, index)}${style === "forEach" ? `["h${index}"]` : ""}`;
    changes.push({ address, mode: "managed", type, change: { actions, before, after, after_unknown: unknown } });
    there.push({ address, mode: "managed", type, values: before });
  };
  for (let index = 0; index < hostnames; index += 1) {
    const hostname = `h${index}.example${index % 100}.com`;
    const authorization = { id: `${parent}/dnsAuthorizations/a-${index}`, name: `a-${index}`, domain: hostname };
    const managed = (state?: string) => [{ domains: [hostname], dns_authorizations: [authorization.id], state }];
    const id = `${parent}/certificates/c-${index}`;
    const entry = { name: `e-${index}`, map: "main", hostname, certificates: [id], state: "ACTIVE" };
    const record = { name: `${hostname}.`, type: "A", rrdatas: ["198.51.100.1"] };
    add(`${cm}_dns_authorization`, index, ["no-op"], authorization, authorization);
    add(
      types.certificate,
      index,
      ["create", "delete"],
      { id, managed: managed("ACTIVE") },
      { managed: managed() },
      { id: true },
    );
    add(types.gate, index, ["delete", "create"], {}, {});
    add(types.entry, index, ["update"], entry, { ...entry, certificates: [null] }, { certificates: [true] });
    add(types.record, index, ["update"], record, { ...record, rrdatas: ["203.0.113.7"] });
  }
  for (const [type, values] of balancer) there.push({ address: `${type}.web`, mode: "managed", type, values });
  const configured =
    style === "forEach" ? configure(0) : Array.from({ length: hostnames }, (_, index) => configure(index));
  return JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    prior_state: { values: { root_module: { resources: there } } },
    resource_changes: changes,
    configuration: { root_module: { resources: configured.flat() } },
  });
}
