import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { isOnPath } from "../support/on-path";
import { openTerraform, type TerraformDirectory } from "../support/terraform";

jest.setTimeout(120_000);

let provider: TerraformProvider;
beforeAll(async () => {
  // Plans only: the stand-in needs no cloud.
  provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", isSurvey: true });
});
afterAll(() => provider.close());

/** A migration whose values come from variables, as one module for several environments has them. */
const spec = `
name: shop
project: \${var.project}
namePrefix: \${var.environment}
labels: { env: "\${var.environment}", team: "web-\${ var.größe }" }
certificates:
  - domains: [example.com, "*.example.com"]
  - { kind: selfManaged, domains: [pay.example.com], certificatePem: "\${var.certificate}", privateKeyPem: "\${var.key}" }
  - { kind: selfManaged, domains: [api.example.com], certificatePem: "file:api.pem", privateKeyVariable: api_key }
dns:
  kind: cloudDns
  project: \${var.dns_project}
  zones: { example.com: '\${var.zones["example.com"]}' }
loadBalancer:
  kind: globalExternal
  newTargetHttpsProxy: { name: shop, urlMap: "projects/\${var.project}/global/urlMaps/\${var.names.url_map}" }
  addresses: ["\${var.addresses[0]}", "\${var.addresses[1]}"]
traffic:
  to: previous
  previous:
    example.com: { a: ["\${var.address}"], aaaa: ["\${var.address_v6}"] }
    pay.example.com: { cname: "\${var.alias}" }
    api.example.com: { a: ["192.0.2.7"] }
`;

/** Values that pass every validation. */
const values = {
  project: "my-project",
  environment: "staging",
  größe: "payments",
  certificate: makeCertificate(["pay.example.com"]).certificatePem,
  key: "-----BEGIN EXAMPLE-----",
  api_key: "-----BEGIN EXAMPLE-----",
  dns_project: "my-dns",
  zones: { "example.com": "example-com" },
  names: { url_map: "shop" },
  addresses: ["203.0.113.7", "203.0.113.8"],
  address: "192.0.2.1",
  address_v6: "2001:db8::1",
  alias: "shop.provider.example.",
};

async function synthesize(terraform: TerraformDirectory, ...more: readonly string[]): Promise<string> {
  const path = (name: string) => join(terraform.path, name);
  writeFileSync(path("api.pem"), makeCertificate(["api.example.com"]).certificatePem);
  writeFileSync(path("migration.yaml"), spec);
  const words = ["--spec", path("migration.yaml"), "--out", path("module"), "--root-blocks", path("moves.tf.json")];
  const { exitCode, stderr } = await runCli(["synth", ...words, ...more]);
  if (exitCode !== 0) throw new Error(stderr);
  return path("module");
}

interface Variable {
  readonly description: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly sensitive?: boolean;
  readonly validation?: readonly { readonly error_message: string }[];
}

/** Name, type and description of each variable, and the messages of its rules. */
const variables = [
  [
    "address",
    "string",
    "IPv4 address of example.com before the migration",
    "The variable 'address' must be an IPv4 address.",
  ],
  [
    "address_v6",
    "string",
    "IPv6 address of example.com before the migration",
    "The variable 'address_v6' must be an IPv6 address.",
  ],
  [
    "addresses",
    "list(string)",
    "IP address of the load balancer",
    "The variable 'addresses[0]' must be an IP address.",
    "The variable 'addresses[1]' must be an IP address.",
  ],
  [
    "alias",
    "string",
    "Target of the CNAME record of pay.example.com before the migration",
    "The variable 'alias' must be a domain name.",
  ],
  [
    "api_key",
    "string",
    expect.stringContaining("api.example.com"),
    "The variable 'api_key' must be an unencrypted private key in PEM.",
  ],
  [
    "certificate",
    "string",
    "Certificate and chain in PEM, leaf first",
    "The variable 'certificate' must be a certificate in PEM, with its chain.",
  ],
  [
    "dns_project",
    "string",
    "Project of the managed zones",
    "The variable 'dns_project' must be the id of a project, for example my-project.",
  ],
  [
    "environment",
    "string",
    "Prefix of the names of certificates, map and new target proxies; Value of the label env",
    "The variable 'environment' must have 1 to 20 lower-case letters, digits and -, a letter first.",
    "The variable 'environment' must have at most 63 lower-case letters, digits, _ and -.",
  ],
  [
    "größe",
    "string",
    "Value of the label team",
    "The variable 'größe' must have at most 63 lower-case letters, digits, _ and -.",
  ],
  [
    "key",
    "string",
    "Private key in PEM of an uploaded certificate",
    "The variable 'key' must be an unencrypted private key in PEM.",
  ],
  [
    "names",
    "object({ url_map = string })",
    "URL map of a target proxy",
    "The variable 'names.url_map' must not be empty.",
  ],
  [
    "project",
    "string",
    "Project of authorizations, certificates, map and entries; URL map of a target proxy",
    "The variable 'project' must be the id of a project, for example my-project.",
    "The variable 'project' must not be empty.",
  ],
  [
    "zones",
    "map(string)",
    "Managed zone of example.com",
    `The variable 'zones["example.com"]' must be the resource name of a managed zone, for example example-com, not its domain.`,
  ],
];

test("each variable has a type, a meaning and rules, and is never null", async () => {
  await using terraform = await openTerraform(provider);
  const module = await synthesize(terraform);
  const { variable } = JSON.parse(readFileSync(join(module, "main.tf.json"), "utf8")) as {
    readonly variable: Readonly<Record<string, Variable>>;
  };
  const rows = Object.entries(variable).map(([name, block]) => [
    name,
    block.type,
    block.description,
    ...(block.validation ?? []).map(({ error_message: message }) => message),
  ]);
  expect(rows).toEqual(variables);
  expect(Object.values(variable).map(({ nullable }) => nullable)).toEqual(rows.map(() => false));
  expect(Object.entries(variable).flatMap(([name, { sensitive }]) => (sensitive ? [name] : []))).toEqual([
    "api_key",
    "key",
  ]);
});

test("the module takes the values of two environments, and refuses each value that breaks a rule", async () => {
  await using terraform = await openTerraform(provider);
  await synthesize(terraform);
  const plan = async (given: object) => {
    const root = {
      module: { certificates: { source: "./module", ...given } },
      provider: { google: { project: "my-project" } },
    };
    writeFileSync(join(terraform.path, "moves.tf.json"), "{}");
    writeFileSync(join(terraform.path, "main.tf.json"), JSON.stringify(root));
    const { exitCode, stderr } = await terraform.run("plan", "-input=false", "-no-color");
    return { exitCode, stderr: stderr.replace(/\n[│ ]*/g, " ") };
  };
  writeFileSync(
    join(terraform.path, "main.tf.json"),
    JSON.stringify({ module: { certificates: { source: "./module", ...values } } }),
  );
  await terraform.succeed("init", "-input=false", "-no-color");
  for (const environment of ["staging", "production"]) {
    expect(await plan({ ...values, environment })).toEqual({ exitCode: 0, stderr: "" });
  }
  const wrong = {
    project: "My_Project",
    environment: "1st",
    größe: "Payments",
    certificate: "pay.pem",
    key: "key.pem",
    api_key: "",
    dns_project: "p",
    address: "2001:db8::1",
    address_v6: "192.0.2.1",
    alias: "not a name",
    zones: { "example.com": "example.com" },
    names: { url_map: "" },
    // The second address is missing.
    addresses: ["203.0.113.7"],
  };
  const { exitCode, stderr } = await plan({ ...values, ...wrong });
  expect(exitCode).toBe(1);
  const places = { zones: '["example.com"]', names: ".url_map", addresses: "[1]" };
  for (const name of Object.keys(wrong)) {
    expect(stderr).toContain(`The variable '${name}${name in places ? places[name as keyof typeof places] : ""}' must`);
  }
  expect((await plan({ ...values, zones: null })).stderr).toContain("required variable may not be set to null");
});

const programs = ["terraform", "tofu"].filter(isOnPath);

const gates = ["wait", "precondition", "check", "none"];

test.each(programs.flatMap((program) => gates.map((gate) => [program, gate] as const)))(
  "'%s test' passes with the gate %s, runs no gate, and asks for no credentials",
  async (program, gate) => {
    await using terraform = await openTerraform(provider, program);
    const module = await synthesize(terraform, "--gate", gate);
    await terraform.succeed(`-chdir=${module}`, "init", "-input=false", "-no-color");
    const { exitCode, stdout, stderr } = await terraform.run(`-chdir=${module}`, "test", "-no-color");
    const runs = gate === "wait" ? 3 : 2;
    expect({ exitCode, stderr, stdout: stdout.trim().split("\n").at(-1) }).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: `Success! ${runs} passed, 0 failed.`,
    });
    const tests = readFileSync(join(module, "tests", "migration.tftest.hcl"), "utf8");
    expect(tests.match(/command = \w+/g)).toEqual(
      Array(runs).fill(gate === "wait" ? "command = plan" : "command = apply"),
    );
  },
);

test.each(programs)(
  "'%s test' passes in the folder of the module, and fails after a change of a name or an entry",
  async (program) => {
    await using terraform = await openTerraform(provider, program);
    const module = await synthesize(terraform);
    const run = async () => {
      const { exitCode, stdout, stderr } = await terraform.run(`-chdir=${module}`, "test", "-no-color");
      return { exitCode, stdout, stderr: stderr.replace(/\n[│ ]*/g, " ") };
    };
    await terraform.succeed(`-chdir=${module}`, "init", "-input=false", "-no-color");
    expect(await run()).toMatchObject({ exitCode: 0, stderr: "" });
    const file = join(module, "main.tf.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/-api-example-com-[0-9a-f]{12}"/, '-renamed"'));
    const renamed = await run();
    expect(renamed.exitCode).toBe(1);
    expect(renamed.stderr).toContain("Another name makes another certificate: the migration gives …-api-example-com-");
    writeFileSync(file, text.replaceAll('"hostname": "*.example.com"', '"hostname": "*.example.net"'));
    expect((await run()).stderr).toContain("The entry must serve *.example.com with one certificate.");
  },
);

test("the generated tests and the example's root module have the format of 'terraform fmt'", async () => {
  await using terraform = await openTerraform(provider);
  const module = await synthesize(terraform);
  expect(await terraform.run(`-chdir=${module}`, "fmt", "-check", "-recursive")).toMatchObject({ exitCode: 0 });
});

test("keeps a README.md of the user, and replaces its own", async () => {
  await using terraform = await openTerraform(provider);
  const module = await synthesize(terraform);
  const readme = join(module, "README.md");
  const generated = readFileSync(readme, "utf8");
  const words = [
    "synth",
    "--spec",
    join(terraform.path, "migration.yaml"),
    "--out",
    module,
    "--root-blocks",
    join(terraform.path, "moves.tf.json"),
  ];
  writeFileSync(readme, "# Ours\n");
  const kept = await runCli(words);
  expect([kept.exitCode, readFileSync(readme, "utf8")]).toEqual([0, "# Ours\n"]);
  expect(kept.stderr).toContain("[module-readme-kept]");
  expect((await runCli([...words, "--check"])).exitCode).toBe(0);
  writeFileSync(readme, generated.replace("## Inputs", "## Arguments"));
  expect(await runCli([...words, "--check"])).toMatchObject({
    exitCode: 4,
    stdout: expect.stringContaining("README.md:"),
  });
  await runCli(words);
  expect(readFileSync(readme, "utf8")).toBe(generated);
});

test("the README lists each input, output and resource of the module", async () => {
  await using terraform = await openTerraform(provider);
  const module = await synthesize(terraform);
  const readme = readFileSync(join(module, "README.md"), "utf8");
  const json = JSON.parse(readFileSync(join(module, "main.tf.json"), "utf8"));
  const cellsBelow = (heading: string) =>
    [...(readme.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, name]) => name,
    );
  expect(cellsBelow("Inputs")).toEqual(Object.keys(json.variable));
  expect(cellsBelow("Outputs")).toEqual(Object.keys(json.output));
  const addresses = Object.entries(json.resource as Record<string, object>).flatMap(([type, blocks]) =>
    Object.keys(blocks).map((name) => `${type}.${name}`),
  );
  expect(cellsBelow("Resources")).toEqual(addresses.sort());
  expect(existsSync(join(module, "tests", "migration.tftest.hcl"))).toBe(true);
});

test.each([
  ["staging", "staging.example.com"],
  ["production", "example.com"],
])("the module of %s is what the migration of the environments gives for %s", async (environment, domain) => {
  await using terraform = await openTerraform(provider);
  const example = join(__dirname, "..", "..", "examples", "environments");
  const text = readFileSync(join(example, "migration.yaml"), "utf8").replaceAll("DOMAIN", domain);
  writeFileSync(join(terraform.path, "migration.yaml"), text);
  const words = ["synth", "--spec", join(terraform.path, "migration.yaml"), "--out", join(terraform.path, "module")];
  expect((await runCli(words)).exitCode).toBe(0);
  const written = (folder: string) =>
    readFileSync(join(folder, "main.tf.json"), "utf8").replace("--spec migration.yaml", "--spec -");
  expect(written(join(terraform.path, "module"))).toBe(written(join(example, environment, "certificates")));
});
