import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { rehearse, scriptOf } from "../../lib/rehearsal";
import { missingRecordsOf } from "../../lib/rehearsal/cloud-reader";

const type = "google_certificate_manager_dns_authorization";
const nameOf = (id: string) => `\${${type}.${id}.dns_resource_record[0].name}`;
const stack = {
  resource: {
    [type]: { a: { domain: "a.example" }, b: { domain: "b.example" }, c: { domain: "${var.domain}" } },
    google_dns_record_set: { a: { name: nameOf("a") }, c: { name: nameOf("c") }, www: { name: "www.a.example." } },
  },
};
const authorizationOf = (domain: string) => ({
  name: `projects/shop-1/locations/global/dnsAuthorizations/${domain}`,
  domain,
  dnsResourceRecord: { name: `_acme-challenge.${domain}.`, type: "CNAME", data: "x.authorize.example." },
});
const both = [authorizationOf("a.example"), authorizationOf("b.example")];

test.each([
  ["nothing if all resources exist, whatever others publish", both, ["_acme-challenge.a.example. CNAME"], []],
  [
    "missing authorizations",
    [],
    ["_acme-challenge.a.example. CNAME"],
    ["the authorization of 'a.example'", "the authorization of 'b.example'"],
  ],
  ["a missing CNAME", both, ["_acme-challenge.a.example. TXT"], ["the CNAME '_acme-challenge.a.example.'"]],
])("reports %s", (_, authorizations, records, unmade) => {
  expect(missingRecordsOf(stack, { authorizations, records, publishesAll: false })).toEqual(unmade);
});

test("reports missing records of others after the rehearsal has published them", () => {
  const missing = (records: readonly string[]) =>
    missingRecordsOf(stack, { authorizations: both, records, publishesAll: true });
  const written = "_acme-challenge.a.example. CNAME";
  expect(missing([written])).toEqual(["the CNAME '_acme-challenge.b.example.'"]);
  expect(missing([written, "_acme-challenge.b.example. CNAME"])).toEqual([]);
});

test("fails steps 1 and 2 if Terraform reports success and the cloud has no resources", async () => {
  const folder = mkdtempSync(join(tmpdir(), "made-"));
  try {
    const program = join(folder, "terraform");
    writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    const certificates = [{ domains: ["a.example.com"] }];
    const { hostnames, specOf } = scriptOf({ name: "shop", certificates, dns: { kind: "external" } }, "true");
    const said: string[] = [];
    const { ok, steps } = await rehearse({
      migration: {
        synthesize: (variant) => synthesizeSpec(specOf(variant), "shop-1"),
        hostnames,
      },
      terraform: { folder: join(folder, "work"), program },
      output: { say: (line) => said.push(line) },
      signal: new AbortController().signal,
    });
    expect({ ok, steps: steps.map((step) => [step.number, step.ok]) }).toEqual({
      ok: false,
      steps: [
        [1, false],
        [2, false],
      ],
    });
    expect(said).toContain("not in the cloud, though Terraform ended well: the authorization of 'a.example.com'");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
