import { readSettings, userProjectOf } from "../../lib/terraform-provider/settings";
import { unknown, type ValueObject } from "../../lib/terraform-provider/value";

test("has no location and no labels for an empty provider block, and sets the attribution label", () => {
  expect(readSettings({}, "rehearsal")).toEqual({
    project: undefined,
    region: undefined,
    zone: undefined,
    userProjectOverride: false,
    billingProject: undefined,
    accessToken: "rehearsal",
    defaultLabels: {},
    attribution: "creation",
  });
});

test("reads the values of a provider block unchanged", () => {
  const config = {
    project: "shop",
    region: "europe-west1",
    zone: "europe-west1-b",
    access_token: "own",
    default_labels: { team: "web" },
    terraform_attribution_label_addition_strategy: "PROACTIVE",
  };

  expect(readSettings(config, "rehearsal")).toEqual({
    project: "shop",
    region: "europe-west1",
    zone: "europe-west1-b",
    userProjectOverride: false,
    billingProject: undefined,
    accessToken: "own",
    defaultLabels: { team: "web" },
    attribution: "always",
  });
});

test("treats values that are unknown before an apply as absent", () => {
  const config = { project: unknown, access_token: unknown, default_labels: { team: "web", run: unknown, none: null } };

  expect(readSettings(config, "rehearsal")).toMatchObject({
    project: undefined,
    userProjectOverride: false,
    billingProject: undefined,
    accessToken: "rehearsal",
    defaultLabels: { team: "web" },
  });
  expect(readSettings({ default_labels: unknown }, "rehearsal").defaultLabels).toEqual({});
});

test("sets no attribution label if the provider block disables it", () => {
  const config = { add_terraform_attribution_label: false, terraform_attribution_label_addition_strategy: "PROACTIVE" };

  expect(readSettings(config, "rehearsal").attribution).toBe("never");
});

test.each<[string, object, string, string | undefined]>([
  ["without the override", { billing_project: "b" }, "/v1/projects/p/locations/global/certificates", undefined],
  ["the resource's own", { user_project_override: true }, "/v1/projects/p/locations/global/certificates?x=1", "p"],
  [
    "the resource's own of Compute Engine",
    { user_project_override: true },
    "/compute/v1/projects/p/global/urlMaps",
    "p",
  ],
  [
    "the billing project",
    { user_project_override: true, billing_project: "b" },
    "/compute/v1/projects/p/global/urlMaps",
    "b",
  ],
  ["none for Cloud DNS", { user_project_override: true }, "/dns/v1/projects/p/managedZones/z/changes", undefined],
  [
    "the billing project for Cloud DNS",
    { user_project_override: true, billing_project: "b" },
    "/dns/v1/projects/p/managedZones/z/changes",
    "b",
  ],
  ["the project of a service", { user_project_override: true }, "/v1/projects/p/services/x:enable", "p"],
  ["the project that lists its services", { user_project_override: true }, "/v1/projects/p/services?filter=s", "p"],
  ["the project that a service reads", { user_project_override: true }, "/v1/projects/p", "p"],
  [
    "none for polls of Compute Engine",
    { user_project_override: true },
    "/compute/v1/projects/p/global/operations/o",
    undefined,
  ],
  [
    "none for polls of Compute Engine, even with a billing project",
    { user_project_override: true, billing_project: "b" },
    "/compute/v1/projects/p/regions/r/operations/o",
    undefined,
  ],
  [
    "the project of a new log bucket",
    { user_project_override: true },
    "/v2/projects/p/locations/global/buckets:createAsync?bucketId=x",
    "p",
  ],
  [
    "none for a log bucket that exists",
    { user_project_override: true, billing_project: "b" },
    "/v2/projects/p/locations/global/buckets/x?updateMask=retentionDays",
    undefined,
  ],
])("sends the X-Goog-User-Project header: %s", (_, config, target, expected) => {
  expect(userProjectOf(readSettings(config as ValueObject, "t"), target)).toBe(expected);
});

test.each<[string, object, string | undefined]>([
  ["the resource's own project", { user_project_override: true }, "owner"],
  ["the billing project", { user_project_override: true, billing_project: "b" }, "b"],
  ["no project", {}, undefined],
])("the provider polls operations of Service Usage with %s", (_, config, expected) => {
  const settings = readSettings(config as ValueObject, "t");
  expect(userProjectOf(settings, "/v1/operations/acf.1", "owner")).toBe(expected);
});
