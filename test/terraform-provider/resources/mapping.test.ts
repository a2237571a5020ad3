import { apiName, fromApi, type Mapping, toApi } from "../../../lib/terraform-provider/resources/mapping";
import type { Attribute, AttributeType, SchemaBlock } from "../../../lib/terraform-provider/schema";

const optional = (type: AttributeType): Attribute => ({
  type,
  required: false,
  optional: true,
  computed: false,
  sensitive: false,
  writeOnly: false,
});
const computed = (type: AttributeType): Attribute => ({ ...optional(type), optional: false, computed: true });

const schema: SchemaBlock = {
  attributes: new Map([
    ["id", optional("string")],
    ["timeout_sec", optional("number")],
    ["scope", optional("string")],
    ["enable_cdn", optional("bool")],
    ["draining_sec", optional("number")],
    ["generated_id", computed("number")],
    ["targets", computed(["list", ["object", { ip_address: "string", ports: ["list", "number"] }]])],
    ["options", optional(["map", "string"])],
  ]),
  blocks: new Map([
    [
      "managed",
      {
        nesting: "list",
        minItems: 0,
        maxItems: 1,
        block: { attributes: new Map([["dns_authorizations", optional(["list", "string"])]]), blocks: new Map() },
      },
    ],
    [
      "host_rule",
      {
        nesting: "set",
        minItems: 0,
        maxItems: 0,
        block: { attributes: new Map([["path_matcher", optional("string")]]), blocks: new Map() },
      },
    ],
  ]),
};

const mapping: Mapping = {
  apiNames: { enable_cdn: "enableCDN", draining_sec: "draining.seconds", host_rule: "hostRules", generated_id: "id" },
  foreign: ["id"],
  defaults: { scope: "DEFAULT" },
};

test("sends attributes by the API's names, without absent and output-only attributes", () => {
  const values = {
    id: "x",
    timeout_sec: 30,
    scope: null,
    enable_cdn: false,
    draining_sec: 300,
    generated_id: 7,
    options: { some_key: "v" },
    managed: [{ dns_authorizations: ["a"] }],
    host_rule: [{ path_matcher: "m" }],
  };

  expect(toApi(schema, mapping, values)).toEqual({
    timeoutSec: 30,
    enableCDN: false,
    draining: { seconds: 300 },
    options: { some_key: "v" },
    managed: { dnsAuthorizations: ["a"] },
    hostRules: [{ pathMatcher: "m" }],
  });
});

test("reads an answer by the schema, with defaults for missing members", () => {
  const answer = {
    id: "9223372036854775807",
    timeoutSec: "30",
    draining: { seconds: 300 },
    targets: [{ ipAddress: "192.0.2.1", ports: [443] }],
    managed: { dnsAuthorizations: ["a"] },
    hostRules: [{ pathMatcher: "m" }],
  };

  expect(fromApi(schema, mapping, answer)).toEqual({
    timeout_sec: 30,
    scope: "DEFAULT",
    enable_cdn: null,
    draining_sec: 300,
    generated_id: 9_223_372_036_854_775_807n,
    targets: [{ ip_address: "192.0.2.1", ports: [443] }],
    options: null,
    managed: [{ dns_authorizations: ["a"] }],
    host_rule: [{ path_matcher: "m" }],
  });
});

test("reads no blocks from an empty answer", () => {
  expect(fromApi(schema, mapping, {})).toMatchObject({ managed: [], host_rule: [], generated_id: null });
});

test.each([
  ["san_dnsnames", "sanDnsnames"],
  ["http2_health_check", "http2HealthCheck"],
  ["managed.dns_authorizations", "dnsAuthorizations"],
  ["enable_cdn", "enableCDN"],
])("maps %s to %s", (name, expected) => {
  expect(apiName(mapping, name)).toBe(expected);
});
