import { reconcile } from "../../../lib/terraform-provider/planning";
import { unknown, type ValueObject } from "../../../lib/terraform-provider/value";
import { config, created, overlay, schema } from "./example-resource";

const planned: ValueObject = {
  ...created,
  id: unknown,
  state: unknown,
  managed: [{ domains: ["example.com"], state: unknown }],
};

test("the service's answer fills unknown values, in the spelling of the plan", () => {
  const answered = {
    id: "ids/a",
    name: "a",
    location: "global",
    link: "https://www.googleapis.com/compute/v1/projects/p/global/urlMaps/u",
    state: "READY",
    hosts: ["y", "x"],
    managed: [{ domains: ["example.com"], state: "PROVISIONING" }],
    backend: [{ group: "g", rate: 7 }],
  };

  expect(reconcile({ schema, overlay, known: planned, answered, config })).toEqual({
    ...created,
    managed: [{ domains: ["example.com"], state: "PROVISIONING" }],
  });
});

test("the service's answer sets attributes that only the service sets at once, even if the plan omits them", () => {
  const answered = {
    ...created,
    id: "ids/b",
    state: "CHANGED",
    managed: [{ domains: ["example.com"], state: "FAILED" }],
  };

  expect(reconcile({ schema, overlay, known: created, answered, config })).toEqual(answered);
  expect(reconcile({ schema, overlay, known: created, answered })).toEqual(answered);
});

test("the service's answer does not change the planned value of an unconfigured argument until the next refresh", () => {
  const answered = { ...created, location: "moved" };
  const { location: _, ...bare } = config;

  expect(reconcile({ schema, overlay, known: created, answered, config: bare })).toEqual(created);
  expect(reconcile({ schema, overlay, known: created, answered })).toEqual(answered);
});

test("the service's answer overrides the state if it differs from the configuration", () => {
  expect(reconcile({ schema, overlay, known: planned, answered: { ...created, name: "b" }, config }).name).toBe("b");
});

test("the service's answer leaves attributes that it never contains unchanged, and none of them unknown", () => {
  const { link: _, state: __, ...answered } = created;

  expect(reconcile({ schema, overlay, known: planned, answered, config })).toMatchObject({
    link: config.link,
    state: null,
  });
});

test("the service's answer is ignored if only the configuration counts", () => {
  const quiet = { ...overlay, answers: { onlyIfConfigured: ["link", "managed"] } };
  const bare = { ...created, link: null, managed: [] };

  expect(reconcile({ schema, overlay: quiet, known: bare, answered: created })).toEqual(bare);
  expect(reconcile({ schema, overlay: quiet, known: created, answered: { ...created, link: "other" } }).link).toBe(
    "other",
  );
});

test("the service's answer pairs the members of a set by their known attributes", () => {
  const known = {
    ...created,
    backend: [
      { group: "g", rate: unknown },
      { group: "h", rate: unknown },
    ],
  };
  const answered = {
    ...created,
    backend: [
      { group: "h", rate: 2 },
      { group: "g", rate: 1 },
    ],
  };

  expect(reconcile({ schema, overlay, known, answered, config }).backend).toEqual(answered.backend);
});
