import { uploadedChainsOf } from "../../lib/rehearsal/uploaded";

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
const certificate = (block: object) => ({ resource: { google_certificate_manager_certificate: { c: block } } });

test.each<[string, object, readonly string[]]>([
  ["a block", certificate({ self_managed: { pem_certificate: pem("a"), pem_private_key: "k" } }), [pem("a")]],
  ["a list of blocks, in the older words", certificate({ self_managed: [{ certificate_pem: pem("a") }] }), [pem("a")]],
  [
    "certificates of Compute Engine, each once",
    {
      resource: {
        google_compute_ssl_certificate: { a: { certificate: pem("a") }, b: { certificate: pem("a").trim() } },
        google_compute_region_ssl_certificate: { c: { certificate: pem("c") } },
      },
    },
    [pem("a"), pem("c")],
  ],
  [
    "what only Terraform will know is not among them",
    certificate({ self_managed: { pem_certificate: "${var.pem}" } }),
    [],
  ],
  ["managed ones are not", certificate({ managed: { domains: ["example.com"] } }), []],
])("%s", (_, stack, expected) => {
  expect(uploadedChainsOf({ ...stack })).toEqual(expected);
});
