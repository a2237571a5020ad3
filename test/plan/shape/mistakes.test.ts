import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { stepsOf } from "../../../lib/json/pointer";
import { type MigrationSpec, planMigration, withRemedy } from "../../../lib/plan";
import schema from "../../../lib/plan/migration.schema.json";
import { isPlain } from "../../../lib/plan/shape";
import { textPattern } from "../../../lib/plan/shape/reference";
import { replaceAt, specsWithEveryField } from "../../support/every-field";
import { runs } from "../../support/runs";

const base: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["www.example.com"] }],
  dns: { kind: "external" },
};

const errorsOf = (spec: unknown) =>
  planMigration(spec as MigrationSpec)
    .findings.filter(({ severity }) => severity === "error")
    .map((finding) => `${finding.subject} ${withRemedy(finding)} [${finding.code}]`);

const traffic = { previous: { "www.example.com": { a: ["198.51.100.1"] } } };

test("accepts the specs that contain every property", () => {
  expect(specsWithEveryField().flatMap(errorsOf)).toEqual([]);
});

test("has a value for each property of the schema in these specs", () => {
  const given = new Set(specsWithEveryField().flatMap((spec) => namesIn(spec)));
  const known = [schema, ...Object.values(schema.definitions)].flatMap((type) =>
    "properties" in type ? Object.keys(type.properties) : [],
  );
  expect(known.filter((name) => !given.has(name))).toEqual([]);
});

describe("refuses a value that is not one of its words", () => {
  test.each([
    [
      { traffic: { ...traffic, to: "Previous" } },
      "'traffic.to' is the text 'Previous': use 'previous' or 'loadBalancer'; did you mean 'previous'?",
    ],
    [
      { traffic: { ...traffic, to: "loadbalancer" } },
      "'traffic.to' is the text 'loadbalancer': use 'previous' or 'loadBalancer'; did you mean 'loadBalancer'?",
    ],
    [
      { traffic: { ...traffic, to: "${var.to}" } },
      "'traffic.to' is the text '${var.to}': use 'previous' or 'loadBalancer'",
    ],
    [
      { gate: "Wait" },
      "'gate' is the text 'Wait': use 'wait' or 'precondition' or 'check' or 'none'; did you mean 'wait'?",
    ],
    [{ phase: "" }, "'phase' is the text '': use 'issue' or 'serve'"],
    [{ phase: null }, "'phase' is empty: use 'issue' or 'serve'"],
    [
      { authorizationType: "PER_PROJECT" },
      "'authorizationType' is the text 'PER_PROJECT': use 'FIXED_RECORD' or 'PER_PROJECT_RECORD'",
    ],
  ])("%j", (change, message) => {
    expect(errorsOf({ ...base, ...change })).toEqual([expect.stringContaining(`${message} [value-not-allowed]`)]);
  });
});

describe("refuses a value of another type, and a property that does not exist", () => {
  test.each([
    [
      { enableApis: "true" },
      "/enableApis 'enableApis' is the text 'true': write true or false, without quotes [value-wrong-type]",
    ],
    [
      { mustserve: [] },
      "/mustserve unknown property 'mustserve' of the migration: did you mean 'mustServe'? [property-unknown]",
    ],
    [
      { certificates: [{ domains: "a.example.com" }] },
      `/certificates/0/domains 'certificates[0].domains' is the text 'a.example.com': write a list, as in ["a.example.com"] [value-wrong-type]`,
    ],
    [{ certificates: {} }, "/certificates 'certificates' is a mapping: write a list [value-wrong-type]"],
    [{ loadBalancer: null }, "/loadBalancer 'loadBalancer' is empty: write a mapping [value-wrong-type]"],
    [
      { dns: { kind: "cloudDns", zones: { "example.com": undefined } } },
      "/dns/zones/example.com 'dns.zones[\"example.com\"]' is undefined: write text or a mapping [value-wrong-type]",
    ],
    [
      { gateTimeoutMinutes: Number.NaN },
      "/gateTimeoutMinutes 'gateTimeoutMinutes' is the number NaN: write a whole number [value-wrong-type]",
    ],
    [{ labels: { team: () => 1 } }, "/labels/team 'labels.team' is a function: write text [value-wrong-type]"],
  ])("%j", (change, message) => {
    expect(errorsOf({ ...base, ...change })).toEqual([message]);
  });

  test.each([[null], [[]], ["shop"], [7], [undefined]])("%j in place of a spec", (value) => {
    expect(errorsOf(value)).toHaveLength(1);
    expect(errorsOf(value)[0]).toMatch(/^ the migration is .*: write a mapping \[value-wrong-type\]$/);
  });
});

describe("reports the mistakes of all other values in the same pass", () => {
  const place = (spec: unknown) =>
    errorsOf(spec)
      .map((line) => line.replace(/ .*\[/, " ["))
      .sort();

  test.each<[string, unknown, readonly string[]]>([
    [
      "beside a word that is not allowed",
      { ...base, gate: "Wait", project: "My_Project", labels: { Team: "web" } },
      ["/gate [value-not-allowed]", "/labels/Team [label-key-invalid]", "/project [project-invalid]"],
    ],
    [
      "beside another pair of the same mapping",
      { ...base, labels: { team: "%{x}", Env: "prod" } },
      ["/labels/Env [label-key-invalid]", "/labels/team [expression-not-allowed]"],
    ],
    [
      "at their places in the given list, if an earlier item is left out",
      { ...base, certificates: ["a.example.com", { domains: ["localhost"] }, { domains: ["b.example.com"] }] },
      ["/certificates/0 [value-wrong-type]", "/certificates/1/domains/0 [hostname-not-public]"],
    ],
    [
      "without those that follow from a mistake: names that only the certificate with the mistake covers",
      { ...base, certificates: [{ domains: "www.example.com" }], mustServe: ["www.example.com", "localhost"] },
      ["/certificates/0/domains [value-wrong-type]", "/mustServe/1 [hostname-not-public]"],
    ],
    [
      "without those that follow from a missing property",
      { name: "shop", project: "My_Project" },
      [" [property-missing]", " [property-missing]", "/project [project-invalid]"],
    ],
    [
      "without those that depend on the kind of the load balancer",
      { ...base, loadBalancer: { kind: "regional", region: "europe-west1" }, authorizationType: "FIXED_RECORD" },
      ["/loadBalancer/kind [value-not-allowed]"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(place(spec)).toEqual(expected);
  });
});

const accepts = (forms: Parameters<typeof textPattern>[0], text: string) => new RegExp(textPattern(forms)).test(text);
const references = [
  "${var.zone}",
  "${local.names.first}",
  "${module.dns.zone}",
  '${module.dns["a b/c"].zone}',
  "${data.google_project.this.project_id}",
  "${google_compute_url_map.web.id}",
  "${google_compute_url_map.web[0].id}",
  '${google_compute_address.ip["*.example.com"].address}',
  "${ var.zone }",
  "${var.projékt}",
];
const expressions = [
  '${file("key.pem")}',
  '${"x; touch f; echo "}',
  "${var.a + var.b}",
  "${var.a}${var.b}",
  "${[for x in var.y : x]}",
  "${var.a[var.b]}",
  "${var.a[*].id}",
  "${var.list[count.index]}",
  '${var.a["${file("x")}"]}',
  '${var.a["\\n"]}',
  "${path.module}",
  "${terraform.workspace}",
  "${each.value}",
  "${self.id}",
  "${provider::google::region_from_id(var.a)}",
  "${~ var.a ~}",
  "${var}",
  "${var.a\u202eb}",
  "${var.",
  "${TfToken[TOKEN.5]}",
  "%{ if true }x%{ endif }",
  "%{off}",
  "${var.a} %{x}",
];

test.each(references)("an id may be %s, also between slashes", (text) => {
  expect(accepts(["id"], text)).toBe(true);
  expect(accepts(["id"], `projects/${text}/global/urlMaps/${text}`)).toBe(true);
  expect(accepts(["id"], `projects/p-${text}/x`)).toBe(false);
  expect(accepts(["whole"], text)).toBe(true);
  expect(accepts([], text)).toBe(false);
});

test.each(expressions)("no field accepts %s", (text) => {
  for (const forms of [[], ["id"], ["whole"], ["id", "variables"]] as const) {
    expect(accepts(forms, text)).toBe(text === "${var.a}${var.b}" && forms.length === 2);
    expect(accepts(forms, `projects/${text}/x`)).toBe(text === "${var.a}${var.b}" && forms.length === 2);
  }
});

test.each<[string, boolean]>([
  ["${var.env}", true],
  ["shop-${var.env}", true],
  ["${var.env}-${var.region}", true],
  ["${local.env}", false],
  ["${google_project.this.project_id}", false],
  ['${var.env["a"]}', false],
  ["$${var.env}", false],
  ["100 % of $5", true],
])("a label %s: %s", (text, expected) => {
  expect(accepts(["variables"], text)).toBe(expected);
});

test.each<[string, boolean]>([
  ["$${file}", true],
  ["%%{off}", true],
  ["$5, 100 %, $$ and %%", true],
  ["a $ { b }", true],
  ["$$${x}", true],
  ["%%%{x}", true],
  ["$$ ${x}", false],
  ["%$${x}", true],
])("a text %j: %s", (text, expected) => {
  expect(accepts([], text)).toBe(expected);
});

test("decides about a text of a million characters at once", () => {
  const hostile = [
    "$".repeat(1e6),
    "%".repeat(1e6),
    "${".repeat(5e5),
    `\${a${".b".repeat(5e5)}`,
    `\${var.a["${"x".repeat(1e6)}`,
  ];
  for (const forms of [[], ["id"], ["variables"], ["whole"], ["id", "variables"]] as const) {
    expect(hostile.map((text) => accepts(forms, text))).toEqual([true, true, false, false, false]);
  }
});

test("plans exactly the values of the spec, or reports an error, for any JSON value at any place of a spec", () => {
  const specs = specsWithEveryField();
  const places = specs.flatMap((spec) => pointersIn(spec).map((pointer) => ({ spec, pointer })));
  fc.assert(
    fc.property(fc.constantFrom(...places), anyValue, ({ spec, pointer }, value) => {
      const changed = replaceAt(spec, stepsOf(pointer), { value });
      const plan = planMigration(changed as MigrationSpec);
      if (plan.findings.some(({ severity }) => severity === "error")) return;
      const { phase = "serve", gate = "wait", traffic: moved, existingCertificateMap } = changed as MigrationSpec;
      expect([plan.phase, plan.gate, plan.traffic?.to]).toEqual([phase, gate, moved?.to]);
      if (plan.attachment.via === "certificateMap" && phase === "serve") {
        expect(plan.map?.kind).toBe(existingCertificateMap === undefined ? "new" : "existing");
      }
    }),
    runs(1500),
  );
});

/** JSON values, and the words and forms that specs contain. */
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    undefined,
    "",
    "Wait",
    "none",
    "check",
    "issue",
    "Serve",
    "previous",
    "Previous",
    "loadBalancer",
    "globalExternal",
    "${var.x}",
    '${file("x")}',
    "%{off}",
    "${TfToken[TOKEN.1]}",
    -1.8881545897087626e289,
    ["#{TfToken[TOKEN.1]}"],
    JSON.parse('{"__proto__": {"to": "loadBalancer"}}'),
  ),
);

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...namesIn(item)]);
}

function pointersIn(value: unknown, at = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    pointersIn(item, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return at === "" ? inner : [at, ...inner];
}

test("an object is plain without a prototype or with the prototype of a literal, also of another context", () => {
  const objects = [{}, Object.create(null), runInNewContext("({})"), new (class Spec {})(), new Map()];
  expect(objects.map(isPlain)).toEqual([true, true, true, false, false]);
});
