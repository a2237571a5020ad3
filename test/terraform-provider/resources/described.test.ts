import { describedRows } from "../../../lib/terraform-provider/resources";
import { type Block, openBindings, resourceSchema } from "../../../lib/terraform-provider/schema";
import { strayAttributes } from "../../support/checked-rows";

const bindings = openBindings();

test.each(describedRows.map((row) => [row.type, row] as const))(
  "every attribute of %s is a member of its API",
  (type, row) => {
    expect(strayAttributes(row, resourceSchema(bindings, type) as Block)).toEqual([]);
  },
);
