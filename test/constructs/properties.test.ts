import Ajv from "ajv";
import fc from "fast-check";
import { ManagedCertMigration } from "../../lib";
import schema from "../../lib/constructs/output.schema.json";
import { arbitrarySpec } from "../support/arbitrary-spec";
import { runs } from "../support/runs";
import { newStack, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

const validOutput = new Ajv({ strict: false }).compile(schema);

test("synthesizes every valid spec to valid Terraform without empty lists and nulls, with an output that fits the schema", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const stack = newStack();
      ManagedCertMigration.fromSpec(stack, "shop", spec);
      const synthesized = synthesize(stack);
      expect(mistakesOf(synthesized)).toEqual([]);
      validOutput(synthesized.output?.cert_migration?.value);
      expect(validOutput.errors).toBeNull();
    }),
    runs(60),
  );
});
