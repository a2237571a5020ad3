import { withKnownArguments } from "../../lib/rehearsal/arguments";
import { openKnownTypes } from "../../lib/terraform-provider";

const { schemaOf } = openKnownTypes();
const known = (block: Readonly<Record<string, unknown>>) =>
  withKnownArguments(block, schemaOf("resource", "google_compute_backend_service"));

test("keeps arguments that the provider has, and Terraform's meta-arguments", () => {
  const block = {
    "//": { metadata: {} },
    name: "web",
    backend: [{ group: "g", max_rate: 5 }],
    lifecycle: { prevent_destroy: true },
    depends_on: ["x"],
    provider: "google-beta",
    timeouts: { create: "5m" },
  };
  expect(known(block)).toEqual({ kept: block, unknown: [] });
});

test("removes and names unknown arguments at any depth", () => {
  expect(known({ name: "web", beta_only: 1, backend: [{ group: "g", newer: true }, { newer: false }] })).toEqual({
    kept: { name: "web", backend: [{ group: "g" }, {}] },
    unknown: ["beta_only", "backend.newer"],
  });
});

test("leaves an unknown block unchanged", () => {
  expect(withKnownArguments({ anything: 1 }, undefined)).toEqual({ kept: { anything: 1 }, unknown: [] });
});
