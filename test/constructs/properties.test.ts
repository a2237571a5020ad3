import fc from "fast-check";
import { ManagedCertMigration } from "../../lib";
import { arbitrarySpec } from "../support/arbitrary-spec";
import { newStack, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

test("every spec that is right becomes a stack that Terraform would accept, without empty lists and nulls", () => {
  fc.assert(
    fc.property(arbitrarySpec, (spec) => {
      const stack = newStack();
      ManagedCertMigration.fromSpec(stack, "shop", spec);
      expect(mistakesOf(synthesize(stack))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
