import fc from "fast-check";
import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import { keysOf, nameWithKey, withoutKeys } from "../../lib/check-plan/kinds";
import { InputError } from "../../lib/errors";
import { hugePlan } from "./huge-plan";

test.each(["", "{}", "[]", '{"format_version":"1.0","values":{}}', '{"format_version":"1.2"}'])(
  "refuses %j as a plan",
  (text) => {
    expect(() => readTerraformPlan(text, "plan.json")).toThrow(expect.objectContaining({ code: "plan-malformed" }));
  },
);

test.each<readonly [string, string]>([
  ["[]", "the plan is not an object"],
  ["{}", "'format_version' and 'planned_values' are missing"],
  ['{"planned_values":{}}', "'format_version' is missing"],
  ['{"format_version":"1.2"}', "'planned_values' is missing"],
  ['{"format_version":1.2,"planned_values":{}}', "'format_version' is not a string"],
  ['{"format_version":"1.0","values":{}}', "'planned_values' is missing, and 'values' is what the JSON of a state has"],
  ['{"format_version":"1.2","planned_values":{},"resource_changes":{}}', "'resource_changes' is not a list"],
])("explains for %s which part of a plan is missing", (text, lacks) => {
  expect(() => readTerraformPlan(text, "plan.json")).toThrow(
    `'plan.json' is not the JSON of a plan: ${lacks}; pass the output of 'terraform show -json PLAN'`,
  );
});

test("checks a resource whose type is named like a member of every object", () => {
  for (const type of ["__proto__", "constructor"]) {
    const change = {
      address: `${type}.x`,
      mode: "managed",
      type,
      change: { actions: ["update"], before: {}, after: {} },
    };
    const plan = { format_version: "1.2", planned_values: {}, resource_changes: [change] };
    expect(readTerraformPlan(JSON.stringify(plan), "plan.json").changes).toMatchObject([{ type }]);
  }
});

test("reads a plan after the byte order mark of Windows", () => {
  expect(
    readTerraformPlan('\uFEFF{"format_version":"1.2","planned_values":{}}', "plan.json").completeness.errored,
  ).toBe(false);
});

test("refuses a plan of a future format, and lists the formats that it reads", () => {
  expect(() => readTerraformPlan('{"format_version":"2.0","planned_values":{}}', "plan.json")).toThrow(
    /^'plan\.json' has the format 2\.0, which this version cannot read; formats 0\.1 to 1\.x can be read;/,
  );
});

test.each<readonly [string, string, readonly string[]]>([
  ["a.b", "a.b", [""]],
  ["a.b[0]", "a.b", ["[0]"]],
  [
    'module.x["a.b[0]"].module.y[1].data.a.b["]\\"."]',
    "module.x.module.y.data.a.b",
    ['["a.b[0]"]', "[1]", '["]\\"."]'],
  ],
  ["module.x.a.b", "module.x.a.b", ["", ""]],
])("parses the address %s to %s with the keys %j", (address, bare, keys) => {
  expect([withoutKeys(address), keysOf(address)]).toEqual([bare, keys]);
});

test("parses a path name by name, whatever the brackets contain", () => {
  expect(nameWithKey('certificate["a.b"].id')).toEqual({ name: "certificate", key: '["a.b"]', rest: "id" });
  expect(nameWithKey("certificate[each.key].id")?.rest).toBe("id");
  expect(nameWithKey("")).toBeUndefined();
});

/** Generates values with the fields of a plan and arbitrary content. */
const anyPlan = fc.record(
  {
    format_version: fc.constantFrom("1.2", "0.1", "x", 1),
    planned_values: fc.jsonValue(),
    prior_state: fc.jsonValue(),
    resource_changes: fc.array(
      fc.record({
        address: fc.oneof(fc.string(), fc.constant('module.m["k"].google_dns_record_set.a'), fc.jsonValue()),
        mode: fc.constant("managed"),
        type: fc.constantFrom(
          "google_certificate_manager_certificate",
          "google_certificate_manager_certificate_map_entry",
          "google_certificate_manager_dns_authorization",
          "google_compute_target_https_proxy",
          "google_compute_ssl_certificate",
          "google_dns_record_set",
          "aws_route53_record",
          "azurerm_dns_a_record",
        ),
        change: fc.record({
          actions: fc.subarray(["create", "delete", "update", "no-op"]),
          before: fc.dictionary(
            fc.constantFrom("name", "type", "rrdatas", "managed", "certificates", "map"),
            fc.jsonValue(),
          ),
          after: fc.dictionary(fc.constantFrom("name", "type", "rrdatas", "certificate", "hostname"), fc.jsonValue()),
          after_unknown: fc.jsonValue(),
        }),
      }),
    ),
    configuration: fc.jsonValue(),
    checks: fc.jsonValue(),
    deferred_changes: fc.jsonValue(),
  },
  { requiredKeys: ["format_version", "planned_values"] },
);

test("checks any plan, or refuses it as invalid", () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      try {
        const { ok, dangers } = checkPlan(
          readTerraformPlan(JSON.stringify(plan), "plan.json"),
          new Date("2026-11-21T00:00:00Z"),
        );
        expect(ok).toBe(dangers.every(({ severity }) => severity === "warning"));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
  );
});

test("reads a value without a text where Terraform has a text", () => {
  const plan = {
    format_version: "1.2",
    planned_values: {},
    resource_changes: ["azurerm_dns_a_record", "google_dns_record_set"].map((type) => ({
      address: `${type}.a`,
      mode: "managed",
      type,
      change: { actions: ["create"], before: null, after: { name: { toString: null }, type: [{ toString: null }] } },
    })),
  };
  expect(checkPlan(readTerraformPlan(JSON.stringify(plan), "plan.json")).ok).toBe(true);
});

test("terminates for a module that receives its own outputs, which Terraform never plans", () => {
  const resource = "google_certificate_manager_certificate_map_entry.e";
  const inner = {
    outputs: { id: { expression: { references: ["var.id"] } } },
    resources: [{ address: resource, expressions: { certificates: { references: ["var.id"] } } }],
  };
  const plan = {
    format_version: "1.2",
    planned_values: {},
    resource_changes: [
      {
        address: `module.m.${resource}`,
        mode: "managed",
        type: "google_certificate_manager_certificate_map_entry",
        change: {
          actions: ["update"],
          before: { hostname: "a.example", certificates: ["c"] },
          after: { hostname: "a.example", certificates: [] },
          after_unknown: { certificates: true },
        },
      },
    ],
    configuration: {
      root_module: {
        module_calls: { m: { expressions: { id: { references: ["module.m.id", "module.m"] } }, module: inner } },
      },
    },
  };
  const { dangers } = checkPlan(readTerraformPlan(JSON.stringify(plan), "plan.json"));
  expect(dangers.map(({ code }) => code)).toEqual(["repointed-to-inactive"]);
});

test.each(["forEach", "apart"] as const)("checks each of thousands of resources: %s", (style) => {
  const { dangers } = checkPlan(readTerraformPlan(hugePlan(200, style), "plan.json"));
  expect(new Set(dangers.map(({ code }) => code))).toEqual(new Set(["traffic-before-verification"]));
  expect(dangers).toHaveLength(200);
});
