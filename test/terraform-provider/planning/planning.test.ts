import {
  checkChoices,
  equivalent,
  type Overlay,
  planAttributes,
  planLabels,
  reconcile,
  replacements,
  toldLabels,
} from "../../../lib/terraform-provider/planning";
import type { Attribute, Block } from "../../../lib/terraform-provider/schema";
import { unknown, type Value, type ValueObject } from "../../../lib/terraform-provider/value";

const attribute = (
  kind: "required" | "optional" | "computed" | "both",
  type: Attribute["type"] = "string",
): Attribute => ({
  type,
  required: kind === "required",
  optional: kind === "optional" || kind === "both",
  computed: kind === "computed" || kind === "both",
  sensitive: false,
});

const schema: Block = {
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

const overlay: Overlay = {
  forceNew: ["name", "managed", "backend.group"],
  defaults: { location: "global" },
  equivalences: { link: "link", hosts: "unordered" },
};

const config: ValueObject = {
  id: null,
  name: "a",
  location: null,
  link: "projects/p/global/urlMaps/u",
  state: null,
  hosts: ["x", "y"],
  managed: [{ domains: ["example.com"], state: null }],
  backend: [{ group: "g", rate: null }],
};

const created: ValueObject = {
  ...config,
  id: "ids/a",
  location: "global",
  state: "READY",
  managed: [{ domains: ["example.com"], state: "ACTIVE" }],
  backend: [{ group: "g", rate: 7 }],
};

describe("a plan", () => {
  test("to create has defaults, and is unknown where only the service can tell", () => {
    expect(planAttributes({ schema, overlay, prior: undefined, proposed: config, config })).toEqual({
      ...config,
      id: unknown,
      location: "global",
      state: unknown,
      managed: [{ domains: ["example.com"], state: unknown }],
      backend: [{ group: "g", rate: unknown }],
    });
  });

  test("without a difference is the state", () => {
    expect(planAttributes({ schema, overlay, prior: created, proposed: created, config })).toEqual(created);
  });

  test("keeps the spelling of the state where another one means the same", () => {
    const other = {
      ...config,
      link: "https://www.googleapis.com/compute/v1/projects/p/global/urlMaps/u",
      hosts: ["y", "x"],
    };

    expect(
      planAttributes({ schema, overlay, prior: created, proposed: { ...created, ...other }, config: other }),
    ).toMatchObject({
      link: config.link,
      hosts: ["x", "y"],
    });
  });

  test("goes back to the default, and keeps what the service decided", () => {
    const prior = { ...created, location: "europe-west1" };
    const planned = planAttributes({ schema, overlay, prior, proposed: prior, config });

    expect(planned).toMatchObject({ location: "global", state: "READY" });
  });

  test("leaves unknown what is configured and unknown", () => {
    const open = { ...config, link: unknown };

    expect(
      planAttributes({ schema, overlay, prior: created, proposed: { ...created, link: unknown }, config: open }).link,
    ).toBe(unknown);
  });

  test("has unknown attributes in a block that comes anew", () => {
    const more = {
      ...config,
      backend: [
        { group: "g", rate: null },
        { group: "h", rate: null },
      ],
    };
    const proposed = {
      ...created,
      backend: [
        { group: "g", rate: 7 },
        { group: "h", rate: null },
      ],
    };

    expect(planAttributes({ schema, overlay, prior: created, proposed, config: more }).backend).toEqual([
      { group: "g", rate: 7 },
      { group: "h", rate: unknown },
    ]);
  });
});

describe("what forces replacement", () => {
  test.each<[string, ValueObject, readonly unknown[]]>([
    ["nothing, for other attributes", { link: "other", state: unknown }, []],
    ["an attribute", { name: "b" }, [["name"]]],
    ["an attribute that is not known yet", { name: unknown }, [["name"]]],
    [
      "an attribute of a block, by its index",
      { managed: [{ domains: ["b"], state: "ACTIVE" }] },
      [["managed", 0, "domains"]],
    ],
    ["a block that goes", { managed: [] }, [["managed"]]],
    ["a member of a set, by the set", { backend: [{ group: "h", rate: 7 }] }, [["backend"]]],
  ])("is %s", (_, change, paths) => {
    expect(replacements(schema, overlay, created, { ...created, ...change })).toEqual(paths);
  });
});

describe("what the service tells", () => {
  const planned: ValueObject = {
    ...created,
    id: unknown,
    state: unknown,
    managed: [{ domains: ["example.com"], state: unknown }],
  };

  test("fills what was unknown, in the spelling of the plan", () => {
    const told = {
      id: "ids/a",
      name: "a",
      location: "global",
      link: "https://www.googleapis.com/compute/v1/projects/p/global/urlMaps/u",
      state: "READY",
      hosts: ["y", "x"],
      managed: [{ domains: ["example.com"], state: "PROVISIONING" }],
      backend: [{ group: "g", rate: 7 }],
    };

    expect(reconcile({ schema, overlay, known: planned, told, config })).toEqual({
      ...created,
      managed: [{ domains: ["example.com"], state: "PROVISIONING" }],
    });
  });

  test("does not break what an update has promised, until the next refresh", () => {
    const told = { ...created, state: "CHANGED", managed: [{ domains: ["example.com"], state: "FAILED" }] };

    expect(reconcile({ schema, overlay, known: created, told, config })).toEqual(created);
    expect(reconcile({ schema, overlay, known: created, told })).toEqual(told);
  });

  test("counts where it is not what was configured", () => {
    expect(reconcile({ schema, overlay, known: planned, told: { ...created, name: "b" }, config }).name).toBe("b");
  });

  test("leaves what it never tells as it was, and nothing unknown", () => {
    const { link: _, state: __, ...told } = created;

    expect(reconcile({ schema, overlay, known: planned, told, config })).toMatchObject({
      link: config.link,
      state: null,
    });
  });

  test("is left alone where only what is configured counts", () => {
    const quiet = { ...overlay, onlyIfConfigured: ["link", "managed"] };
    const bare = { ...created, link: null, managed: [] };

    expect(reconcile({ schema, overlay: quiet, known: bare, told: created })).toEqual(bare);
    expect(reconcile({ schema, overlay: quiet, known: created, told: { ...created, link: "other" } }).link).toBe(
      "other",
    );
  });

  test("pairs the members of a set by what is known of them", () => {
    const known = {
      ...created,
      backend: [
        { group: "g", rate: unknown },
        { group: "h", rate: unknown },
      ],
    };
    const told = {
      ...created,
      backend: [
        { group: "h", rate: 2 },
        { group: "g", rate: 1 },
      ],
    };

    expect(reconcile({ schema, overlay, known, told, config }).backend).toEqual(told.backend);
  });
});

test.each<[Value, Value, Parameters<typeof equivalent>[2], boolean]>([
  ["a", "a", undefined, true],
  ["a", "A", undefined, false],
  ["a", "A", "caseless", true],
  [null, "", undefined, true],
  [null, [], undefined, true],
  [false, null, undefined, true],
  [0, null, undefined, true],
  [1, null, undefined, false],
  [unknown, unknown, undefined, false],
  ["projects/p/global/urlMaps/u", "https://www.googleapis.com/compute/v1/projects/p/global/urlMaps/u", "link", true],
  ["u", "projects/p/global/urlMaps/u", "link", true],
  ["global/urlMaps/u", "projects/p/global/urlMaps/u", "link", true],
  ["projects/p/global/urlMaps/u", "projects/q/global/urlMaps/u", "link", false],
  ["map", "remap", "link", false],
  [
    "//certificatemanager.googleapis.com/projects/p/locations/global/certificates/c",
    "projects/p/locations/global/certificates/c",
    "link",
    true,
  ],
  [["a", "b"], ["b", "a"], "link", false],
  [["a", "b"], ["b", "a"], "unordered", true],
  [["a", "a"], ["a", "b"], "unordered", false],
  [["X.example."], ["x.example"], "domainNames", true],
  ["443", "443-443", "portRange", true],
  ["443", "443-444", "portRange", false],
  ["192.0.2.1", "projects/p/global/addresses/a", "address", true],
  ["192.0.2.1", "192.0.2.2", "address", false],
])("%p and %p as %s: %s", (left, right, rule, expected) => {
  expect(equivalent(left, right, rule)).toBe(expected);
  expect(equivalent(right, left, rule)).toBe(expected);
});

describe("labels", () => {
  const settings = { defaultLabels: { env: "prod" }, attribution: "creation" } as const;
  const mark = { "goog-terraform-provisioned": "true" };

  test("of a new resource are the provider's, the mark and its own", () => {
    expect(planLabels(undefined, { team: "web", env: "test" }, settings)).toEqual({
      terraform_labels: { env: "test", team: "web", ...mark },
      effective_labels: { env: "test", team: "web", ...mark },
    });
  });

  test("that others have set stay, those that Terraform no longer sets go", () => {
    const prior = {
      terraform_labels: { env: "prod", team: "web", ...mark },
      effective_labels: { env: "prod", team: "web", owner: "audit", ...mark },
    };

    expect(planLabels(prior, null, settings).effective_labels).toEqual({ env: "prod", owner: "audit", ...mark });
  });

  test("of a resource that was made without the mark stay without it", () => {
    const prior = { terraform_labels: {}, effective_labels: { team: "web" } };

    expect(planLabels(prior, { team: "web" }, settings).terraform_labels).toEqual({ env: "prod", team: "web" });
    expect(planLabels(prior, {}, { ...settings, attribution: "always" }).terraform_labels).toEqual({
      env: "prod",
      ...mark,
    });
    expect(planLabels(undefined, {}, { ...settings, attribution: "never" }).terraform_labels).toEqual({ env: "prod" });
  });

  test("are unknown as long as one of them is", () => {
    expect(planLabels(undefined, { team: unknown }, settings)).toEqual({
      terraform_labels: unknown,
      effective_labels: unknown,
    });
  });

  test("that the service tells are shared out by whose they are", () => {
    const known = { labels: { team: "web" }, terraform_labels: { team: "web", ...mark } };

    expect(toldLabels(known, { team: "shop", owner: "audit", ...mark })).toEqual({
      labels: { team: "shop" },
      terraform_labels: { team: "shop", ...mark },
      effective_labels: { team: "shop", owner: "audit", ...mark },
    });
  });
});

test.each<[string, ValueObject, readonly string[]]>([
  ["one of them", { a: "x" }, []],
  ["one that is not known yet", { a: unknown }, []],
  ["none", { a: null, b: [] }, ["t: exactly one of a, b must be set, found none"]],
  ["both", { a: "x", b: [{}] }, ["t: exactly one of a, b must be set, found a and b"]],
  ["two that conflict", { a: "x", c: "y", d: "z" }, ["t: c conflicts with d; set one of them"]],
])("a configuration with %s", (_, given, messages) => {
  const choices: Overlay = { forceNew: [], exactlyOne: [["a", "b"]], atMostOne: [["c", "d"]] };

  expect(checkChoices("t", choices, given).map(({ message }) => message)).toEqual(messages);
});
