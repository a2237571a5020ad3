import fs, { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal, JournalError, type JournalResource, readJournal } from "../../conformance/journal";
import { startRehearsalSide } from "../../conformance/rehearsal-side";

const header = {
  version: 1,
  project: "p1",
  domain: "example.com",
  zone: "zone",
  prefix: "cf000000",
  startedAt: "2026-11-28T00:00:00Z",
} as const;
const entryOf = (resource: JournalResource, isAnswered = false) => ({ ...resource, isAnswered });
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
  expect(readJournal(path)).toEqual({ header, resources: [entryOf(resource)] });
});

test("keeps whether the request that creates a resource was answered", () => {
  const path = newPath();
  const journal = createJournal(path, header);
  journal.creating(resource);
  journal.answered(resource);
  journal.close();
  expect(readJournal(path).resources).toEqual([entryOf(resource, true)]);
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
  expect(readJournal(path).resources).toEqual([entryOf(resource)]);
});

test("ends the run and keeps whole lines when a line can't be written", () => {
  const path = newPath();
  const journal = createJournal(path, header);
  journal.creating(resource);
  const whole = fs.writeSync;
  const write = jest.spyOn(fs, "writeSync").mockImplementationOnce((file, line) => {
    whole(file, String(line).slice(0, 9));
    throw new Error("ENOSPC: no space left on device");
  });
  const named = (urlMap: string) => ({ ...resource, target: { project: "p1", urlMap } });
  expect(() => journal.creating(named("cf000000-b"))).toThrow(JournalError);
  write.mockRestore();
  journal.creating(named("cf000000-c"));
  journal.close();
  expect(readJournal(path).resources).toEqual([entryOf(resource), entryOf(named("cf000000-c"))]);
});

const line = (createdBy: string, target: object) =>
  `${JSON.stringify(header)}\n${JSON.stringify({ createdBy, target })}\n`;

test.each([
  [
    "a record of the user",
    "dns.changes.create",
    { project: "p1", managedZone: "zone", name: "www.example.com.", type: "A" },
  ],
  ["an address of the user", "compute.globalAddresses.insert", { project: "p1", address: "prod-address" }],
  ["another project", "compute.globalAddresses.insert", { project: "p2", address: "cf000000-a" }],
  ["all policies of another project", "monitoring.projects.alertPolicies.create", { name: "projects/p2" }],
])("refuses a journal that names %s, so that a cleanup deletes nothing else", (_, createdBy, target) => {
  const path = newPath();
  writeFileSync(path, line(createdBy, target));
  expect(() => readJournal(path)).toThrow("names in line 2 what is not of the run cf000000");
});

test("refuses a journal whose prefix could be of anything", () => {
  const path = newPath();
  writeFileSync(path, `${JSON.stringify({ ...header, prefix: "p" })}\n`);
  expect(() => readJournal(path)).toThrow("does not begin with the header of a conformance run");
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
