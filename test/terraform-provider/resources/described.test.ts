import { describedRows } from "../../../lib/terraform-provider/resources";
import { openBindings, resourceSchema, type SchemaBlock } from "../../../lib/terraform-provider/schema";
import { strayAttributes } from "../../support/checked-rows";

const bindings = openBindings();

test.each(describedRows.map((row) => [row.type, row] as const))(
  "has an API member for every attribute of %s",
  (type, row) => {
    expect(strayAttributes(row, resourceSchema(bindings, type) as SchemaBlock)).toEqual([]);
  },
);
