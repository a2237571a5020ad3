import type { TerraformStack } from "cdktf";
import type { ManagedCertMigrationProps } from "../../lib";
import { normalizePem } from "../../lib/plan";
import { makeCertificate } from "../support/make-certificate";
import { migrate, refusal } from "../support/migrate";
import { newStack, onlyResource, synthesize } from "../support/synth";

const { certificatePem: madePem, privateKeyPem } = makeCertificate(["example.com"]);
const certificatePem = normalizePem(madePem);
const type = "google_certificate_manager_certificate";

type SelfManaged = NonNullable<ManagedCertMigrationProps["certificates"][number]["selfManaged"]>;

/** A stack whose `required_providers` ask for a provider with write-only keys, which the installed bindings lack. */
function laterStack(version = ">= 7.45"): TerraformStack {
  const stack = newStack();
  stack.addOverride("terraform.required_providers.google.version", version);
  return stack;
}

function upload(stack: TerraformStack, change: Partial<SelfManaged>, id = "shop") {
  return migrate(stack, { certificates: [{ selfManaged: { certificatePem, ...change } }], phase: "issue" }, id);
}

test.each([
  ["privateKeyStorage 'writeOnly'", { privateKeyStorage: "writeOnly" }],
  ["a provider from 7.45 on, by default", {}],
] as const)("writes the key only into the write-only argument, with an ephemeral variable, for %s", (_, change) => {
  const stack = laterStack();
  upload(stack, { privateKeyVariable: "shop_key", ...change });
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
  ["a provider before 7.45 without privateKeyStorage", newStack, {}],
  ["a later provider and privateKeyStorage 'state'", laterStack, { privateKeyStorage: "state" }],
] as const)("keeps the key in the state with %s", (_, makeStack, change) => {
  const stack = makeStack();
  upload(stack, { privateKeyVariable: "shop_key", ...change });
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
    for (const [index, privateKeyStorage] of storages.entries()) {
      upload(stack, { privateKeyVariable: "shop_key", privateKeyStorage }, `shop-${index}`);
    }
    expect(synthesize(stack).variable).toEqual({
      shop_key: { description: expect.any(String), sensitive: true, type: "string" },
    });
  }
});

test("keeps the name of the certificate for another storage, and changes it for another key", () => {
  const nameOf = (change: Partial<SelfManaged>) => {
    const stack = laterStack();
    upload(stack, change);
    return onlyResource(synthesize(stack), type).name;
  };
  const another = makeCertificate(["example.com"], { key: 1 });
  const name = nameOf({ privateKeyPem });

  expect(nameOf({ privateKeyPem, privateKeyStorage: "writeOnly" })).toBe(name);
  expect(nameOf({ ...another, privateKeyStorage: "writeOnly" })).not.toBe(name);
});

test.each([
  ["the version of the bindings", newStack],
  ["7.44", () => laterStack("7.44.0")],
])("refuses a write-only key with %s", (_, stackOf) => {
  const act = () => upload(stackOf(), { privateKeyVariable: "key", privateKeyStorage: "writeOnly" });
  expect(refusal(act)).toEqual(["private-key-write-only-unsupported"]);
  expect(act).toThrow("remove 'privateKeyStorage'");
});

test("still warns about a literal key, which the stack contains", () => {
  const { plan } = upload(laterStack(), { privateKeyPem, privateKeyStorage: "writeOnly" });
  expect(plan.findings.map(({ code }) => code)).toEqual(["private-key-in-stack", "zone-unused"]);
});
