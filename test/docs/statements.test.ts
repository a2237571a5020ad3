import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");

test("states the number of API descriptions that the package contains", () => {
  const names = readdirSync(join(root, "lib", "discovery", "descriptions"));
  const count = names.filter((name) => /v\d+\.json$/.test(name)).length;
  expect(page("api-descriptions.md")).toContain(`| ${count} in the package;`);
});

test("states when to check the CNAME of a certificate again", () => {
  expect(page("change-window.md")).toContain("Recheck the CNAME after several hours");
});

test.each(["upgrade.md", "existing-load-balancers.md"])("shows CDK Terrain beside cdktf in %s", (name) => {
  const kits = page(name).match(/npx cdk(?:tf|tn) (?:deploy|diff|synth)/g) ?? [];
  const verbs = (kit: string) => kits.filter((call) => call.includes(kit)).map((call) => call.split(" ").at(-1));
  expect(verbs("cdktn")).toEqual(verbs("cdktf"));
});

test("names no kit in the picture of the eight steps", () => {
  expect(page("eight-steps.svg")).not.toMatch(/cdktf|cdktn/);
});
