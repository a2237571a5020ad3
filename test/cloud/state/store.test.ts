import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { indexBy, openStore, type Store } from "../../../lib/cloud/state";
import { InputError } from "../../../lib/errors";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "store-"));
  path = join(folder, "state");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the entries of a store in these collections. */
const contentOf = (store: Store, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, [...store.collection(name).entries()]]));

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.problems[0]?.code ?? "";
    throw error;
  }
  return "none";
};

describe("a collection", () => {
  test("keeps values by key, in the order in which the keys were first set", () => {
    const items = openStore().collection<number>("a");
    items.set("y", 1);
    items.set("x", 2);
    items.set("y", 3);
    expect([items.size, items.get("y"), items.has("x"), items.has("z"), items.get("z")]).toEqual([
      2,
      3,
      true,
      false,
      undefined,
    ]);
    expect([...items.entries()]).toEqual([
      ["y", 3],
      ["x", 2],
    ]);
    expect([...items.values()]).toEqual([3, 2]);
    expect([items.delete("y"), items.delete("y")]).toEqual([true, false]);
    expect([...items.entries()]).toEqual([["x", 2]]);
  });

  test("is the same each time it is requested by name", () => {
    const store = openStore();
    store.collection("a").set("k", 1);
    expect(contentOf(store, "a", "b")).toEqual({ a: [["k", 1]], b: [] });
  });

  test("notifies observers of every change, with the previous and the new value", () => {
    const store = openStore();
    const items = store.collection<number>("a");
    const seen: unknown[] = [];
    items.set("before", 0);
    items.watch((...change) => seen.push(change));
    items.set("k", 1);
    items.set("k", 2);
    items.delete("k");
    items.delete("k");
    store.reset();
    expect(seen).toEqual([
      ["k", undefined, 1],
      ["k", 1, 2],
      ["k", 2, undefined],
      ["before", 0, undefined],
    ]);
  });
});

test("a store with a file has its committed changes and those of its close after a restart", () => {
  const store = openStore(path);
  store.collection("a").set("k", { text: "line\nfeed ✓", list: [1, null, true] });
  store.collection("b").set("gone", 1);
  store.commit();
  store.collection("b").delete("gone");
  store.collection("b").set("kept", "x");
  store.close();
  const again = openStore(path);
  expect(contentOf(again, "a", "b")).toEqual({
    a: [["k", { text: "line\nfeed ✓", list: [1, null, true] }]],
    b: [["kept", "x"]],
  });
  again.close();
});

test("a store with a file has no uncommitted changes, and writes every change of a commit in one line", () => {
  const store = openStore(path);
  store.collection("a").set("k1", 1);
  store.collection("b").set("k2", 2);
  store.commit();
  store.commit();
  store.collection("a").set("k3", 3);
  expect(readFileSync(path, "utf8")).toBe('[{"c":"a","k":"k1","v":1},{"c":"b","k":"k2","v":2}]\n');
  store.close();
});

test("a store with a file can be read only by its owner, because it contains keys", () => {
  openStore(path).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a store with a file deletes everything at a reset, also after a restart", () => {
  const store = openStore(path);
  store.collection("a").set("k", 1);
  store.commit();
  store.reset();
  store.close();
  const again = openStore(path);
  expect(contentOf(again, "a")).toEqual({ a: [] });
  again.close();
});

test("a store with a file begins with a compacted file, and leaves no other file beside it", () => {
  const store = openStore(path);
  const items = store.collection("a");
  for (let number = 0; number < 1_000; number++) {
    items.set("k", number);
    store.commit();
  }
  store.close();
  expect(statSync(path).size).toBeGreaterThan(20_000);
  openStore(path).close();
  expect(readFileSync(path, "utf8")).toBe('[{"c":"a","k":"k","v":999}]\n');
  expect(readdirSync(folder)).toEqual(["state"]);
});

test("a store with a file can be read if its last line was cut off: each change is complete or absent", () => {
  const first = '[{"c":"a","k":"k1","v":"ä"}]\n';
  const second = '[{"c":"a","k":"k1","v":"new"},{"c":"b","k":"k2","v":2}]\n';
  const bytes = Buffer.from(first + second);
  for (let length = Buffer.byteLength(first); length <= bytes.byteLength; length++) {
    writeFileSync(path, bytes.subarray(0, length));
    const store = openStore(path);
    const whole = length === bytes.byteLength;
    expect([length, contentOf(store, "a", "b")]).toEqual([
      length,
      { a: [["k1", whole ? "new" : "ä"]], b: whole ? [["k2", 2]] : [] },
    ]);
    store.close();
  }
});

test.each(["", '[{"c"', '[{"c":"a","k":"k'])(
  "a store with a file begins empty with the incomplete first line '%s'",
  (text) => {
    writeFileSync(path, text);
    const store = openStore(path);
    expect(contentOf(store, "a")).toEqual({ a: [] });
    store.close();
    expect(readFileSync(path, "utf8")).toBe("");
  },
);

test.each([
  ["a note", "buy milk\n"],
  ["a note without a line feed", "buy milk"],
  ["JSON", '{"a": 1}\n'],
  ["an empty list", "[]\n"],
  ["an empty list without a line feed", "[]"],
  ["a list of something else", '[{"c": 1, "k": 2}]\n'],
  ["a journal with a foreign line", '[{"c":"a","k":"k","v":1}]\nhello\n[{"c":"a","k":"k","v":1}]\n'],
  ["a journal with a foreign end", '[{"c":"a","k":"k","v":1}]\nhello'],
  ["a journal with half a line in the middle", '[{"c":"a","k":"k","v":1}]\n[{"c":"a",\n[{"c":"a","k":"k","v":1}]\n'],
  ["a line feed alone", "\n"],
  ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80])],
])("a store with a file refuses %s, and leaves it unchanged", (_, content) => {
  writeFileSync(path, content);
  const before = readFileSync(path);
  expect(codeOf(() => openStore(path))).toBe("state-unreadable");
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(folder)).toEqual(["state"]);
});

test("a store with a file refuses another file with its name, its line, the expected format and a remedy", () => {
  writeFileSync(path, '[{"c":"a","k":"k","v":1}]\nhello\n');
  expect(() => openStore(path)).toThrow(
    `'${path}', line 2: this is not the state of a rehearsal cloud; name another file, or move this one away`,
  );
});

test.each<[string, () => string, string]>([
  ["a folder", () => folder, "state-unreadable"],
  ["a file in a missing folder", () => join(folder, "no", "state"), "state-unwritable"],
  [
    "a file below another file",
    () => {
      writeFileSync(join(folder, "file"), "");
      return join(folder, "file", "state");
    },
    "state-unwritable",
  ],
  [
    "a file in a read-only folder",
    () => {
      mkdirSync(`${path}.new`);
      return path;
    },
    "state-unwritable",
  ],
])("a store with a file refuses %s", (_, prepare, code) => {
  expect(codeOf(() => openStore(prepare()))).toBe(code);
});

test("a store with a file reports why a file can't be written", () => {
  const away = join(folder, "no", "state");
  const why = "its folder is missing, or takes no new files";
  expect(() => openStore(away)).toThrow(`'${away}' can't be written: ${why}; name another file`);
  expect(() => openStore(folder)).toThrow(`'${folder}' can't be read: it is a folder`);
});

test("a store with a file agrees with a map after random changes, commits and restarts", () => {
  const key = fc.constantFrom("a", "b", "c", "__proto__", "");
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("set" as const),
        in: fc.constantFrom("x", "y"),
        key,
        value: fc.jsonValue(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), in: fc.constantFrom("x", "y"), key }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("commit" as const, "restart" as const, "reset" as const) }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      rmSync(path, { force: true });
      const model = new Map<string, Map<string, unknown>>([
        ["x", new Map()],
        ["y", new Map()],
      ]);
      let store = openStore(path);
      for (const taken of steps) {
        if (taken.do === "set") {
          // JSON.stringify writes -0 as 0.
          const value = JSON.parse(JSON.stringify(taken.value));
          store.collection(taken.in).set(taken.key, value);
          model.get(taken.in)?.set(taken.key, value);
        } else if (taken.do === "delete") {
          expect(store.collection(taken.in).delete(taken.key)).toBe(model.get(taken.in)?.delete(taken.key));
        } else if (taken.do === "commit") {
          store.commit();
        } else if (taken.do === "reset") {
          store.reset();
          for (const items of model.values()) items.clear();
        } else {
          store.close();
          store = openStore(path);
        }
        const expected = Object.fromEntries([...model].map(([name, items]) => [name, [...items]]));
        expect(contentOf(store, "x", "y")).toEqual(expected);
      }
      store.close();
    }),
    { numRuns: 100 },
  );
});

test("groupBy always agrees with a search of the complete collection", () => {
  interface Item {
    readonly groups: readonly string[];
  }
  const groups = fc.uniqueArray(fc.constantFrom("red", "green", "blue"), { maxLength: 3 });
  const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), groups: fc.option(groups) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, startsAfter) => {
      const items = openStore().collection<Item>("items");
      let find: ((group: string) => readonly Item[]) | undefined;
      for (const [index, { key, groups: given }] of steps.entries()) {
        if (index === startsAfter) find = indexBy(items, (item) => item.groups);
        if (given === null) items.delete(key);
        else items.set(key, { groups: given });
        for (const group of ["red", "green", "blue"]) {
          const found = find?.(group) ?? [];
          const expected = find === undefined ? [] : [...items.values()].filter((item) => item.groups.includes(group));
          expect(new Set(found)).toEqual(new Set(expected));
          expect(found).toHaveLength(expected.length);
        }
      }
    }),
  );
});
