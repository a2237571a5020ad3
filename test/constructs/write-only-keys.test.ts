import type { TerraformStack } from "cdktf";
import { Certificate, PrivateKey, type PrivateKeyOptions } from "../../lib";
import { normalizePem } from "../../lib/plan";
import { makeCertificate } from "../support/make-certificate";
import { migrate, refusal } from "../support/migrate";
import { newStack, onlyResource, synthesize } from "../support/synth";

const { certificatePem: madePem, privateKeyPem } = makeCertificate(["example.com"]);
const certificatePem = normalizePem(madePem);
const type = "google_certificate_manager_certificate";

/** A stack whose `required_providers` ask for a provider with write-only keys, which the installed bindings lack. */
function laterStack(version = ">= 7.45"): TerraformStack {
  const stack = newStack();
  stack.addOverride("terraform.required_providers.google.version", version);
  return stack;
}

function upload(stack: TerraformStack, privateKey: PrivateKey, id = "shop", pem = certificatePem) {
  return migrate(
    stack,
    {
      certificates: [Certificate.selfManaged({ certificatePem: pem, privateKey })],
      phase: "issue",
    },
    id,
  );
}

test.each([
  ["storage 'writeOnly'", { storage: "writeOnly" }],
  ["a provider from 7.45 on, by default", {}],
] as const)("writes the key only into the write-only argument, with an ephemeral variable, for %s", (_, options) => {
  const stack = laterStack();
  upload(stack, PrivateKey.variable("shop_key", options));
  const synthesized = synthesize(stack);

  expect(synthesized.variable).toEqual({
    shop_key: { description: expect.any(String), ephemeral: true, sensitive: true, type: "string" },
  });
  expect(onlyResource(synthesized, type).self_managed).toEqual({
    pem_certificate: certificatePem,
    pem_private_key_wo: "${var.shop_key}",
    pem_private_key_wo_version: "1",
  });
  expect(synthesized.terraform).toMatchObject({ required_version: ">= 1.11" });
});

test.each([
  ["a provider before 7.45 without a storage", newStack, {}],
  ["a later provider and storage 'state'", laterStack, { storage: "state" }],
] as const)("keeps the key in the state with %s", (_, makeStack, options) => {
  const stack = makeStack();
  upload(stack, PrivateKey.variable("shop_key", options));
  const synthesized = synthesize(stack);

  expect(synthesized.variable).toEqual({
    shop_key: { description: expect.any(String), sensitive: true, type: "string" },
  });
  expect(onlyResource(synthesized, type).self_managed).toEqual({
    pem_certificate: certificatePem,
    pem_private_key: "${var.shop_key}",
  });
  expect(synthesized.terraform).toMatchObject({ required_version: ">= 1.5" });
});

test("makes a variable that another certificate keeps in the state not ephemeral, whichever comes first", () => {
  for (const storages of [
    ["writeOnly", "state"],
    ["state", "writeOnly"],
  ] as const) {
    const stack = laterStack();
    for (const [index, storage] of storages.entries()) {
      upload(stack, PrivateKey.variable("shop_key", { storage }), `shop-${index}`);
    }
    expect(synthesize(stack).variable).toEqual({
      shop_key: { description: expect.any(String), sensitive: true, type: "string" },
    });
  }
});

test("keeps the name of the certificate for another storage, and changes it for another key", () => {
  const nameOf = (
    made: { readonly privateKeyPem: string; readonly certificatePem: string },
    options?: PrivateKeyOptions,
  ) => {
    const stack = laterStack();
    upload(stack, PrivateKey.pem(made.privateKeyPem, options), "shop", made.certificatePem);
    return onlyResource(synthesize(stack), type).name;
  };
  const another = makeCertificate(["example.com"], { key: 1 });
  const present = { privateKeyPem, certificatePem };
  const name = nameOf(present);

  expect(nameOf(present, { storage: "writeOnly" })).toBe(name);
  expect(nameOf(another, { storage: "writeOnly" })).not.toBe(name);
});

test.each([
  ["the version of the bindings", newStack],
  ["7.44", () => laterStack("7.44.0")],
])("refuses a write-only key with %s", (_, stackOf) => {
  const act = () => upload(stackOf(), PrivateKey.variable("key", { storage: "writeOnly" }));
  expect(refusal(act)).toEqual(["private-key-write-only-unsupported"]);
  expect(act).toThrow("remove 'privateKeyStorage'");
});

test("still warns about a literal key, which the stack contains", () => {
  const { plan } = upload(laterStack(), PrivateKey.pem(privateKeyPem, { storage: "writeOnly" }));
  expect(plan.findings.map(({ code }) => code)).toEqual(["private-key-in-stack", "zone-unused"]);
});
