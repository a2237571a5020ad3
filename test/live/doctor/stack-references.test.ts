import { computeIdOf, projectsInStack, referencesInStack, zoneIdOf } from "../../../lib/live/doctor/stack-references";
import type { StackContents, StackResource } from "../../../lib/source";

const stackOf = (...resources: readonly StackResource[]) => ({ resources }) as unknown as StackContents;
const resourceOf = (type: string, change: Partial<StackResource> = {}): StackResource => ({
  address: `${type}.web`,
  type,
  values: { name: "web" },
  isLookedUp: false,
  ...change,
});

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

test.each<[string, string, string | undefined, string | undefined]>([
  ["its path", "google_compute_url_map", "projects/p2/global/urlMaps/web", "projects/p2/global/urlMaps/web"],
  ["project and name", "google_compute_url_map", "p2/web", "projects/p2/global/urlMaps/web"],
  ["its name, in the project of the resource", "google_compute_url_map", "web", "projects/p1/global/urlMaps/web"],
  [
    "project, region and name",
    "google_compute_region_url_map",
    "p2/europe-west6/web",
    "projects/p2/regions/europe-west6/urlMaps/web",
  ],
  [
    "region and name, in the project of the resource",
    "google_compute_region_url_map",
    "europe-west6/web",
    "projects/p1/regions/europe-west6/urlMaps/web",
  ],
  [
    "its name, in project and region of the resource",
    "google_compute_region_url_map",
    "web",
    "projects/p1/regions/europe-west1/urlMaps/web",
  ],
])("a resource is imported by %s", (_, type, importId, id) => {
  const columns = { types: [type], namedBy: {}, idOf: computeIdOf(["urlMaps"]) };
  const imported = resourceOf(type, { project: "p1", region: "europe-west1", ...(importId && { importId }) });
  expect(referencesInStack(columns, stackOf(imported))).toEqual([{ id, by: `object that is imported as ${type}.web` }]);
});

test("the projects of a stack are those of the types that it does not create", () => {
  const created = resourceOf("google_project", { values: { project_id: "created" } });
  const lookedUp = resourceOf("google_project", { values: { project_id: "looked-up" }, isLookedUp: true });
  const [map, zone] = ["google_compute_url_map", "google_dns_managed_zone"] as const;
  const contents = stackOf(
    created,
    lookedUp,
    resourceOf(map, { project: "created" }),
    resourceOf(map, { project: "looked-up" }),
    resourceOf(map),
    resourceOf(zone, { project: "other" }),
  );
  expect(projectsInStack(contents, new Set([map]))).toEqual(["looked-up"]);
});
