import { CloudError } from "../../../lib/cloud/cloud-error";
import { applyMask } from "../../../lib/cloud/front";
import { ownDescription } from "../../../lib/discovery";

const before = {
  name: "n",
  description: "old",
  labels: { env: "prod", my_team: "web" },
  certificates: ["a"],
  state: "ACTIVE",
};
const mutable = ["description", "labels", "certificates"];
const shape = { description: ownDescription("certificatemanager:v1"), schema: { $ref: "CertificateMapEntry" } };

test.each<[what: string, mask: string, body: object, after: object]>([
  ["sets what it names", "description", { description: "new", certificates: ["b"] }, { description: "new" }],
  ["clears what the body lacks", "description", {}, { description: undefined }],
  ["clears what the body has as null", "description", { description: null }, { description: undefined }],
  [
    "takes several fields",
    "description,certificates",
    { description: "new", certificates: ["b"] },
    { description: "new", certificates: ["b"] },
  ],
  [
    "may have spaces",
    " description , certificates ",
    { description: "new" },
    { description: "new", certificates: undefined },
  ],
  ["replaces a map as a whole", "labels", { labels: { a: "b" } }, { labels: { a: "b" } }],
  ["sets one key of a map", "labels.env", { labels: { env: "dev" } }, { labels: { env: "dev", my_team: "web" } }],
  ["clears one key of a map", "labels.env", { labels: {} }, { labels: { my_team: "web" } }],
  [
    "sets a key with an underscore",
    "labels.my_team",
    { labels: { my_team: "ops" } },
    { labels: { env: "prod", my_team: "ops" } },
  ],
  [
    "stands for all fields as *",
    "*",
    { description: "new" },
    { description: "new", labels: undefined, certificates: undefined },
  ],
  ["that is empty stands for what the body has", "", { description: "new", name: "n" }, { description: "new" }],
  [
    "that is empty lets the body repeat what can't change, or leave it unset",
    "",
    { description: "new", state: "ACTIVE", hostname: "", matcher: "MATCHER_UNSPECIFIED" },
    { description: "new" },
  ],
])("a field mask %s", (_what, mask, body, after) => {
  const expected = Object.entries({ ...before, ...after }).filter(([, value]) => value !== undefined);
  expect(applyMask(before, body as never, mask, mutable, shape)).toEqual(Object.fromEntries(expected));
});

it("a field mask can be spelled with underscores", () => {
  const proxy = { description: ownDescription("compute:v1"), schema: { $ref: "TargetHttpsProxy" } };
  const after = applyMask({ sslPolicy: "a" }, { sslPolicy: "b" }, "ssl_policy", ["sslPolicy"], proxy);
  expect(after).toEqual({ sslPolicy: "b" });
});

test.each<[mask: string, body: object, why: string]>([
  ["name", { name: "m" }, "the field name can't be updated; description, labels, certificates can"],
  ["state", {}, "the field state can't be updated"],
  ["description,name", { name: "m" }, "the field name can't be updated"],
  ["", { name: "m" }, "the field name can't be updated"],
  ["*", { description: "new", hostname: "a.example" }, "the field hostname can't be updated"],
  ["nonsense", {}, "unknown field 'nonsense'; description, labels, certificates can"],
  ["__proto__.x", {}, "unknown field '__proto__'"],
  ["description.x", { description: "a" }, "'description.x' is not a path of fields that can be updated: 'description'"],
  ["labels.x.y", { labels: { x: "a" } }, "'labels.x' has no fields, such as 'y'"],
  ["labels.", {}, "'labels' has no field ''"],
  ["labels.*", {}, "'labels' has no field '*'"],
  ["certificates.foo", { certificates: ["b"] }, "'certificates' is a list and taken as a whole, without '.foo'"],
  ["certificates.0", { certificates: ["b"] }, "'certificates' is a list"],
])("a field mask is refused as '%s' with %j", (mask, body, why) => {
  const apply = () => applyMask(before, body as never, mask, mutable, shape);
  expect(apply).toThrow(CloudError);
  expect(apply).toThrow(why);
});

it("a field mask that is empty ignores unchanged immutable members, and refuses changed ones", () => {
  const certificate = { description: ownDescription("certificatemanager:v1"), schema: { $ref: "Certificate" } };
  const made = { managed: { domains: ["a.example"], state: "ACTIVE" } };
  const patch = (body: object) => applyMask(made, body as never, "", ["description"], certificate);
  expect(patch({ managed: { domains: ["a.example"] }, scope: "DEFAULT", description: "d" })).toEqual({
    ...made,
    description: "d",
  });
  for (const domains of [["b.example"], ["a.example", "b.example"], []])
    expect(() => patch({ managed: { domains } })).toThrow("the field managed can't be updated; description can");
});

it("a field mask modifies neither the stored value nor the body", () => {
  const given = { labels: { env: "dev" } };
  applyMask(before, given, "labels.env", mutable, shape);
  expect([before.labels, given]).toEqual([{ env: "prod", my_team: "web" }, { labels: { env: "dev" } }]);
});
