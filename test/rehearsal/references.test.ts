import { placeholderOf, withoutReferences } from "../../lib/rehearsal/references";

const gone = ["random_id.suffix", "data.terraform_remote_state.net", "module.web", "aws_route53_zone.a-b"];

test.each([
  ["an attribute", "${random_id.suffix.hex}", "left-out-random-id-suffix"],
  ["a part of a name", "shop-${random_id.suffix.hex}", "shop-left-out-random-id-suffix"],
  [
    "an output of another stack",
    "${data.terraform_remote_state.net.outputs.vpc}",
    "left-out-data-terraform-remote-state-net",
  ],
  [
    "an index and a splat",
    "${module.web.urls[0].x}-${module.web.urls[*].y}",
    "left-out-module-web-left-out-module-web",
  ],
  [
    "an argument of a function",
    '${join("-", [random_id.suffix.hex, "a"])}',
    '${join("-", ["left-out-random-id-suffix", "a"])}',
  ],
  ["an expression with braces", "${{a = random_id.suffix.hex}}", '${{a = "left-out-random-id-suffix"}}'],
  [
    "an expression with braces in braces",
    "${jsonencode({a = {b = [{c = random_id.suffix.hex}]}})} ${var.x}",
    '${jsonencode({a = {b = [{c = "left-out-random-id-suffix"}]}})} ${var.x}',
  ],
  ["an expression in a text of another", '${upper("a-${module.web.x}")}', '${upper("a-left-out-module-web")}'],
  ["a directive", '%{ if module.web.x == "" }a%{ endif }', '%{ if "left-out-module-web" == "" }a%{ endif }'],
  [
    "no escaped expression",
    "$${random_id.suffix.hex} %%{ module.web.x }",
    "$${random_id.suffix.hex} %%{ module.web.x }",
  ],
  ["no unclosed brace", "${random_id.suffix.hex", '${"left-out-random-id-suffix"'],
  ["a name with a dash", "${aws_route53_zone.a-b.id}", "left-out-aws-route53-zone-a-b"],
  ["another resource with a longer name", "${random_id.suffix2.hex}", "${random_id.suffix2.hex}"],
  ["an attribute of the same name", "${var.random_id.suffix.hex}", "${var.random_id.suffix.hex}"],
  ["text outside of expressions", "random_id.suffix.hex", "random_id.suffix.hex"],
])("finds %s", (_, text, expected) => {
  expect(withoutReferences({ a: [text] }, gone)).toEqual({ a: [expected] });
});

test("removes the dependencies on a removed resource, and keeps the others", () => {
  const block = {
    depends_on: ["random_id.suffix", "google_a.b"],
    lifecycle: { replace_triggered_by: ["module.web"] },
    n: 1,
    x: null,
  };
  expect(withoutReferences(block, gone)).toEqual({
    depends_on: ["google_a.b"],
    lifecycle: { replace_triggered_by: [] },
    n: 1,
    x: null,
  });
});

test("uses placeholder names that every service accepts", () => {
  const name = placeholderOf(`data.google_x.${"Long_Name".repeat(20)}`);
  expect(name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])$/);
});
