import { dependentsOf } from "../../lib/rehearsal/dependents";
import { openKnownTypes } from "../../lib/terraform-provider";

const { schemaOf } = openKnownTypes();
const gone = ["module.web", "data.aws_eip.lb"];
const of = (type: string, block: object) =>
  dependentsOf({ resource: { [type]: { it: { ...block } } } }, gone, schemaOf).map(
    ({ needs, argument }) => `${argument} needs ${needs}`,
  );

test.each<[string, string, object, readonly string[]]>([
  ["a name, whether generated or written", "google_compute_url_map", { name: "${module.web.name}" }, []],
  ["a link or a name", "google_compute_url_map", { default_service: "${module.web.service}" }, []],
  ["a text of texts", "google_compute_url_map", { description: '${join("-", [module.web.name, "x"])}' }, []],
  ["an item of a list of texts", "google_compute_backend_service", { health_checks: ["${module.web.check}"] }, []],
  [
    "a whole list",
    "google_compute_backend_service",
    { health_checks: "${module.web.checks}" },
    ["health_checks needs module.web"],
  ],
  ["a number", "google_dns_record_set", { ttl: "${module.web.ttl}" }, ["ttl needs module.web"]],
  [
    "a truth value",
    "google_compute_backend_service",
    { enable_cdn: "${module.web.cdn}" },
    ["enable_cdn needs module.web"],
  ],
  [
    "an address",
    "google_compute_global_forwarding_rule",
    { ip_address: "${data.aws_eip.lb.public_ip}" },
    ["ip_address needs data.aws_eip.lb"],
  ],
  [
    "an address among others",
    "google_dns_record_set",
    { rrdatas: ["192.0.2.1", "${data.aws_eip.lb.public_ip}"] },
    ["rrdatas needs data.aws_eip.lb"],
  ],
  [
    "the count of instances",
    "google_compute_url_map",
    { count: "${length(module.web.all)}" },
    ["count needs module.web"],
  ],
  ["the keys of instances", "google_compute_url_map", { for_each: "${module.web.all}" }, ["for_each needs module.web"]],
  [
    "a number in a block",
    "google_compute_backend_service",
    { backend: [{ group: "g", max_rate: "${module.web.rate}" }] },
    ["max_rate needs module.web"],
  ],
  ["a name in a block", "google_compute_backend_service", { backend: [{ group: "${module.web.group}" }] }, []],
  [
    "the result of a numeric function",
    "google_compute_url_map",
    { name: "${element(module.web.names, 0)}" },
    ["name needs module.web"],
  ],
  [
    "the result of a nested condition",
    "google_compute_url_map",
    { name: '${jsonencode({a = {b = {c = module.web.isLive ? "a" : "b"}}})}' },
    ["name needs module.web"],
  ],
  ["a condition", "google_compute_url_map", { name: '${module.web.isLive ? "a" : "b"}' }, ["name needs module.web"]],
  [
    "a precondition",
    "google_compute_url_map",
    { lifecycle: { precondition: [{ condition: "${module.web.ok}" }] } },
    ["lifecycle needs module.web"],
  ],
  ["depends_on", "google_compute_url_map", { depends_on: ["module.web"] }, []],
  ["a trigger of any kind", "terraform_data", { triggers_replace: ["${module.web.id}"] }, []],
])("finds dependents by %s", (_, type, block, expected) => {
  expect(of(type, block)).toEqual(expected);
});

test("removes the resources that a dependent needs, and data sources with the resources that they read", () => {
  const stack = {
    data: { google_compute_global_address: { ip: { name: "${module.web.ip_name}" } } },
    resource: {
      google_compute_global_forwarding_rule: {
        web: { ip_address: "${data.google_compute_global_address.ip.address}" },
      },
    },
    locals: { port: "${module.web.port + 1}", name: "${module.web.name}" },
    output: {
      port: { value: "${local.port}" },
      next: { value: "${local.port + 1}" },
      all: { value: ["${module.web.name}"] },
    },
  };
  expect(dependentsOf(stack, gone, schemaOf)).toEqual([
    { address: "data.google_compute_global_address.ip", needs: "module.web", argument: "name" },
    { address: "local.port", needs: "module.web", argument: "value" },
    {
      address: "google_compute_global_forwarding_rule.web",
      needs: "data.google_compute_global_address.ip",
      argument: "ip_address",
    },
    { address: "output.next", needs: "local.port", argument: "value" },
  ]);
});

test("finds no dependents if nothing is deleted", () => {
  expect(dependentsOf({ resource: { google_a: { b: { count: "${length(module.web.all)}" } } } }, [], schemaOf)).toEqual(
    [],
  );
});
