import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { actionlint } from "./support/actionlint";
import { mistakesOf } from "./support/terraform-check";

const folder = join(__dirname, "..", "examples", "pipelines");
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

describe("github-actions.yml", () => {
  const workflow = textOf("github-actions.yml");
  test("is what actionlint takes: syntax, keys, expressions, jobs and outputs that are referred to, inputs of actions", async () => {
    expect(await actionlint(workflow)).toEqual([]);
  });

  test.each([
    [
      "an output that no job has",
      "needs.deploy.outputs.moved",
      "needs.deploy.outputs.movers",
      /"movers" is not defined/,
    ],
    ["a job that is not there", "needs: deploy", "needs: deployment", /"deployment" which does not exist/],
    ["a step that is not there", "steps.traffic.outputs", "steps.move.outputs", /"move" is not defined/],
    ["a shell that is none", "shell: bash", "shell: bush", /shell name "bush" is invalid/],
    ["a key that is none", "timeout-minutes", "time-out-minutes", /unexpected key "time-out-minutes"/],
  ])("would not be with %s", async (_, from, to, message) => {
    expect((await actionlint(workflow.replace(from, to))).join("\n")).toMatch(message);
  });

  const { jobs, defaults } = parse(workflow) as {
    readonly defaults: unknown;
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };

  test("ends where the first part of a pipe fails, and puts no expression into a shell text", () => {
    // 'bash' alone is what GitHub runs with pipefail; no shell at all is not.
    expect(defaults).toEqual({ run: { shell: "bash" } });
    const texts = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
    expect(texts.filter((text) => text.includes("${{"))).toEqual([]);
  });
});

/** By a trigger's documentation: names that Cloud Build fills in by itself, as far as these files use them. */
const builtIn = ["PROJECT_ID", "BUILD_ID"];

describe.each(["cloudbuild.yaml", "cloudbuild-check.yaml"])("%s", (name) => {
  const text = textOf(name);
  const { steps, ...rest } = parse(text, { strict: true }) as {
    readonly steps: readonly { readonly id: string; readonly args: readonly string[] }[];
    readonly substitutions: Readonly<Record<string, string>>;
  };

  /** The file as the build of a trigger: the provider's schema of it has the same fields under nearly the same names. */
  const asTrigger = (build: object) => ({
    resource: { google_cloudbuild_trigger: { migration: { name: "migration", build } } },
  });

  test("is a build by the schema that the provider has of Cloud Build", () => {
    expect(mistakesOf(asTrigger({ ...rest, step: steps }))).toEqual([]);
    expect(mistakesOf(asTrigger({ ...rest, step: [{ ...steps[0], argument: "x" }], timeouts: "1s" }))).toEqual([
      "google_cloudbuild_trigger.migration.build.step.argument is unknown",
      "google_cloudbuild_trigger.migration.build.timeouts is unknown",
    ]);
  });

  test("has every substitution that it uses, and uses every one that it has", () => {
    const used = [...text.replace(/^\s*#.*$/gm, "").matchAll(/\$\{?([A-Z_]+)/g)].map(([, used = ""]) => used);
    const given = Object.keys(rest.substitutions);
    expect(used.filter((one) => !given.includes(one) && !builtIn.includes(one))).toEqual([]);
    expect(given.filter((one) => !used.includes(one))).toEqual([]);
    // What is none of these would be a shell's own, which Cloud Build refuses or replaces.
    expect(text.match(/\$(?!\{?[A-Z_])/g)).toBeNull();
  });

  test("tells its steps apart, and runs none in a shell that goes on after a failed pipe", () => {
    const ids = steps.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const decisive = steps.filter(({ args }) => / \| npx/.test(args.at(-1) ?? ""));
    expect(decisive.map(({ args }) => args.slice(0, -1))).toEqual(decisive.map(() => ["-euo", "pipefail", "-c"]));
    expect(decisive).toHaveLength(1);
  });
});
