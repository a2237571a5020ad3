import { reconcile } from "../../../lib/terraform-provider/planning";
import { unknown, type ValueObject } from "../../../lib/terraform-provider/value";
import { config, created, overlay, schema } from "./example-resource";

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

  test("is taken over at once for what only the service sets, though the plan said nothing of it", () => {
    const told = {
      ...created,
      id: "ids/b",
      state: "CHANGED",
      managed: [{ domains: ["example.com"], state: "FAILED" }],
    };

    expect(reconcile({ schema, overlay, known: created, told, config })).toEqual(told);
    expect(reconcile({ schema, overlay, known: created, told })).toEqual(told);
  });

  test("does not break what an update has promised of an argument that nobody configured, until the next refresh", () => {
    const told = { ...created, location: "moved" };
    const { location: _, ...bare } = config;

    expect(reconcile({ schema, overlay, known: created, told, config: bare })).toEqual(created);
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
