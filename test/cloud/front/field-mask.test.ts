import { CloudError } from "../../../lib/cloud/cloud-error";
import { applyMask } from "../../../lib/cloud/front";

const before = {
  name: "n",
  description: "old",
  labels: { env: "prod", my_team: "web" },
  certificates: ["a"],
  state: "ACTIVE",
};
const mutable = ["description", "labels", "certificates"];

describe("a field mask", () => {
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
    [
      "that is empty stands for what the body has",
      "",
      { description: "new", name: "n", state: "x" },
      { description: "new" },
    ],
  ])("%s", (_what, mask, body, after) => {
    const expected = Object.entries({ ...before, ...after }).filter(([, value]) => value !== undefined);
    expect(applyMask(before, body as never, mask, mutable)).toEqual(Object.fromEntries(expected));
  });

  it("may be spelled with underscores", () => {
    const after = applyMask({ sslPolicy: "a" }, { sslPolicy: "b" }, "ssl_policy", ["sslPolicy"]);
    expect(after).toEqual({ sslPolicy: "b" });
  });

  test.each([["name"], ["state"], ["nonsense"], ["__proto__.x"], ["description,name"]])(
    "fails for %s, which can't be updated",
    (mask) => {
      expect(() => applyMask(before, { name: "m" }, mask, mutable)).toThrow(CloudError);
      expect(() => applyMask(before, { name: "m" }, mask, mutable)).toThrow("can't be updated; description, labels,");
    },
  );

  it("changes neither what there was nor what was given", () => {
    const given = { labels: { env: "dev" } };
    applyMask(before, given, "labels.env", mutable);
    expect([before.labels, given]).toEqual([{ env: "prod", my_team: "web" }, { labels: { env: "dev" } }]);
  });
});
