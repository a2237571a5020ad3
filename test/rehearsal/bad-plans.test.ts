import { badPlansIn } from "../../lib/rehearsal/terraform-output";

const entry = (attributes: readonly string[], level = "WARN") =>
  [
    `2026-11-22T20:02:50.486Z [${level}]  Provider "google" produced an unexpected new value for google_x.y, but we are tolerating it because it is using the legacy plugin SDK.`,
    "    The following problems may be the cause of any confusing errors from downstream operations:",
    ...attributes.map((name) => `      - .${name}: was cty.StringVal("ACTIVE"), but now cty.StringVal("PENDING")`),
  ].join("\n");
const other = "2026-11-22T20:02:50.500Z [INFO]  backend/local: apply calling Apply";

test.each([
  ["an attribute that the plan decides", ["certificates[0]"], 1],
  ["such an attribute beside one that only the service sets", ["state", "hostname"], 1],
  ["an entry that names no attribute", [], 1],
  ["the state of an entry, which follows its change", ["state"], 0],
  ["members of a block that only the service sets", ["managed[0].state", "managed[0].provisioning_issue"], 0],
  ["the trust config of a policy", ["mtls_policy[0].client_validation_trust_config"], 0],
  ["the mode of a policy", ["mtls_policy[0].client_validation_mode"], 1],
])("judges a new value of %s", (_, attributes, count) => {
  expect(badPlansIn([other, entry(attributes), other].join("\n"))).toHaveLength(count);
});

test("ignores entries below the level WARN, and returns each other entry with all its lines", () => {
  const log = [entry(["hostname"], "DEBUG"), entry(["hostname"]), entry(["name"])].join("\n");
  expect(badPlansIn(log)).toEqual([entry(["hostname"]), entry(["name"])]);
});
