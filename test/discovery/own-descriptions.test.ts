import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isOwnDescriptionId, ownDescription, ownDescriptionIds } from "../../lib/discovery";

const folder = join(__dirname, "../../lib/discovery/descriptions");

test("serves every description of the project under its ID", () => {
  const files = readdirSync(folder).filter((name) => name !== "enum-numbers.json");

  expect(ownDescriptionIds.map((id) => `${id.replace(":", ".")}.json`).sort()).toEqual(files.sort());
});

test.each(ownDescriptionIds)("returns for %s the description of that ID, read once", (id) => {
  expect(ownDescription(id).id).toBe(id);
  expect(ownDescription(id)).toBe(ownDescription(id));
});

test.each([
  ["dns:v1", true],
  ["serviceusage:v1", true],
  ["cloudbilling:v1", true],
  ["cloudresourcemanager:v3", true],
  ["cloudresourcemanager:v1", true],
  ["cloudresourcemanager:v2", false],
  ["logging:v2", true],
  ["monitoring:v3", true],
  ["privateca:v1", true],
  ["storage:v1", true],
  ["dns", false],
  ["constructor", false],
])("decides whether %s is an own description: %s", (id, expected) => {
  expect(isOwnDescriptionId(id)).toBe(expected);
});

test("selects the endpoints of Compute Engine by location", () => {
  const request = ownDescription("compute:v1").request("compute.forwardingRules.get", {
    parameters: { project: "p1", region: "europe-west6", forwardingRule: "fr" },
    endpoint: { location: "europe-west6" },
  });

  expect(request.url).toBe(
    "https://compute.europe-west6.rep.googleapis.com/compute/v1/projects/p1/regions/europe-west6/forwardingRules/fr",
  );
});
