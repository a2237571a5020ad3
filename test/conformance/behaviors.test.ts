import { existsSync } from "node:fs";
import { join } from "node:path";
import { acceptedInRehearsal, acceptedOnGoogle } from "../../conformance/accepted";
import { idOf, sourcesOf } from "../../conformance/behavior";
import { groups } from "../../conformance/behaviors";
import { allCodes } from "../../lib/explain/codes";
import { scenarios } from "../rehearsal/scenarios";

const rows = groups.flatMap((group) => group.behaviors.map((behavior) => ({ id: idOf(group, behavior), behavior })));
const root = join(__dirname, "..", "..");

test("every id of a behavior is unique and consists of lower-case words", () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id) => !/^[a-z-]+(?:\.[a-z0-9-]+){2}$/.test(id))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every behavior names a source, and a statement that is one sentence", () => {
  const wrong = rows.filter(({ behavior }) => {
    const sources = sourcesOf(behavior);
    const hasSource = sources.length > 0 && sources.every((source) => /^https:\/\/[a-z.]+\/\S+$/.test(source));
    return !hasSource || !/^[A-Z`].*\.$/.test(behavior.statement) || behavior.statement.split(" ").length > 30;
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("every behavior names a scenario, a code or a file that depends on it", () => {
  const known = new Set([...scenarios.map(({ name }) => name), ...allCodes().map(({ code }) => code)]);
  const unresolved = rows.flatMap(({ id, behavior: { reliedOnBy } }) => {
    if (reliedOnBy.length === 0) return [`${id}: nothing`];
    return reliedOnBy
      .filter((name) => !known.has(name) && !(/^(?:lib|examples)\//.test(name) && existsSync(join(root, name))))
      .map((name) => `${id}: ${name}`);
  });
  expect(unresolved).toEqual([]);
});

test("an accepted difference belongs to a behavior", () => {
  const ids = new Set(rows.map(({ id }) => id));
  const accepted = [...Object.keys(acceptedInRehearsal), ...Object.keys(acceptedOnGoogle)];
  expect(accepted.filter((id) => !ids.has(id))).toEqual([]);
});
