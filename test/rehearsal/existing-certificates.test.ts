import { createHttpClient } from "../../lib/http";
import { existingCertificatesOf, makeExistingCertificates } from "../../lib/rehearsal/existing-certificates";
import type { StackJson } from "../../lib/rehearsal/stack";
import { startTestCloud } from "../support/cloud";

const id = "projects/p1/locations/global/certificates/shared";
const stackWith = (...certificates: readonly object[]): StackJson => ({
  output: { cert_migration: { value: { migrations: { shop: { certificates } } } } },
});
const existing = { kind: "existing", id, domains: ["shop.example.com"] };

test("are the certificates that a migration refers to by id, without the certificates that it creates", () => {
  const reference = { kind: "existing", id: "${google_certificate_manager_certificate.x.id}" };
  const managed = { kind: "managed", id, domains: ["a.example.com"] };
  expect(existingCertificatesOf(stackWith(existing, reference, managed))).toEqual([
    { id, domains: ["shop.example.com"] },
  ]);
  expect(existingCertificatesOf({})).toEqual([]);
});

test("are created for their domains, and the root of their CA is returned", async () => {
  await using cloud = await startTestCloud({ speed: 1, behavior: { operationMs: 0, propagationMs: 0 } });
  const place = { cloudUrl: cloud.endpoints.http, http: createHttpClient() };
  const roots = await makeExistingCertificates(stackWith(existing), place);
  expect(roots).toEqual([expect.stringContaining("BEGIN CERTIFICATE")]);
  expect(await cloud.make("GET", `/v1/${id}`)).toMatchObject({ sanDnsnames: ["shop.example.com"] });
  expect(await makeExistingCertificates(stackWith(), place)).toEqual([]);
});
