import { withKnownValues } from "../../lib/rehearsal/known-values";

const provider = {
  google: [
    { project: "p1", region: "r1" },
    { alias: "dns", project: "p2" },
  ],
};
const written = (text: string, more: object, env: Readonly<Record<string, string>> = {}) => {
  const stack = withKnownValues({ provider, ...more, resource: { a: { b: { text } } } }, env);
  return (stack.resource as { readonly a: { readonly b: { readonly text: unknown } } }).a.b.text;
};

test.each<[string, string, object, unknown]>([
  ["a default of a variable", "${var.zone}", { variable: { zone: { default: "z", type: "string" } } }, "z"],
  ["a part of a text", "a-${var.zone}-b", { variable: { zone: { default: "z" } } }, "a-z-b"],
  ["a number as a number", "${var.ttl}", { variable: { ttl: { default: 60, type: "number" } } }, 60],
  ["a local of a local", "${local.b}", { locals: { a: "x", b: "${local.a}-y" } }, "x-y"],
  [
    "a local of a variable",
    "${local.a}",
    { variable: { zone: { default: "z" } }, locals: { a: "${var.zone}.example" } },
    "z.example",
  ],
  [
    "the provider's project",
    "${data.google_client_config.c.project}",
    { data: { google_client_config: { c: {} } } },
    "p1",
  ],
  [
    "the project of an aliased provider",
    "${data.google_project.p.project_id}",
    { data: { google_project: { p: { provider: "google.dns" } } } },
    "p2",
  ],
  [
    "a secret as a reference",
    "${var.key}",
    { variable: { key: { default: "secret", sensitive: true } } },
    "${var.key}",
  ],
  ["a list as a list", "${var.l}", { variable: { l: { default: ["a"], type: "list(string)" } } }, "${var.l}"],
  ["a value that contains an expression", "${var.x}", { variable: { x: { default: "$" + "{y}" } } }, "${var.x}"],
  ["no argument of a function", "${upper(var.x)}", { variable: { x: { default: "a" } } }, "${upper(var.x)}"],
  ["no escaped expression", "a $${var.x}", { variable: { x: { default: "a" } } }, "a $${var.x}"],
  ["no circular locals", "${local.a}", { locals: { a: "${local.a}" } }, "${local.a}"],
])("resolves %s", (_, text, more, expected) => {
  expect(written(text, more)).toEqual(expected);
});

test("prefers the environment to the default, as Terraform does", () => {
  const variable = { zone: { default: "z" }, ttl: { type: "number", default: 60 } };
  expect(written("${var.zone}", { variable }, { TF_VAR_zone: "other" })).toBe("other");
  expect(written("${var.ttl}", { variable }, { TF_VAR_ttl: "300" })).toBe(300);
});
