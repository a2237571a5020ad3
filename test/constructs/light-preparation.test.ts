import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { Token } from "cdktf";
import { partsWithTokens } from "../../lib/constructs/light-preparation";
import { migrate } from "../support/migrate";
import { newApp, newStack } from "../support/synth";

const text = Token.asString({ resolve: () => "a" });
const list = Token.asList({ resolve: () => ["a"] });
const number = Token.asNumber({ resolve: () => 1 });
const lazy = { resolve: () => "a" };

test.each<[string, unknown, unknown]>([
  ["plain values", { a: "text", b: 1, c: true, d: null, e: undefined, f: ["x"], g: { h: "y" } }, undefined],
  ["a text with a token", { a: `x-${text}`, b: "plain" }, { a: `x-${text}` }],
  ["a number with a token", { a: number, b: 300 }, { a: number }],
  ["a list that is a token", { a: list, b: ["plain"] }, { a: list }],
  ["a list with a token in it, as a whole", { a: ["plain", text] }, { a: ["plain", text] }],
  ["an object that resolves itself", { a: { b: lazy } }, { a: { b: lazy } }],
  ["a mapping with a token as its key, as a whole", { a: { [text]: "x", b: "y" } }, { a: { [text]: "x", b: "y" } }],
])("finds the parts that have to be resolved in %s", (_, block, parts) => {
  // An object of a class resolves itself.
  Object.setPrototypeOf(lazy, Token.prototype);
  expect(partsWithTokens(block)).toEqual(parts);
});

test("an app still has the outputs of other stacks to which a migration refers, and whole blocks", () => {
  const app = newApp();
  const other = newStack(app, "other");
  const certificate = new CertificateManagerCertificate(other, "certificate", { name: "made" });
  const stack = newStack(app);
  const { map } = migrate(stack);
  map?.addOverride("description", certificate.id);
  app.synth();
  expect(Object.keys(other.toTerraform().output)).toHaveLength(1);
  const [block] = Object.values<Record<string, unknown>>(
    stack.toTerraform().resource.google_certificate_manager_certificate_map,
  );
  expect(block).toMatchObject({
    name: expect.any(String),
    description: expect.stringContaining("terraform_remote_state"),
  });
});
