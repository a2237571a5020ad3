/** The types of the package's entry points are plain declarations, because jsii compiles them for other languages. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExportedTypes } from "../support/exported-types";

// `lib/cdktn.ts` is this module with the package names of CDK Terrain (build/cdktn-entry.ts).
const exported = new ExportedTypes(join(__dirname, "..", "..", "lib", "index.ts"));

const catalogue =
  "the names of the event catalogue, so that an unknown name is an error of the compiler; elsewhere text";

/** Declarations that stay derived until the API for other languages exists, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  Code: "the tables of all modules add their codes to one list; text in other languages",
  Hostname: "a text that has been checked; text in other languages",
  EventName: catalogue,
  EventType: catalogue,
  Replaced: catalogue,
  Tables: catalogue,
  WatchClassName: catalogue,
};

test("reads the exported types and every type that they refer to", () => {
  expect([...exported.names]).toEqual(
    expect.arrayContaining([
      "ManagedCertMigrationProps",
      "MigrationSettings",
      "PlannedRecord",
      "InputError",
      "Problem",
    ]),
  );
});

test("derives no exported type from other types, because other languages have only plain declarations", () => {
  const unexpected = exported.derived.filter(({ declaration }) => !Object.hasOwn(exceptions, declaration));
  expect(unexpected).toEqual([]);
});

test("has no exception without a derived type", () => {
  const derived = new Set(exported.derived.map(({ declaration }) => declaration));
  expect(Object.keys(exceptions).filter((name) => !derived.has(name))).toEqual([]);
});

test.each([
  ["Omit", "export interface A extends Omit<B, 'b'> {}\ninterface B { readonly b: string }"],
  ["Partial", "export interface A { readonly b: Partial<B> }\ninterface B { readonly b: string }"],
  ["Readonly", "export interface A { readonly b: Readonly<{ c: string }> }"],
  ["Record", "export type A = Record<string, string>"],
  ["mapped type", "export type A = { readonly [Name in 'a']: string }"],
  ["conditional type", "export type A<T> = T extends string ? 1 : 2"],
  ["intersection", "export type A = { a: 1 } & { b: 2 }"],
  ["indexed access", "export interface A { readonly b: string }\nexport type C = A['b']"],
  ["keyof", "export interface A { readonly b: string }\nexport type C = keyof A"],
  ["typeof", "const a = 1;\nexport type C = typeof a"],
  ["inferred type", "export class A { readonly b = 1 }"],
  ["inferred type", "export class A { b() { return 1 } }"],
  ["Pick", "export class A { constructor(private readonly b: string, c: Pick<string, 'length'>) {} }"],
])("finds %s", (by, text) => {
  const folder = mkdtempSync(join(tmpdir(), "exported-types-"));
  try {
    const path = join(folder, "index.ts");
    writeFileSync(path, text);
    expect(new ExportedTypes(path).derived.map((one) => one.by)).toEqual([by]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
