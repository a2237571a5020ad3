/**
 * Runs the shell steps of the pipelines for plain Terraform, in their order, against the rehearsal cloud: those of a
 * change, of its deployment, and of the schedule.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { followPage } from "./support/terraform-page";

jest.setTimeout(300_000);

const root = join(__dirname, "..");
const parsed = (name: string) => parse(readFileSync(join(root, "examples", "pipelines", name), "utf8"));

interface Job {
  readonly steps: readonly { readonly run?: string }[];
}
type GitLab = Readonly<Record<"check" | "deploy" | "monitor", { readonly script: readonly string[] }>>;
interface Build {
  readonly steps: readonly { readonly id: string; readonly args: readonly string[]; readonly entrypoint?: string }[];
}
interface Atlantis {
  readonly workflows: Readonly<
    Record<
      string,
      Readonly<Record<"plan" | "apply", { readonly steps: readonly (string | { readonly run: string })[] }>>
    >
  >;
}

const { jobs } = parsed("terraform-github-actions.yml") as { readonly jobs: Readonly<Record<string, Job>> };
const gitlab = parsed("terraform-gitlab-ci.yml") as GitLab;

/** Cloud Build runs a program with its arguments, or an entrypoint with its own. */
const linesOfBuild = (name: string) =>
  (parsed(name) as Build).steps
    .filter(({ id }) => id !== "image")
    .map(({ args, entrypoint }) =>
      entrypoint === undefined
        ? args.map((word) => word.replace("$_ADDRESS", "$ADDRESS")).join(" ")
        : `bash ${args.slice(0, -1).join(" ")} '${args.at(-1)}'`,
    );

/** Steps of Atlantis itself, as its documentation describes them. */
const ofAtlantis: Readonly<Record<string, string>> = {
  init: "terraform init -input=false -upgrade",
  plan: 'terraform plan -input=false -refresh -out "$PLANFILE"',
  apply: 'terraform apply -input=false "$PLANFILE"',
};
const { plan, apply } = (parsed("atlantis.yaml") as Atlantis).workflows["cert-migration"] ?? {};

const pipelines: Readonly<Record<string, readonly string[]>> = {
  "GitHub Actions": ["check", "deploy", "monitor"].flatMap((job) =>
    (jobs[job]?.steps ?? []).flatMap(({ run = [] }) => run),
  ),
  "GitLab CI": (["check", "deploy", "monitor"] as const).flatMap((job) => gitlab[job].script),
  "Cloud Build": [...linesOfBuild("terraform-cloudbuild.yaml"), ...linesOfBuild("terraform-cloudbuild-monitor.yaml")],
  Atlantis: [...(plan?.steps ?? []), ...(apply?.steps ?? [])].map((step) =>
    typeof step === "string" ? (ofAtlantis[step] ?? "") : step.run,
  ),
};

test.each(Object.entries(pipelines))("%s: every step succeeds", async (_, lines) => {
  const folder = mkdtempSync(join(tmpdir(), "pipelines-terraform-"));
  try {
    const work = join(folder, "work");
    cpSync(join(root, "examples", "terraform-module"), work, { recursive: true });
    // The bucket of the state is not part of the cloud.
    const main = join(work, "main.tf");
    writeFileSync(main, readFileSync(main, "utf8").replace(/ {2}backend "gcs" \{[^}]*\}\n/, ""));
    mkdirSync(join(folder, "bin"));
    const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
    const command = `while [ "$1" != cert-migration ]; do shift; done; shift; exec "${process.execPath}" "${tsx}" "${join(root, "lib", "cli", "main.ts")}" "$@"`;
    // The repository of a user has the package installed; credentials come from the pipeline's service.
    for (const [name, body] of [
      ["npx", command],
      ["npm", "exit 0"],
    ] as const) {
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(folder, "bin", name), 0o755);
    }
    mkdirSync(join(work, "pipelines"));
    writeFileSync(join(work, "pipelines", "google-credentials.sh"), "echo /dev/null\n");
    const done = await followPage(
      lines
        .filter((line) => !/GOOGLE_APPLICATION_CREDENTIALS/.test(line))
        .map((line) => ({ line: `set -eu; ${line}` })),
      work,
      {
        PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
        ADDRESS: "203.0.113.7",
        PLANFILE: join(work, "plan.bin"),
        GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
      },
    );
    expect(done.filter(([, exitCode]) => exitCode !== 0)).toEqual([]);
    expect(done.length).toBeGreaterThan(8);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
