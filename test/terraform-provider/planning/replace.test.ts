import { replacements } from "../../../lib/terraform-provider/planning";
import { unknown, type ValueObject } from "../../../lib/terraform-provider/value";
import { created, overlay, schema } from "./example-resource";

describe("the attribute that forces replacement", () => {
  test.each<[string, ValueObject, readonly unknown[]]>([
    ["nothing, for other attributes", { link: "other", state: unknown }, []],
    ["an attribute", { name: "b" }, [["name"]]],
    ["an attribute that is not known yet", { name: unknown }, [["name"]]],
    [
      "an attribute of a block, by its index",
      { managed: [{ domains: ["b"], state: "ACTIVE" }] },
      [["managed", 0, "domains"]],
    ],
    ["a removed block", { managed: [] }, [["managed"]]],
    ["a member of a set, by the set", { backend: [{ group: "h", rate: 7 }] }, [["backend"]]],
  ])("is %s", (_, change, paths) => {
    expect(replacements(schema, overlay, created, { ...created, ...change })).toEqual(paths);
  });
});
