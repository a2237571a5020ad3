import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../lib/cloud/state";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  path = join(folder, "state");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rewriteBytes = 1_000;
/** A line of 100 bytes for a key of one character. */
const value = "v".repeat(100 - '[{"c":"a","k":"k","v":""}]\n'.length);

test("the file of a long-running store is compacted before it is much longer than its contents", () => {
  const store = openStore(path, { rewriteBytes });
  const sizes: number[] = [];
  for (let count = 0; count < 101; count++) {
    store.collection("a").set("k", value);
    store.commit();
    sizes.push(statSync(path).size);
  }
  expect(Math.max(...sizes)).toBe(rewriteBytes);
  expect(sizes.filter((size) => size === 100)).toHaveLength(1 + 10);
  expect(readdirSync(folder).sort()).toEqual(["state", "state.lock"]);
  store.close();
  const again = openStore(path);
  expect([...again.collection("a").entries()]).toEqual([["k", value]]);
  again.close();
});

test("the file of a long-running store is compacted less often the more it contains: never before it has doubled", () => {
  const store = openStore(path, { rewriteBytes });
  const renames = jest.spyOn(fs, "renameSync");
  for (let count = 0; count < 1_024; count++) {
    store.collection("a").set(String(count), value);
    store.commit();
  }
  store.close();
  // From ten lines to a thousand.
  expect(renames).toHaveBeenCalledTimes(7);
  renames.mockRestore();
  const again = openStore(path);
  expect(again.collection("a").size).toBe(1_024);
  again.close();
});

test("the file of a long-running store grows while no file can be written beside it, and is compacted when that works again", () => {
  const store = openStore(path, { rewriteBytes });
  mkdirSync(`${path}.new`);
  for (let count = 0; count < 30; count++) {
    store.collection("a").set("k", count);
    store.collection("b").set("k", value);
    store.commit();
  }
  const grown = statSync(path).size;
  expect(grown).toBeGreaterThan(2 * rewriteBytes);
  rmdirSync(`${path}.new`);
  while (statSync(path).size >= grown) {
    store.collection("b").set("k", value);
    store.commit();
  }
  store.close();
  const again = openStore(path);
  expect([again.collection("a").get("k"), again.collection("b").get("k")]).toEqual([29, value]);
  again.close();
});

test("the file of a long-running store writes a reset and the data that survive it in one line", () => {
  const store = openStore(path);
  store.collection("a").set("kept", 1);
  store.collection("a").set("gone", 2);
  store.commit();
  store.reset();
  store.collection("a").set("kept", 1);
  store.commit();
  store.close();
  expect(readFileSync(path, "utf8").trimEnd().split("\n")).toEqual([
    '[{"c":"a","k":"kept","v":1},{"c":"a","k":"gone","v":2}]',
    '[{"c":"a","k":"kept"},{"c":"a","k":"gone"},{"c":"a","k":"kept","v":1}]',
  ]);
});
