import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { MigrationSpec } from "../../lib/plan";
import type { StackJson } from "../../lib/rehearsal";
import { sourceMigrationsIn } from "../../lib/rehearsal/stack";
import { uploadedChainsOf, uploadsByHostname } from "../../lib/rehearsal/uploaded";
import { makeCertificate } from "../support/make-certificate";

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
const certificate = (block: object) => ({ resource: { google_certificate_manager_certificate: { c: block } } });

test.each<[string, object, readonly string[]]>([
  ["a block", certificate({ self_managed: { pem_certificate: pem("AAAA"), pem_private_key: "k" } }), [pem("AAAA")]],
  [
    "a list of blocks with the earlier names",
    certificate({ self_managed: [{ certificate_pem: pem("AAAA") }] }),
    [pem("AAAA")],
  ],
  [
    "certificates of Compute Engine, each once",
    {
      resource: {
        google_compute_ssl_certificate: { a: { certificate: pem("AAAA") }, b: { certificate: pem("AAAA").trim() } },
        google_compute_region_ssl_certificate: { c: { certificate: pem("CCCC") } },
      },
    },
    [pem("AAAA"), pem("CCCC")],
  ],
  [
    "a stack, without values known only to Terraform",
    certificate({ self_managed: { pem_certificate: "${var.pem}" } }),
    [],
  ],
  [
    "private keys beside them and invalid PEM texts are not",
    {
      resource: {
        google_compute_ssl_certificate: {
          a: { certificate: `${pem("AAAA")}${pem("QUJD").replaceAll("CERTIFICATE", "EC PRIVATE KEY")}` },
          b: { certificate: "-----BEGIN CERTIFICATE-----" },
        },
      },
    },
    [pem("AAAA")],
  ],
  ["a stack, without managed certificates", certificate({ managed: { domains: ["example.com"] } }), []],
])("reads the uploaded certificates of %s", (_, stack, expected) => {
  expect(uploadedChainsOf({ ...stack })).toEqual(expected);
});

test("knows the certificate of each hostname from the stack's migrations", () => {
  const { certificatePem } = makeCertificate(["a.example.com", "*.b.example.com"]);
  const spec: MigrationSpec = {
    name: "shop",
    certificates: [
      { domains: ["managed.example.com"] },
      { kind: "selfManaged", domains: ["a.example.com", "*.b.example.com"], certificatePem, privateKeyVariable: "key" },
    ],
    dns: { kind: "external" },
    loadBalancer: { kind: "globalExternal", addresses: ["203.0.113.7"] },
  };
  const stack = synthesizeSpec(spec, "shop-1") as unknown as StackJson;
  const pems = [certificatePem.replaceAll("\r\n", "\n")];
  expect(
    uploadsByHostname(sourceMigrationsIn(stack), ["managed.example.com", "a.example.com", "x.b.example.com"]),
  ).toEqual(
    new Map([
      ["a.example.com", pems],
      ["x.b.example.com", pems],
    ]),
  );
  expect(uploadsByHostname(sourceMigrationsIn({}), ["a.example.com"])).toEqual(new Map());
});
