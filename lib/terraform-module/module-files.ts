/** The files beside a module: a page about it, and tests for `terraform test`. */
import { type Fields, fieldsOf, listOf } from "../json/fields";
import { keyRule } from "./input-roles";
import { exampleInputsOf, isSecret } from "./inputs";
import type { TerraformModule } from "./model";
import { certificateType } from "./private-keys";

/** Name of the page about the module. */
export const readmeFile = "README.md";
/** Path of the tests in the folder of the module. */
export const testFile = "tests/migration.tftest.hcl";

interface Described {
  readonly address: string;
  readonly type: string;
  readonly block: Fields;
}

const entryType = "google_certificate_manager_certificate_map_entry";

/** Returns the page about a module: its inputs, outputs and resources, and how to write it again. */
export function readmeOf({ configuration, addresses }: TerraformModule, name: string): string {
  const [generated = "", regenerate = ""] = listOf(configuration["//"]).map(String);
  const { required_version: terraform, required_providers: providers } = fieldsOf(configuration.terraform);
  const google = fieldsOf(fieldsOf(providers).google);
  const inputs = Object.entries(fieldsOf(configuration.variable));
  const outputs = Object.entries(fieldsOf(configuration.output));
  return `${[
    `<!-- ${generated} -->`,
    "",
    `# Module of the migration ${plainText(name)}`,
    "",
    `${regenerate.replace(": cert-migration", ":\n\n```sh\nnpx cert-migration")}\n\`\`\``,
    "",
    `The module needs Terraform or OpenTofu ${code(terraform)} and the provider ${code(google.source)} ${code(google.version)}.`,
    "",
    "## Inputs",
    "",
    ...(inputs.length === 0
      ? ["None."]
      : table(
          ["Name", "Meaning", "Type", "Required"],
          inputs.map(([input, block]) => inputRow(input, fieldsOf(block))),
        )),
    "",
    "## Outputs",
    "",
    ...table(
      ["Name", "Value"],
      outputs.map(([output, block]) => [code(output), cell(fieldsOf(block).description)]),
    ),
    "",
    "## Resources",
    "",
    ...table(["Address", "Name or purpose"], describedIn(configuration, addresses).map(resourceRow)),
    "",
    "## Tests",
    "",
    "`terraform init && terraform test` in this folder checks the names, the map entries and the gates. The provider is",
    "mocked: the tests need no credentials, run no gate and change nothing. They need Terraform 1.7 or OpenTofu 1.8.",
  ].join("\n")}\n`;
}

function inputRow(name: string, block: Fields): readonly string[] {
  const rules = listOf(block.validation).map((rule) => /must (.*)\.$/.exec(String(fieldsOf(rule).error_message))?.[1]);
  const meaning = [cell(block.description), ...rules.map((rule) => `must ${cell(rule)}`)].join("; ");
  return [
    code(name),
    isSecret(block) ? `${meaning}; secret` : meaning,
    code(block.type),
    "default" in block ? "no" : "yes",
  ];
}

function resourceRow({ address, type, block }: Described): readonly string[] {
  if (type === "terraform_data") return [code(address), "gate"];
  const isOfAuthorization = String(block.name).startsWith(`\${${authorizationType}.`);
  return [code(address), isOfAuthorization ? "CNAME record of the authorization" : code(block.name)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
}

function code(value: unknown): string {
  return `\`${String(value ?? "").replaceAll("|", "|")}\``;
}

/** Returns a text without effect on the Markdown around it. */
function plainText(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|-]/g, "\\$&");
}

/** Returns a text for a cell of a table, where `|` ends a cell and `<` begins HTML. */
function cell(value: unknown): string {
  return String(value ?? "")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll(/\s+/g, " ");
}

function describedIn(configuration: Fields, addresses: readonly string[]): readonly Described[] {
  return addresses.map((address) => {
    const [type = "", id = ""] = address.split(".");
    return { address, type, block: fieldsOf(fieldsOf(fieldsOf(configuration.resource)[type])[id]) };
  });
}

/**
 * Returns tests of a module for `terraform test`: names, entries and gates. The provider is mocked, so that they need
 * no credentials. They run no gate: with the gate `wait` they only plan.
 */
export function testsOf({ configuration, addresses, keyVariables }: TerraformModule, spec: object): string {
  const resources = describedIn(configuration, addresses);
  const command = commandFor(resources);
  const keys = Object.fromEntries(keyVariables.map((name) => [name, keyRule.example]));
  const declared = fieldsOf(configuration.variable);
  const values = Object.entries({ ...exampleInputsOf(spec), ...keys });
  const variables = Object.fromEntries(values.filter(([name]) => name in declared));
  const runs = [
    runOf("names", command, resources.flatMap(nameAssertion)),
    runOf("entries", command, resources.filter(({ type }) => type === entryType).map(entryAssertion)),
    runOf(
      "gates",
      command,
      resources
        .filter(({ type, block }) => type === "terraform_data" && listOf(block.triggers_replace).length > 0)
        .map(gateAssertion),
    ),
  ];
  const blocks = [
    ...[
      listOf(configuration["//"])[0],
      "Run 'terraform init && terraform test' in the folder of the module: Terraform 1.7 or OpenTofu 1.8, without credentials.",
    ].map((line) => `# ${line}`),
    "",
    ...mockOf(resources, command),
    ...(Object.keys(variables).length === 0 ? [] : ["", "variables {", ...argumentLines(variables), "}"]),
    ...runs.flat(),
  ];
  return `${blocks.join("\n")}\n`;
}

const authorizationType = "google_certificate_manager_dns_authorization";

/**
 * Returns the mocked provider. OpenTofu plans with the values of mocks, so an authorization needs the record to which
 * other resources refer, and a certificate the state that preconditions and checks expect.
 */
function mockOf(resources: readonly Described[], command: Command): readonly string[] {
  const managed = resources.filter(({ type, block }) => type === certificateType && block.managed !== undefined);
  return [
    ...(resources.some(({ type }) => type === authorizationType) ? authorizationMock : ['mock_provider "google" {}']),
    ...(command === "plan" ? [] : managed.flatMap(({ address }) => activeCertificate(address))),
  ];
}

const authorizationMock = [
  'mock_provider "google" {',
  `  mock_resource "${authorizationType}" {`,
  "    defaults = {",
  '      dns_resource_record = [{ name = "_acme-challenge.example.com.", type = "CNAME", data = "example.com." }]',
  "    }",
  "  }",
  "}",
];

function activeCertificate(address: string): readonly string[] {
  const values = ["  values = {", "    managed = {", '      state = "ACTIVE"', "    }", "  }"];
  return ["", "override_resource {", `  target = ${address}`, ...values, "}"];
}

type Command = "plan" | "apply";

/** Returns the command of the tests: an apply would run the commands of gates. */
function commandFor(resources: readonly Described[]): Command {
  return resources.some(({ block }) => block.provisioner !== undefined) ? "plan" : "apply";
}

interface Assertion {
  readonly condition: string;
  readonly message: string;
}

function runOf(name: string, command: Command, assertions: readonly Assertion[]): readonly string[] {
  if (assertions.length === 0) return [];
  return [
    "",
    `run "${name}" {`,
    `  command = ${command}`,
    ...assertions.flatMap(({ condition, message }) => [
      "",
      "  assert {",
      `    condition     = ${condition}`,
      `    error_message = ${JSON.stringify(message)}`,
      "  }",
    ]),
    "}",
  ];
}

function nameAssertion({ address, type, block: { name } }: Described): readonly Assertion[] {
  if (typeof name !== "string" || type === "google_dns_record_set") return [];
  const what =
    type === certificateType ? "Another name makes another certificate" : "Another name replaces the resource";
  return [
    {
      condition: `${address}.name == ${JSON.stringify(name)}`,
      message: `${what}: the migration gives ${name.replace(/\$\{[^}]*\}/g, "…")}.`,
    },
  ];
}

function entryAssertion({ address, block: { hostname, matcher, certificates } }: Described): Assertion {
  const served = typeof hostname === "string" ? hostname : String(matcher);
  const attribute = typeof hostname === "string" ? "hostname" : "matcher";
  const count = listOf(certificates).length;
  return {
    condition: `${address}.${attribute} == ${JSON.stringify(served)} && length(${address}.certificates) == ${count}`,
    message: `The entry must serve ${served} with ${count === 1 ? "one certificate" : `${count} certificates`}.`,
  };
}

function gateAssertion({ address, block }: Described): Assertion {
  const count = listOf(block.triggers_replace).length;
  return {
    condition: `length(${address}.triggers_replace) == ${count}`,
    message: `The gate must run again when ${count === 1 ? "its certificate changes" : `one of its ${count} certificates changes`}.`,
  };
}

/** Returns arguments as `terraform fmt` aligns them. */
function argumentLines(values: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(values).sort();
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `  ${name.padEnd(width)} = ${expressionOf(values[name])}`);
}

function expressionOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(expressionOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)} = ${expressionOf(member)}`,
  );
  return `{ ${members.join(", ")} }`;
}
