import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal, readJournal } from "../../conformance/journal";
import { startRehearsalSide } from "../../conformance/rehearsal-side";

const header = {
  version: 1,
  project: "p1",
  domain: "example.com",
  zone: "zone",
  prefix: "cf000000",
  startedAt: "2026-11-28T00:00:00Z",
} as const;
const resource = { createdBy: "compute.urlMaps.insert", target: { project: "p1", urlMap: "cf000000-a" } };

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), "journal-")), "run.jsonl");
}

test("reads what was written, each resource once", () => {
  const path = newPath();
  const journal = createJournal(path, header);
  journal.creating(resource);
  journal.creating(resource);
  journal.close();
  expect(readJournal(path)).toEqual({ header, resources: [resource] });
});

test("leaves out a resource whose creation the service refused", () => {
  const path = newPath();
  const journal = createJournal(path, header);
  journal.creating(resource);
  journal.refused(resource);
  journal.close();
  expect(readJournal(path).resources).toEqual([]);
});

test("ignores a last line that a kill has cut", () => {
  const path = newPath();
  const journal = createJournal(path, header);
  journal.creating(resource);
  journal.close();
  appendFileSync(path, '{"createdBy":"compute.urlM');
  expect(readJournal(path).resources).toEqual([resource]);
});

test.each([
  ["a file that does not exist", undefined],
  ["a file without a header", '{"createdBy":"x","target":{}}\n'],
  ["a file with a line that is not JSON", `${JSON.stringify(header)}\nnot JSON\n`],
])("refuses %s and names the path", (_, text) => {
  const path = newPath();
  if (text !== undefined) writeFileSync(path, text);
  expect(() => readJournal(path)).toThrow(/run\.jsonl.*name the journal that the killed run printed/);
});

test("has the entry of a resource on the disk before the request that creates it", async () => {
  const path = newPath();
  const journal = createJournal(path, header);
  let before = "";
  await using rehearsal = await startRehearsalSide({
    journal,
    around: (transport) => async (request) => {
      before = readFileSync(path, "utf8");
      return transport(request);
    },
  });
  const { side } = rehearsal;
  const parameters = { parent: side.location(), certificateMapId: side.name("map") };
  await side.make("certificatemanager.projects.locations.certificateMaps.create", parameters, {});
  expect(before).toContain("certificateMaps/cf000000-map");
});
