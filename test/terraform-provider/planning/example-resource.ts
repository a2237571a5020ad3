import type { Overlay } from "../../../lib/terraform-provider/planning";
import type { Attribute, SchemaBlock } from "../../../lib/terraform-provider/schema";
import type { ValueObject } from "../../../lib/terraform-provider/value";

const attribute = (
  kind: "required" | "optional" | "computed" | "both",
  type: Attribute["type"] = "string",
): Attribute => ({
  type,
  required: kind === "required",
  optional: kind === "optional" || kind === "both",
  computed: kind === "computed" || kind === "both",
  sensitive: false,
  writeOnly: false,
});

/** A resource with attributes of all kinds, a list and a set of blocks. */
export const schema: SchemaBlock = {
  attributes: new Map([
    ["id", attribute("both")],
    ["name", attribute("required")],
    ["location", attribute("both")],
    ["link", attribute("optional")],
    ["state", attribute("computed")],
    ["hosts", attribute("optional", ["list", "string"])],
  ]),
  blocks: new Map([
    [
      "managed",
      {
        nesting: "list",
        minItems: 0,
        maxItems: 1,
        block: {
          attributes: new Map([
            ["domains", attribute("optional", ["list", "string"])],
            ["state", attribute("computed")],
          ]),
          blocks: new Map(),
        },
      },
    ],
    [
      "backend",
      {
        nesting: "set",
        minItems: 0,
        maxItems: 0,
        block: {
          attributes: new Map([
            ["group", attribute("required")],
            ["rate", attribute("both", "number")],
          ]),
          blocks: new Map(),
        },
      },
    ],
  ]),
};

export const overlay: Overlay = {
  forceNew: ["name", "managed", "backend.group"],
  defaults: { location: "global" },
  equivalences: { link: "link", hosts: "unordered" },
};

/** As a user writes it. */
export const config: ValueObject = {
  id: null,
  name: "a",
  location: null,
  link: "projects/p/global/urlMaps/u",
  state: null,
  hosts: ["x", "y"],
  managed: [{ domains: ["example.com"], state: null }],
  backend: [{ group: "g", rate: null }],
};

/** As it is once it has been created. */
export const created: ValueObject = {
  ...config,
  id: "ids/a",
  location: "global",
  state: "READY",
  managed: [{ domains: ["example.com"], state: "ACTIVE" }],
  backend: [{ group: "g", rate: 7 }],
};
