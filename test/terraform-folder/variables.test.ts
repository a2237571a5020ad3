import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { modulesWithValuesIn, stackWithValues } from "../../lib/terraform-folder";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "variables-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

const variable = { project: { type: "string" }, count: { type: "number", default: 2 }, key: { sensitive: true } };
const read = { project: "${var.project}", path: "projects/${var.project}/x", count: "${var.count}", key: "${var.key}" };
const json = { variable, resource: { a: { b: read } }, output: { cert_migration: {} } };
const unknown = { ...read, count: 2 };
const known = (project: string, others = {}) => ({ ...unknown, project, path: `projects/${project}/x`, ...others });

/** Returns the arguments of the resource of the only module. */
function argumentsWith(env: Readonly<Record<string, string>> = {}): unknown {
  const modules = modulesWithValuesIn(root, env).map((module) => module.json as typeof json);
  expect(modules).toHaveLength(1);
  return modules[0]?.resource.a.b;
}

describe("reads the variables of a generated module that is the root module", () => {
  test.each<[from: string, files: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>, string]>([
    ["the environment", {}, { TF_VAR_project: "shop-1" }, "shop-1"],
    ["terraform.tfvars", { "terraform.tfvars": 'project = "shop-1" # prod\n' }, {}, "shop-1"],
    ["terraform.tfvars over the environment", { "terraform.tfvars": 'project="b"' }, { TF_VAR_project: "a" }, "b"],
    [
      "the last of all files",
      {
        "terraform.tfvars": 'project = "a"',
        "terraform.tfvars.json": { project: "b" },
        "2.auto.tfvars": 'project = "d"',
        "1.auto.tfvars.json": { project: "c" },
        "other.tfvars": 'project = "e"',
      },
      {},
      "d",
    ],
  ])("from %s", (_, files, env, expected) => {
    write({ "main.tf.json": json, ...files });
    expect(argumentsWith(env)).toEqual(known(expected));
  });

  test("but never a sensitive variable, and no value of another type", () => {
    write({ "main.tf.json": json, "terraform.tfvars": 'key = "secret"\ncount = "many"\n' });
    expect(argumentsWith()).toEqual(read);
    write({ "terraform.tfvars": 'count = "3"\nproject = {\n  project = "no"\n}\n' });
    expect(argumentsWith({ TF_VAR_project: "hidden" })).toEqual({ ...read, count: 3 });
  });
});

describe("reads the arguments of a module block", () => {
  const call = (body: string) => `module "shop" {\n  source = "./shop" // here\n  ${body}\n}\n`;
  test.each<[what: string, main: string, expected: unknown]>([
    ["a text", call('project = "shop-1"'), known("shop-1")],
    ["a variable of the root module", `variable "p" {}\n${call("project = var.p")}`, known("given")],
    ["the default of a variable", `variable "q" {\n  default = "usual"\n}\n${call("project = var.q")}`, known("usual")],
    ["another expression", call('project = "${var.p}-x"'), unknown],
    ["a value of a nested object", call('providers = { project = "no" }'), unknown],
    ["two calls with different values", call('project = "a"') + call('project = "b"'), unknown],
    ["two calls, one without the argument", call("count = 2") + call('project = "b"'), read],
    ["another module", `${call("")}module "x" {\n  source  = "./x"\n  project = "no"\n}\n`, unknown],
  ])("%s", (_, main, expected) => {
    write({ "shop/main.tf.json": json, "main.tf": main, "terraform.tfvars": 'p = "given"\nproject = "of-the-root"\n' });
    expect(argumentsWith()).toEqual(expected);
  });

  test("in JSON", () => {
    const main = { variable: { p: { default: "usual" } }, module: { shop: { source: "./shop", project: "${var.p}" } } };
    write({ "shop/main.tf.json": json, "main.tf.json": main });
    expect(argumentsWith()).toEqual(known("usual"));
    expect(argumentsWith({ TF_VAR_p: "given" })).toEqual(known("given"));
  });
});

describe("refuses files that Terraform can't read either, with their lines:", () => {
  const main = 'module "shop" {\n  source = "./shop"\n}\n';
  const files = (names: Readonly<Record<string, unknown>>) => ({
    "shop/main.tf.json": json,
    "main.tf": main,
    ...names,
  });
  test.each<[what: string, files: Readonly<Record<string, unknown>>, messages: readonly string[]]>([
    ["a block without end", { "main.tf": `${main}locals {\n` }, ["main.tf:4: '{' has no end"]],
    [
      "the inner of two blocks",
      { "a.tf": "a {\n  b {\n  }\n  c = [\n}\n" },
      ["a.tf:5: '}' ends nothing that has begun before"],
    ],
    ["an end too much", { "a.tf": "a {\n}\n}\n" }, ["a.tf:3: '}' ends nothing that has begun before"]],
    ["JSON", { "a.tf.json": '{\n"a": 1,\n}' }, ["a.tf.json:3: not valid JSON"]],
    ["JSON that ends", { "x.auto.tfvars.json": '{\n"a": 1' }, ["x.auto.tfvars.json:2: not valid JSON"]],
    [
      "each file",
      { "terraform.tfvars": "a = [1\n", "z.tf": "z {" },
      ["terraform.tfvars:1: '[' has no end", "z.tf:1: '{' has no end"],
    ],
  ])("%s", (_, broken, messages) => {
    write(files(broken));
    const expected = messages.map((message) => `${join(root, message)}; correct the file`);
    expect(() => modulesWithValuesIn(root, {})).toThrow(expected.join("\n"));
  });

  test("but brackets in strings, comments and heredocs are text", () => {
    write(files({ "a.tf": '# {\na = "}{"\n/* [ */\nb = <<EOT\n{ ( [\nEOT\nc = "${d["x}"]}"\n' }));
    expect(modulesWithValuesIn(root, {})).toHaveLength(1);
  });

  test("but not a folder that does not exist, and no file in its place, which the caller reports", () => {
    write({ file: "a {" });
    expect(modulesWithValuesIn(join(root, "nowhere"), {})).toEqual([]);
    expect(modulesWithValuesIn(join(root, "file"), {})).toEqual([]);
  });

  test("also the values of a synthesized stack", () => {
    write({ "terraform.tfvars": "a = {\n" });
    expect(() => stackWithValues(root, { variable }, {})).toThrow(
      `${join(root, "terraform.tfvars")}:1: '{' has no end`,
    );
  });
});

test("replaces the variables of a synthesized stack, and leaves literal text", () => {
  write({ "terraform.tfvars": 'project = "shop-1"' });
  const stack = {
    variable,
    locals: { literal: "$${var.project}", used: "${var.project}", spaced: "${ var.project }" },
  };
  expect(stackWithValues(root, stack, {})).toEqual({
    variable,
    locals: { literal: "$${var.project}", used: "shop-1", spaced: "shop-1" },
  });
});
