import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { parseMigrationDocument } from "../../lib/plan";
import { makeCertificate } from "../support/make-certificate";
import { shopSpec } from "../support/migration-spec";
import { readOnlyCommands } from "../support/read-only";

const commands = readOnlyCommands(() => [], { asksNobody: true });
let folder: string;
const path = (...names: readonly string[]) => join(folder, ...names);

/** The spec of the other tests, without records to import. */
const plainSpec = shopSpec.replace(/^traffic:[\s\S]*/m, "");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-synth-"));
  writeFileSync(path("migration.yaml"), plainSpec);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const synth = (...more: readonly string[]) =>
  commands.run(["synth", "--spec", path("migration.yaml"), "--out", path("certificates"), ...more]);

type Blocks = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
interface Written {
  readonly "//": readonly string[];
  readonly output: Readonly<Record<string, { readonly value: unknown; readonly depends_on?: readonly string[] }>>;
  readonly resource: Blocks;
  readonly terraform: unknown;
  readonly variable?: Readonly<Record<string, unknown>>;
}
const textOf = (...names: readonly string[]) => readFileSync(path(...names), "utf8");
/** What `synth` prints of the files in the folder of a module. */
const reportOf = (change: "written" | "unchanged", out: string) =>
  ["main.tf.json", "tests/migration.tftest.hcl", "README.md"].map((name) => `${change} ${join(out, name)}\n`).join("");
const written = () => JSON.parse(textOf("certificates", "main.tf.json")) as Written;

function stackOf(text: string): { readonly resource: Blocks } {
  const read = parseMigrationDocument(text, { source: "spec" });
  if ("problems" in read) throw new Error("the spec is invalid");
  return synthesizeSpec(read.spec, "shop-1", { id: "migration" }) as unknown as { readonly resource: Blocks };
}

/** Name of each resource in the cloud, by address. */
function namesIn(resource: Blocks): Readonly<Record<string, unknown>> {
  const all = Object.entries(resource).flatMap(([type, blocks]) =>
    Object.entries(blocks).map(([id, { name }]) => [`${type}.${id}`, name] as const),
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("writes a module with the addresses and names of the constructs, without provider and backend", async () => {
  expect(await synth()).toEqual({
    exitCode: 0,
    stdout: reportOf("written", path("certificates")),
    stderr: `${path("certificates", "main.tf.json")}: 15 resources\n`,
  });
  const module = written();
  expect(Object.keys(module)).toEqual(["//", "output", "resource", "terraform"]);
  expect(module.terraform).toEqual({
    required_providers: { google: { source: "hashicorp/google", version: ">= 6.50.0, < 9.0.0" } },
    required_version: ">= 1.5",
  });
  expect(namesIn(module.resource)).toEqual(namesIn(stackOf(plainSpec).resource));
});

test("orders the map's id after all entries and after the gate that checks them on the front ends", async () => {
  await synth();
  const { output, resource } = written();
  expect(Object.keys(output)).toEqual(["cert_migration", "certificate_map_id", "records_to_publish"]);
  const type = "google_certificate_manager_certificate_map_entry";
  const entries = Object.keys(resource[type] ?? {}).map((id) => `${type}.${id}`);
  expect(entries).toHaveLength(3);
  const dependsOn = output.certificate_map_id?.depends_on ?? [];
  expect(dependsOn.slice(0, -1)).toEqual(entries.sort());
  expect(dependsOn.at(-1)).toMatch(/^terraform_data\.migration_settlement-1_/);
});

test("has every output in phase issue too, and with records that another service publishes", async () => {
  writeFileSync(path("migration.yaml"), `${plainSpec}phase: issue\n`.replace(/^dns: .*$/m, "dns: { kind: external }"));
  await synth();
  const { certificate_map_id: map, records_to_publish: records } = written().output;
  expect(map?.value).toBeNull();
  expect(records?.value).toHaveLength(2);
});

test("returns the id of an existing map without the service's name", async () => {
  const id = "projects/shop-1/locations/global/certificateMaps/all";
  writeFileSync(
    path("migration.yaml"),
    `${plainSpec}existingCertificateMap: //certificatemanager.googleapis.com/${id}\n`,
  );
  expect((await synth()).exitCode).toBe(0);
  expect(written().output.certificate_map_id?.value).toBe(id);
});

test("writes identical text for the same spec in another order and from another folder", async () => {
  await synth();
  const text = textOf("certificates", "main.tf.json");
  expect(text).not.toContain(folder);
  expect((await synth()).stdout).toMatch(/^unchanged /);
  mkdirSync(path("elsewhere"));
  writeFileSync(
    path("elsewhere", "migration.yaml"),
    plainSpec
      .replace('  - domains: [example.com, "*.example.com"]\n', "")
      .replace(
        "    domains: [pay.example.net]\n",
        '    domains: [pay.example.net]\n  - domains: ["*.example.com", example.com]\n',
      ),
  );
  const words = ["--spec", path("elsewhere", "migration.yaml"), "--out", path("elsewhere", "certificates")];
  await commands.run(["synth", ...words]);
  expect(textOf("elsewhere", "certificates", "main.tf.json")).toBe(text);
});

test("names the command that regenerates the files", async () => {
  await synth("--gate", "precondition", "--root-blocks", path("moves.tf.json"), "--module", "certificates[0]");
  expect(written()["//"]).toEqual([
    "Generated by 'cert-migration synth'. Do not edit.",
    "To change this module, edit the migration and run, with the module's folder as FOLDER: cert-migration synth --spec migration.yaml --out FOLDER --gate precondition",
  ]);
  expect(JSON.parse(textOf("moves.tf.json"))["//"][1]).toMatch(
    / --out FOLDER --gate precondition --root-blocks moves\.tf\.json --module 'certificates\[0\]'$/,
  );
});

test.each(["certs.gen", "certs.gen/", "./certs", "my certs/", "1.0", "a/b.c/d..e", "certs.tf", ".generated", "."])(
  "writes the same text into a folder named '%s'",
  async (out) => {
    await synth();
    mkdirSync(path("work"));
    const before = process.cwd();
    process.chdir(path("work"));
    try {
      const words = ["synth", "--spec", "../migration.yaml", "--out", out];
      expect(await commands.run(words)).toMatchObject({
        exitCode: 0,
        stdout: reportOf("written", out),
      });
      expect(readFileSync(join(path("work"), out, "main.tf.json"), "utf8")).toBe(
        textOf("certificates", "main.tf.json"),
      );
      expect(await commands.run([...words, "--check"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect((await commands.run(["plan", "--stack", out])).exitCode).toBe(0);
    } finally {
      process.chdir(before);
    }
  },
);

test("needs --module for root blocks if the folder's name can't be a module's", async () => {
  const words = (out: string, ...more: readonly string[]) => [
    ...["synth", "--spec", path("migration.yaml"), "--out", out, "--root-blocks", path("moves.tf.json")],
    ...more,
  ];
  for (const out of [path("certs.gen"), path("my certs"), ".", ".."]) {
    expect((await commands.run(words(out))).stderr).toContain("[module-name-invalid]");
  }
  expect((await commands.run(words(path("certs.gen"), "--module", "certs"))).exitCode).toBe(0);
  expect(textOf("moves.tf.json")).toContain('"to": "module.certs.');
  expect((await commands.run(words(`${path("certs")}/`))).exitCode).toBe(0);
});

test("--check compares the files and writes nothing", async () => {
  expect(await synth("--check")).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("is missing") });
  expect(readdirSync(folder)).toEqual(["migration.yaml"]);
  await synth();
  expect(await synth("--check")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  const file = path("certificates", "main.tf.json");
  writeFileSync(file, textOf("certificates", "main.tf.json").replaceAll("\n", "\r\n"));
  expect((await synth("--check")).exitCode).toBe(0);
  writeFileSync(file, textOf("certificates", "main.tf.json").replace("pay.example.net", "pay.example.org"));
  const { exitCode, stdout } = await synth("--check");
  expect([exitCode, stdout]).toEqual([
    4,
    expect.stringMatching(/:\d+: differs from what the spec gives, first in this line; run .*\[module-stale\]/),
  ]);
});

test("writes gates that read the module's own folder, and gates without Node with --gate precondition", async () => {
  writeFileSync(path("migration.yaml"), shopSpec.replace("to: previous", "to: loadBalancer"));
  await synth("--root-blocks", path("imports.tf.json"));
  const { resource } = JSON.parse(textOf("certificates", "main.tf.json"));
  expect(resource.terraform_data.migration_verification_445FA8A0.provisioner).toEqual([
    {
      "local-exec": {
        command: "npx --no-install cert-migration verify --from-environment",
        environment: {
          CERT_MIGRATION_VERIFY_STACK: "${path.module}",
          CERT_MIGRATION_VERIFY_MIGRATION: "shop",
          CERT_MIGRATION_VERIFY_ADDRESSES: "203.0.113.7",
        },
      },
    },
  ]);
  await synth("--root-blocks", path("imports.tf.json"), "--gate", "precondition");
  expect(written().resource.terraform_data).toBeUndefined();
  expect(textOf("certificates", "main.tf.json")).not.toContain("local-exec");
  expect(textOf("certificates", "main.tf.json")).toContain('.managed[0].state == \\"ACTIVE\\"');
});

describe("private keys", () => {
  const made = makeCertificate(["pay.example.net"]);
  const indented = (pem: string) => pem.trim().replace(/\r?\n/g, "\n        ");
  const uploading = (key: string) =>
    plainSpec.replace(
      "    domains: [pay.example.net]\n",
      `    selfManaged:\n      certificatePem: |\n        ${indented(made.certificatePem)}\n      ${key}\n`,
    );

  test("in the spec become sensitive variables, and the certificate keeps its name", async () => {
    const spec = uploading(`privateKeyPem: |\n        ${indented(made.privateKeyPem)}`);
    writeFileSync(path("migration.yaml"), spec);
    const { exitCode, stderr } = await synth();
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/; pass the private keys as private_key_pay\n$/);
    expect(stderr).not.toContain("private-key-in-stack");
    expect(stderr).toContain("certificate 'pay' is uploaded and ends on 2060-01-01; replace it from ");
    expect(textOf("certificates", "main.tf.json")).not.toContain("PRIVATE KEY");
    expect(written().variable).toEqual({
      private_key_pay: {
        description: expect.stringMatching(/^Private key in PEM of the certificate pay-[0-9a-f]{12}$/),
        nullable: false,
        sensitive: true,
        type: "string",
        validation: [expect.objectContaining({ error_message: expect.stringContaining("private key in PEM") })],
      },
    });
    expect(textOf("certificates", "main.tf.json")).toContain('"pem_private_key": "${var.private_key_pay}"');
    expect(namesIn(written().resource)).toEqual(namesIn(stackOf(spec).resource));
  });

  test("from a variable in the spec keep its name", async () => {
    writeFileSync(path("migration.yaml"), uploading("privateKeyVariable: pay_key"));
    expect((await synth()).stderr).toMatch(/; pass the private keys as pay_key\n$/);
    expect(written().variable).toMatchObject({ pay_key: { sensitive: true } });
  });

  test.each(["state", "writeOnly"])("need no files for --check with the storage %s", async (storage) => {
    const spec = uploading(`privateKeyStorage: ${storage}\n      privateKeyPem: file:pay.key`).replace(
      /, example\.net: [\w-]+/,
      "",
    );
    writeFileSync(path("migration.yaml"), spec);
    writeFileSync(path("pay.key"), made.privateKeyPem);
    expect((await synth()).exitCode).toBe(0);
    const complete = await synth("--check");
    rmSync(path("pay.key"));
    const note =
      "the key file of certificates[1] does not exist here: --check would not notice another key [private-key-unchecked]\n";
    expect(complete).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(await synth("--check")).toEqual({ exitCode: 0, stdout: "", stderr: note });
    writeFileSync(path("migration.yaml"), spec.replace("kind: cloudDns", "kind: cloudDns, ttlSeconds: 77"));
    expect(await synth("--check")).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("differs") });
    const renewed = makeCertificate(["pay.example.net", "www.pay.example.net"]).certificatePem;
    writeFileSync(path("migration.yaml"), spec.replace(indented(made.certificatePem), indented(renewed)));
    expect(await synth("--check")).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("differs") });
    writeFileSync(path("migration.yaml"), spec);
    expect(await synth()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("[document-file-unreadable]") });
  });

  test("are the only missing files that --check accepts", async () => {
    writeFileSync(
      path("migration.yaml"),
      plainSpec.replace(
        "    domains: [pay.example.net]\n",
        "    domains: [pay.example.net]\n    selfManaged: { certificatePem: file:pay.pem, privateKeyPem: file:pay.key }\n",
      ),
    );
    const { exitCode, stderr } = await synth("--check");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /'pay\.pem' can't be read .*\n.*'pay\.key' can't be read .*'privateKeyVariable' in place of the key/,
    );
  });

  test.each([
    ["a literal", `privateKeyPem: |\n        ${indented(made.privateKeyPem)}`, "private_key_pay"],
    ["a variable of the module", "privateKeyVariable: pay_key", "pay_key"],
    ["a reference to a variable", 'privateKeyPem: "${var.pay_key}"', "pay_key"],
  ])("from %s become ephemeral variables if they are write-only", async (_, key, variable) => {
    writeFileSync(path("migration.yaml"), uploading(`privateKeyStorage: writeOnly\n      ${key}`));
    expect((await synth()).exitCode).toBe(0);
    expect(written().variable).toEqual({
      [variable]: {
        description: expect.any(String),
        ephemeral: true,
        nullable: false,
        sensitive: true,
        type: "string",
        validation: [expect.objectContaining({ error_message: expect.stringContaining("private key in PEM") })],
      },
    });
    expect(textOf("certificates", "main.tf.json")).not.toContain("PRIVATE KEY");
    expect(textOf("certificates", "main.tf.json")).toContain(`"pem_private_key_wo": "\${var.${variable}}"`);
    expect(written().terraform).toEqual({
      required_version: ">= 1.11",
      required_providers: { google: { source: "hashicorp/google", version: ">= 7.45.0, < 9.0.0" } },
    });
  });
});

test("creates a variable for each var reference of the spec, and refuses references to resources", async () => {
  const withZone = (zone: string) => plainSpec.replace("example.com: example-com", `example.com: "${zone}"`);
  writeFileSync(path("migration.yaml"), withZone("${var.zone}"));
  await synth();
  expect(written().variable).toEqual({
    zone: {
      description: "Managed zone of example.com",
      nullable: false,
      type: "string",
      validation: [
        expect.objectContaining({ error_message: expect.stringContaining("resource name of a managed zone") }),
      ],
    },
  });
  writeFileSync(path("migration.yaml"), withZone("${google_dns_managed_zone.shop.name}"));
  const { exitCode, stderr } = await synth();
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`"google_dns_managed_zone.shop" is outside of the module`.replaceAll('"', "'"));
  expect(stderr).toContain("[module-reference-unknown]");
});

describe("root blocks", () => {
  test("contain the imports, with addresses in the module, and moves from a stack", async () => {
    writeFileSync(path("migration.yaml"), shopSpec);
    const refused = await synth();
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("[root-blocks-missing]")]);
    expect((await synth("--root-blocks", path("imports.tf.json"), "--module", "certs")).exitCode).toBe(0);
    const blocks = JSON.parse(textOf("imports.tf.json"));
    expect(blocks.import.map(({ id }: { readonly id: string }) => id)).toEqual([
      "example-com/example.com./A",
      "example-net/pay.example.net./CNAME",
    ]);
    const addresses = Object.keys(namesIn(written().resource));
    expect(blocks.moved).toEqual(addresses.map((address) => ({ from: address, to: `module.certs.${address}` })));
    for (const { to } of blocks.import) expect(addresses.map((one) => `module.certs.${one}`)).toContain(to);
  });

  test("move to a stack with --to-stack, without imports", async () => {
    writeFileSync(path("migration.yaml"), shopSpec);
    await synth("--root-blocks", path("moves.tf.json"), "--to-stack");
    const { "//": _, ...blocks } = JSON.parse(textOf("moves.tf.json"));
    const addresses = Object.keys(namesIn(written().resource));
    expect(blocks).toEqual({
      moved: addresses.map((address) => ({ from: `module.certificates.${address}`, to: address })),
    });
  });
});

test.each([
  ["an option is missing", ["synth", "--spec", "m.yaml"], "synth-option-missing"],
  ["--to-stack has no file", ["synth", "--spec", "m.yaml", "--out", "o", "--to-stack"], "synth-option-missing"],
  ["a name can't be a module's", ["synth", "--spec", "m.yaml", "--out", "o", "--module", "a b"], "module-name-invalid"],
  [
    "a folder's name can't be a module's",
    ["synth", "--spec", "m.yaml", "--out", "1.0", "--root-blocks", "r.tf.json"],
    "module-name-invalid",
  ],
])("refuses a command line with %s", async (_, words, code) => {
  const { exitCode, stderr } = await commands.run(words);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
});

test.each([
  ["whose name Terraform does not read", "moves.json", "a name that ends with .tf.json"],
  ["in the folder of the module", join("certificates", "moves.tf.json"), "in the folder of the root module"],
])("refuses a file of root blocks %s, before it writes anything", async (_, name, advice) => {
  const { exitCode, stderr } = await synth("--root-blocks", path(name));
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("[root-blocks-unusable]")]);
  expect(stderr).toContain(advice);
  expect(existsSync(path("certificates"))).toBe(false);
});

test("never replaces a file that it did not write, nor a folder with other parts of a module", async () => {
  mkdirSync(path("certificates"));
  writeFileSync(path("certificates", "main.tf.json"), "{}");
  expect((await synth()).stderr).toContain("[file-not-generated]");
  expect(textOf("certificates", "main.tf.json")).toBe("{}");
  rmSync(path("certificates", "main.tf.json"));
  writeFileSync(path("certificates", "own.tf"), "");
  expect((await synth()).stderr).toContain("[module-folder-taken]");
  rmSync(path("certificates", "own.tf"));
  writeFileSync(path("certificates", "README.md"), "");
  expect((await synth()).exitCode).toBe(0);
});

test("prints each warning of the plan with its remedy", async () => {
  const text = 'name: shop\ncertificates: [{ domains: ["*.example.com"] }]\ndns: { kind: external }\n';
  writeFileSync(path("migration.yaml"), text);
  const { exitCode, stderr } = await synth();
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^warning: .*the parent domain of '\*\.example\.com'; add the parent domain.* \[wildcard-/m);
});

test.each([
  [99, false],
  [100, true],
])("announces a synthesis of %i certificates: %s", async (count, isAnnounced) => {
  const certificates = Array.from({ length: count }, (_, index) => `  - domains: [h${index}.example.com]\n`).join("");
  writeFileSync(path("migration.yaml"), `name: many\ncertificates:\n${certificates}dns: { kind: external }\n`);
  const { stderr } = await synth();
  expect(stderr.includes(`synthesizing ${count} certificates\n`)).toBe(isAnnounced);
});

test.each<readonly string[]>([["--import-all"], ["--import-all", "--to-stack", "--root-blocks", "moves.tf.json"]])(
  "refuses %s %s: import blocks are in the root module, for resources of the module",
  async (...words) => {
    const { exitCode, stderr } = await synth(...words);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        "error: --import-all needs --root-blocks, the file of the import blocks, and excludes --to-stack [synth-option-missing]\n",
    });
  },
);

test("writes import blocks for all resources of Google with --import-all, and the module stays as it is", async () => {
  await synth("--root-blocks", path("imports.tf.json"));
  const module = textOf("certificates", "main.tf.json");
  expect((await synth("--root-blocks", path("imports.tf.json"), "--import-all")).exitCode).toBe(0);
  expect(textOf("certificates", "main.tf.json")).toBe(module);
  const { import: blocks, "//": header } = JSON.parse(textOf("imports.tf.json"));
  const imported = (blocks as readonly { readonly to: string }[]).map(({ to }) =>
    to.replace("module.certificates.", ""),
  );
  const all = Object.entries(written().resource).flatMap(([type, named]) =>
    Object.keys(named).map((id) => `${type}.${id}`),
  );
  expect(imported).toEqual(all.filter((address) => address.startsWith("google_")).sort());
  expect(header[1]).toMatch(/ --root-blocks imports\.tf\.json --import-all$/);
});
