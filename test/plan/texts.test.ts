import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManagedCertMigration } from "../../lib";
import { stepsOf } from "../../lib/json/pointer";
import { type MigrationSpec, planMigration } from "../../lib/plan";
import { findTerraform } from "../../lib/rehearsal/find-terraform";
import { replaceAt, specsWithEveryField } from "../support/every-field";
import { newStack, synthesize } from "../support/synth";

/** Texts that Terraform or a shell would evaluate, or that hide something from a reader. */
const texts = [
  '${file("/etc/hostname")}',
  "%{ if true }x%{ endif }",
  "%{off}",
  '${"x; touch f; echo "}',
  "$${file(x)}",
  "%%{ if true }",
  "$$${file(x)}",
  "${TfToken[TOKEN.0]}",
  "#{TfToken[TOKEN.0]}",
  'a"b\\',
  "'; touch f; '",
  '"; touch f; echo "',
  "`touch f`",
  "$(touch f)",
  "%PATH% && touch f | more",
  "first\nsecond\r\nthird",
  "abc\u202edef\u2066",
  "bell\u0007 and nul\u0000",
];

interface Case {
  readonly place: string;
  readonly text: string;
  readonly base: MigrationSpec;
  readonly spec: MigrationSpec;
}

const specs = specsWithEveryField();

/** Every text and every key of the specs, with every hostile text in its place. */
function cases(): readonly Case[] {
  return specs.flatMap((spec) =>
    textPlacesIn(spec).flatMap(({ place, isKey }) =>
      texts.map((text) => ({
        place: isKey ? `key ${place}` : place,
        text,
        base: spec,
        spec: replaceAt(spec, stepsOf(place), isKey ? { key: text } : { value: text }) as MigrationSpec,
      })),
    ),
  );
}

/** The cases with the places of their errors. */
const planned = cases().map((one) => ({
  ...one,
  errorsAt: planMigration(one.spec)
    .findings.filter(({ severity }) => severity === "error")
    .map(({ subject }) => subject),
}));

/** Each spec with one hostile text in all places that accept it. */
function acceptedSpecs(): readonly { readonly text: string; readonly places: number; readonly spec: MigrationSpec }[] {
  const accepted = planned.filter(({ errorsAt, place }) => errorsAt.length === 0 && !place.startsWith("key "));
  return specs.flatMap((base) =>
    texts.flatMap((text) => {
      const places = accepted.filter(({ base: own, text: written }) => own === base && written === text);
      const spec = places.reduce<unknown>(
        (whole, { place }) => replaceAt(whole, stepsOf(place), { value: text }),
        base,
      );
      return places.length === 0 ? [] : [{ text, places: places.length, spec: spec as MigrationSpec }];
    }),
  );
}

test("in every text and key of a spec, a text that Terraform or a shell would evaluate arrives literally or is refused", () => {
  const expected = new Map<string, { readonly written: string; readonly literal: string }>();
  for (const { text, places, spec } of acceptedSpecs()) {
    const written = textsIn(synthesizedFrom(spec)).filter((found) => found.includes(text));
    expect(written.length).toBeGreaterThanOrEqual(places);
    for (const found of written) {
      // The migration's own references, whose resources the configuration of this test doesn't have.
      const own = found.replace(/\$\{google_[^}]*\}/g, "id");
      const literal = own.replaceAll("$${", "${").replaceAll("%%{", "%{");
      expected.set(`t${expected.size}`, { written: own, literal });
    }
  }

  expect(expected.size).toBeGreaterThan(100);
  expect(evaluated([...expected].map(([name, { written }]) => [name, written]))).toEqual(
    Object.fromEntries([...expected].map(([name, { literal }]) => [name, literal])),
  );
});

test("and the refusal names the part of the spec", () => {
  const partOf = (pointer: string) => stepsOf(pointer)[0];
  const unnamed = planned.filter(
    ({ place, errorsAt }) =>
      !place.startsWith("key ") && errorsAt.length > 0 && !errorsAt.some((at) => partOf(at) === partOf(place)),
  );
  expect(unnamed.map(({ place, text }) => `${place} ${text}`)).toEqual([]);
});

/** Synthesizes without the constructs' own metadata. */
function synthesizedFrom(spec: MigrationSpec): unknown {
  const stack = newStack();
  ManagedCertMigration.fromSpec(stack, "shop", spec);
  return { ...synthesize(stack), "//": undefined };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

/** Returns the values that real Terraform gives to texts, which are outputs of a configuration without providers. */
function evaluated(written: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "texts-"));
  try {
    const output = Object.fromEntries(written.map(([name, value]) => [name, { value }]));
    writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ output }));
    const env = { ...process.env, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: join(folder, "none.tfrc") };
    writeFileSync(join(folder, "none.tfrc"), "");
    const run = (...words: readonly string[]) =>
      execFileSync(findTerraform(undefined, process.env.PATH ?? ""), words, {
        cwd: folder,
        env,
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe"],
      });
    run("init", "-input=false", "-no-color");
    run("apply", "-input=false", "-auto-approve", "-no-color");
    const state = JSON.parse(readFileSync(join(folder, "terraform.tfstate"), "utf8")) as {
      readonly outputs: Readonly<Record<string, { readonly value: string }>>;
    };
    return Object.fromEntries(Object.entries(state.outputs).map(([name, { value }]) => [name, value]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function textPlacesIn(value: unknown, at = ""): readonly { readonly place: string; readonly isKey: boolean }[] {
  if (typeof value === "string") return [{ place: at, isKey: false }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const place = `${at}/${key}`;
    // Names of properties are not the user's; the keys of mappings are.
    const isKey = /(?:zones|labels|previous|existingAuthorizations)$/.test(at);
    return [...(isKey ? [{ place, isKey: true }] : []), ...textPlacesIn(item, place)];
  });
}
