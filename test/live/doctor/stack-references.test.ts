import { zoneIdOf } from "../../../lib/live/doctor/stack-references";

test.each<[string, string, string | undefined, string | undefined]>([
  ["the project of its path", "projects/zone-project/managedZones/example-com", "other", "zone-project"],
  ["the project of the resource, for a name alone", "example-com", "other", "other"],
  ["no id without a project", "example-com", undefined, undefined],
])("a zone of a stack has %s", (_, text, project, expected) => {
  const resource = {
    address: "google_dns_record_set.www",
    type: "google_dns_record_set",
    values: {},
    isLookedUp: false,
  };
  const id = zoneIdOf(text, { ...resource, ...(project && { project }) });
  expect(id).toBe(expected && `projects/${expected}/managedZones/example-com`);
});
