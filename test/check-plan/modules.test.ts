import { readFileSync } from "node:fs";
import { planFixture, summaries } from "./plans";

/** Reads a real Terraform plan of the stack in `modules-stack.ts`; `modules.robustness.ts` updates the file. */
function read(name: string): PlanJson {
  return JSON.parse(readFileSync(planFixture(name), "utf8")) as PlanJson;
}

interface PlanJson {
  readonly resource_changes: readonly { readonly address: string; readonly change: { readonly actions: object } }[];
}

const entry = (key: string) =>
  `module.shop["${key}"].module.entry.google_certificate_manager_certificate_map_entry.root`;
const certificate = (key: string) =>
  `module.shop["${key}"].module.certificate[0].google_certificate_manager_certificate.it`;

test.each<readonly [string, string, readonly string[]]>([
  ["all certificates are swapped behind a gate that the module of the entry waits for", "swapped", []],
  [
    "all certificates are swapped, and nothing waits",
    "swapped-without-gate",
    ["a", "b.c"].map((key) => `repointed-to-inactive ${entry(key)}`),
  ],
  [
    "one certificate is replaced with -replace, and nothing waits",
    "replaced",
    [`repointed-to-inactive ${entry("b.c")}`],
  ],
  [
    "one certificate is swapped with -target, and its entry keeps the previous certificate",
    "targeted",
    [`certificate-destroyed-early ${certificate("b.c")}`, "plan-partial "],
  ],
  ["a module is moved", "moved", []],
  ["everything without a proxy is deleted", "destroyed", []],
])("checks modules in which %s", (_, name, expected) => {
  expect(summaries(read(name))).toEqual(expected);
});

test("does not accept the gate of another instance", () => {
  const { resource_changes: changes, ...plan } = read("swapped");
  const isGate = (address: string) => address === 'module.shop["a"].terraform_data.gate';
  const found = summaries({
    ...plan,
    resource_changes: changes.map((one) =>
      isGate(one.address) ? { ...one, change: { ...one.change, actions: ["no-op"] } } : one,
    ),
  });
  expect(found).toEqual([`repointed-to-inactive ${entry("a")}`]);
});

test.each(["0.1", "0.2", "1.0", "1.2", "1.99"])("reads a plan of format %s in the same way", (format_version) => {
  expect(summaries({ ...read("replaced"), format_version })).toEqual([`repointed-to-inactive ${entry("b.c")}`]);
});
