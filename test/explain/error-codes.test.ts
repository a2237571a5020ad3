import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allCodes } from "../../lib/explain/codes";
import { errorTables } from "../../lib/explain/error-codes";

const lib = join(__dirname, "../../lib");
/** Everything that a migration passes through; `api`, `audit` and the cloud are programs of their own. */
const folders = [
  "check-plan",
  "cli",
  "constructs",
  "dns",
  "google",
  "hostnames",
  "http",
  "inventory",
  "live",
  "plan",
  "rehearsal",
  "report",
  "source",
  "terraform-module",
  // The other folders of the stand-in answer Terraform.
  "terraform-provider/schema",
  "x509",
];
const apart = /^(?:cli\/commands\/(?:api|audit)\/|cli\/commands\/cloud\.ts|constructs\/admin-change-alerts)/;

const sources = folders.flatMap((folder) =>
  readdirSync(join(lib, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith(".ts") && !apart.test(path))
    .map((path) => ({ path, text: readFileSync(join(lib, path), "utf8") })),
);

/** Codes as errors are thrown by them, and problems told by them; those that begin with what codes alone begin with stand anywhere. */
const told =
  /(?:new (?:Input|Service)Error\(|\bcode:|"commander\.\w+":)\s*"(?<code>[a-z0-9]+(?:-[a-z0-9]+)+)"|"(?<own>(?:hostname|document|certificate-file|split)(?:-[a-z]+)+)"/g;

const places = new Map<string, string>();
for (const { path, text } of sources) {
  for (const { groups = {} } of text.matchAll(told)) places.set((groups.code ?? groups.own) as string, path);
}
const explained = new Set(allCodes().map(({ code }) => code));

test("every code that stands in brackets behind an error is explained", () => {
  expect(places.size).toBeGreaterThan(100);
  expect([...places].filter(([code]) => !explained.has(code))).toEqual([]);
});

test("every code of an error that is explained is told somewhere", () => {
  const words = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(/"([a-z0-9]+(?:-[a-z0-9]+)+)"/g)].map(([, word]) => word)),
  );
  const codes = errorTables.flatMap((table) => Object.keys(table.codes));
  expect(codes.filter((code) => !words.has(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});
