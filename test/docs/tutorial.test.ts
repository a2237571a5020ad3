import { sourceFromSpec } from "../../lib/source";
import { tutorialEdits as edits, tutorialMigration, tutorialText } from "../support/tutorial";

/** The warnings of `plan` and `synth` for the migration of part A, after the edits. */
function warningsAfter(blocks: readonly string[]): readonly string[] {
  const { warnings } = sourceFromSpec(tutorialMigration(blocks), {
    source: "migration.yaml",
    readFile: () => "",
    now: new Date("2026-11-21T00:00:00Z"),
  });
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}

test("the tutorial causes no warning, before and after traffic is added", () => {
  expect(edits).toHaveLength(2);
  expect(edits.map((_, index) => warningsAfter(edits.slice(0, index + 1)))).toEqual([[], []]);
});

test("an edit with a zone that no domain uses would cause a warning", () => {
  const zones = "dns: { kind: cloudDns, zones: { example.com: com, example.net: net, example.info: info } }";
  expect(warningsAfter([...edits, zones])).toEqual([expect.stringMatching(/^zone-unused: /)]);
});

test("the parts of the tutorial are letters, because the steps of a migration are numbers", () => {
  const parts = [...tutorialText.matchAll(/^\*\*(\w+)\. /gm)].map(([, part]) => part);
  expect(parts).toEqual(["A", "B", "C", "D", "E", "F", "G", "H"]);
});

test("installs the tarball by a path, so that the folder of the clone may have any name", () => {
  const packs = tutorialText.match(/npm pack.*$/gm) ?? [];
  expect(packs.length).toBeGreaterThan(0);
  expect(packs.filter((line) => !line.includes("--pack-destination ../my-project"))).toEqual([]);
  expect(tutorialText.match(/\.\.\/cdktf-google-cert-migration/g)).toBeNull();
});
