/** Private keys of uploaded certificates in the module of `synth`. */
import { rmSync, writeFileSync } from "node:fs";
import { makeCertificate } from "../support/make-certificate";
import { inSynthFolder, namesIn, plainSpec, stackOf } from "../support/synth-folder";

const { path, synth, textOf, written } = inSynthFolder();

const made = makeCertificate(["pay.example.net"]);
const indented = (pem: string) => pem.trim().replace(/\r?\n/g, "\n        ");
const uploading = (key: string) =>
  plainSpec.replace(
    "    domains: [pay.example.net]\n",
    `    selfManaged:\n      certificatePem: |\n        ${indented(made.certificatePem)}\n      ${key}\n`,
  );

test("private keys in the spec become sensitive variables, and the certificate keeps its name", async () => {
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

test("private keys from a variable in the spec keep its name", async () => {
  writeFileSync(path("migration.yaml"), uploading("privateKeyVariable: pay_key"));
  expect((await synth()).stderr).toMatch(/; pass the private keys as pay_key\n$/);
  expect(written().variable).toMatchObject({ pay_key: { sensitive: true } });
});

test.each(["state", "writeOnly"])("private keys need no files for --check with the storage %s", async (storage) => {
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

test("private keys are the only missing files that --check accepts", async () => {
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
])("private keys from %s become ephemeral variables if they are write-only", async (_, key, variable) => {
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
