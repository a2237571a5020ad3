import { TerraformStack, Testing } from "cdktf";
import {
  AuthorizationType,
  Certificate,
  CertificateScope,
  DnsPublication,
  Gate,
  ManagedCertMigration,
  Phase,
  TrafficTarget,
} from "../../lib";
import schema from "../../lib/plan/migration.schema.json";

const { GateName, PhaseName, AuthorizationTypeName, CertificateScopeName, TrafficSpec } = schema.definitions;

test.each([
  ["Gate", Gate, GateName.enum],
  ["Phase", Phase, PhaseName.enum],
  ["AuthorizationType", AuthorizationType, AuthorizationTypeName.enum],
  ["CertificateScope", CertificateScope, CertificateScopeName.enum],
  ["TrafficTarget", TrafficTarget, TrafficSpec.properties.to.enum],
])("%s has a constant for each word of the description, and no other", (_, words, described) => {
  expect(Object.values(words)).toEqual(described);
});

test("accepts a constant in place of its word", () => {
  const migrate = (gate: typeof Gate.CHECK | "check") =>
    new ManagedCertMigration(new TerraformStack(Testing.app(), "prod"), "shop", {
      certificates: [Certificate.managed({ domains: ["shop.example.com"] })],
      dns: DnsPublication.external(),
      gate,
      phase: Phase.SERVE,
    });
  expect(migrate(Gate.CHECK).plan).toEqual(migrate("check").plan);
});
