import { planAttributes } from "../../../lib/terraform-provider/planning";
import { unknown } from "../../../lib/terraform-provider/value";
import { config, created, overlay, schema } from "./example-resource";

test("a plan to create a resource has defaults, and unknown values for attributes that the service sets", () => {
  expect(planAttributes({ schema, overlay, prior: undefined, proposed: config, config })).toEqual({
    ...config,
    id: unknown,
    location: "global",
    state: unknown,
    managed: [{ domains: ["example.com"], state: unknown }],
    backend: [{ group: "g", rate: unknown }],
  });
});

test("a plan without a difference equals the state", () => {
  expect(planAttributes({ schema, overlay, prior: created, proposed: created, config })).toEqual(created);
});

test("a plan keeps the spelling of the state if both spellings mean the same", () => {
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

test("a plan resets a removed argument to its default, and keeps values that the service decided", () => {
  const prior = { ...created, location: "europe-west1" };
  const planned = planAttributes({ schema, overlay, prior, proposed: prior, config });

  expect(planned).toMatchObject({ location: "global", state: "READY" });
});

test("a plan keeps configured unknown values unknown", () => {
  const open = { ...config, link: unknown };

  expect(
    planAttributes({ schema, overlay, prior: created, proposed: { ...created, link: unknown }, config: open }).link,
  ).toBe(unknown);
});

test("a plan has unknown attributes in a new block", () => {
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
