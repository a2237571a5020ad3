import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { loadCommands } from "../lib/cli/table";

const folder = join(__dirname, "..", "examples", "pipelines");

interface Line {
  readonly where: string;
  /** Words of one call of the program, its name left out. */
  readonly words: readonly string[];
}

/** Calls of the program in a shell text; what a pipe leads to is another call. */
function callsIn(shell: string, where: string): readonly Line[] {
  return shell
    .split(/\n|\||&&|;/)
    .map((part) => part.trim().split(/\s+/))
    .flatMap((words) => {
      const at = words.indexOf("cert-migration");
      if (at === -1) return [];
      const end = words.findIndex((word, index) => index > at && /^[<>]/.test(word));
      return [{ where, words: words.slice(at + 1, end === -1 ? undefined : end) }];
    });
}

interface ActionStep {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { readonly service_account?: string };
}

interface Actions {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly ActionStep[];
        readonly "runs-on": string;
        readonly environment?: string;
        readonly concurrency?: { readonly group: string };
        readonly if?: string;
        readonly outputs?: Readonly<Record<string, string>>;
        readonly needs?: string;
      }
    >
  >;
  readonly env: { readonly STACK: string; readonly TERRAFORM: string };
}

interface CloudBuild {
  readonly substitutions: { readonly _STACK: string };
  readonly steps: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: readonly string[];
    readonly entrypoint?: string;
  }[];
}

const actions = parse(readFileSync(join(folder, "github-actions.yml"), "utf8"), { strict: true }) as Actions;
const cloudBuild = (name: string) => parse(readFileSync(join(folder, name), "utf8"), { strict: true }) as CloudBuild;
const [build, checkBuild] = [cloudBuild("cloudbuild.yaml"), cloudBuild("cloudbuild-check.yaml")] as const;

const callsOf = (name: string, { steps }: CloudBuild): readonly Line[] =>
  steps.flatMap(({ id, args, entrypoint }) =>
    callsIn(entrypoint === undefined ? args.join(" ") : (args.at(-1) ?? ""), `${name}, ${id}`),
  );

interface GitLabJob {
  readonly extends: string;
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
  readonly environment?: string;
  readonly resource_group?: string;
  readonly timeout: string;
  readonly needs?: readonly string[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
}

const gitlabFile = parse(readFileSync(join(folder, "gitlab-ci.yml"), "utf8"), { strict: true });
const gitlab: Readonly<Record<"check" | "deploy" | "watch", GitLabJob>> = gitlabFile;
const gitlabShell = ({ script, after_script: after = [] }: GitLabJob) => [...script, ...after].join("\n");

const lines: readonly Line[] = [
  ...Object.entries(actions.jobs).flatMap(([job, { steps }]) =>
    steps.flatMap(({ run = "" }) => callsIn(run, `GitHub Actions, ${job}`)),
  ),
  ...(["check", "deploy", "watch"] as const).flatMap((job) => callsIn(gitlabShell(gitlab[job]), `GitLab CI, ${job}`)),
  ...callsOf("Cloud Build", build),
  ...callsOf("Cloud Build of a pull request", checkBuild),
  ...callsIn(readFileSync(join(folder, "moves.sh"), "utf8").replace(/^#.*$|[()]/gm, "\n"), "moves.sh"),
];

test.each(lines.map((line) => [line.where, line.words.join(" "), line]))(
  "%s: 'cert-migration %s' is a command with known options",
  (_, __, { words }) => {
    const command = loadCommands().find(({ name }) => words.join(" ").startsWith(name));
    const flags = (command?.options ?? []).map(({ flags: text }) => /--[a-z-]+/.exec(text)?.[0]);
    expect(command).toBeDefined();
    expect(words.filter((word) => word.startsWith("--") && !flags.includes(word))).toEqual([]);
    for (const [index, word] of words.entries()) {
      const option = (command?.options ?? []).find(({ flags: text }) => text.split(/[ ,]+/).includes(word));
      const value = words[index + 1] ?? "";
      if (option === undefined || !option.flags.includes("<")) continue;
      expect(value).not.toBe("");
      if (option.choices !== undefined) expect(option.choices).toContain(value);
    }
  },
);

test("checks before deployment and verifies afterwards in both pipelines", () => {
  const order = (where: string) =>
    lines.filter((line) => `${line.where},`.startsWith(`${where},`)).map(({ words }) => words[0]);
  expect(order("Cloud Build of a pull request")).toEqual(["rehearse", "check-plan"]);
  expect(order("Cloud Build")).toEqual([
    "doctor",
    "check-plan",
    "wait",
    "verify",
    "watch",
    "status",
    "report",
    "report",
  ]);
  expect(order("GitLab CI, check")).toEqual(["rehearse", "check-plan"]);
  expect(order("GitLab CI, deploy")).toEqual(["doctor", "check-plan", "wait", "verify", "status", "report"]);
  expect(order("GitLab CI, watch")).toEqual(["watch", "report"]);
  expect(order("GitHub Actions, check")).toEqual(["rehearse", "check-plan"]);
  expect(order("GitHub Actions, deploy")).toEqual(["doctor", "check-plan", "wait", "verify", "status", "report"]);
  expect(order("GitHub Actions, watch")).toEqual(["watch", "report"]);
});

test("rolls back traffic in a job beside the deployments that waits for no watch, and cancels no deployment for another", () => {
  const { deploy, watch } = actions.jobs;
  expect(deploy?.concurrency).toEqual({ group: "certificate-migration", "cancel-in-progress": false });
  expect(watch?.concurrency?.group).not.toBe(deploy?.concurrency?.group);
  expect(watch?.needs).toBe("deploy");
  for (const { words } of lines.filter(({ words: [name] }) => name === "watch")) {
    expect(words).toEqual(expect.arrayContaining(["--fail-after", "--within"]));
  }
});

test("GitLab runs one deployment at a time, and monitors in another job after every apply that has moved traffic", () => {
  const { deploy, watch } = gitlab;
  expect(deploy.resource_group).toBe("certificate-migration");
  expect(watch.resource_group).toBeUndefined();
  expect(watch.needs).toEqual(["deploy"]);
  expect(watch.rules.map(({ when }) => when)).toEqual(["always"]);
  const steps = [/xargs .*tee planned$/, / apply .*plan\.bin$/, /^mv planned moved$/, /verify/].map((step) =>
    deploy.script.findIndex((line) => step.test(line)),
  );
  expect(steps).not.toContain(-1);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
});

test("GitLab jobs get the read-only credentials, except the deployment of the default branch", () => {
  const accountOf = (job: GitLabJob) => /google-credentials\.sh "\$(\w+)"/.exec(gitlabShell(job))?.[1];
  expect(accountOf(gitlab.check)).toBe("READER");
  expect(accountOf(gitlab.watch)).toBe("READER");
  expect(accountOf(gitlab.deploy)).toBe("DEPLOYER");
  expect(gitlab.deploy.environment).toBe("production");
  expect(gitlab.deploy.rules.map((rule) => rule.if)).toEqual(["$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"]);
});

test("GitHub watches the hostnames that an apply has moved, even if a later step has failed", () => {
  const { deploy, watch } = actions.jobs;
  // Without a function of its own a condition has 'success()' before it.
  const conditions = ["!cancelled()", "needs.deploy.outputs.applied == 'true'", "needs.deploy.outputs.moved != ''"];
  expect(watch?.if).toBe(`\${{ ${conditions.join(" && ")} }}`);
  expect(deploy?.outputs?.applied).toBe("${{ steps.apply.outcome == 'success' }}");
  expect(deploy?.steps.find(({ id }) => id === "apply")?.run).toMatch(/^terraform .* apply /);
});

test("deploys the stack of the README's example, with the same Terraform version", () => {
  const example = readFileSync(join(folder, "..", "from-spec", "main.ts"), "utf8");
  const stacks = [
    actions.env.STACK,
    build.substitutions._STACK,
    checkBuild.substitutions._STACK,
    gitlabFile.variables.STACK,
  ];
  expect([...new Set(stacks)]).toEqual(["cdktf.out/stacks/shop"]);
  expect(example).toContain('new TerraformStack(app, "shop")');
  expect(readFileSync(join(folder, "Dockerfile"), "utf8")).toContain(
    `FROM hashicorp/terraform:${actions.env.TERRAFORM} `,
  );
});

const shellOf: Readonly<Record<string, string>> = {
  "GitHub Actions": actions.jobs.deploy?.steps.map(({ run = "" }) => run).join("\n") ?? "",
  "GitLab CI": gitlabShell(gitlab.deploy),
  "Cloud Build": build.steps.map(({ args }) => args.join(" ")).join("\n"),
};

test.each(Object.entries(shellOf))("%s applies only the plan that was checked", (_, shell) => {
  const places = [
    /\bplan -input=false (?:-lock-timeout=30m )?-out=plan\.bin$/m,
    /show -json plan\.bin \|.* check-plan -$/m,
    /\bapply .*plan\.bin$/m,
  ];
  const found = places.map((place) => shell.search(place));
  expect(found).not.toContain(-1);
  expect(found).toEqual([...found].sort((one, other) => one - other));
  expect(shell.match(/\bapply\b|\bcdktf deploy\b/g)).toEqual(["apply"]);
});

test("gives a pull request only the read-only credentials", () => {
  const accountsOf = (job: string) =>
    actions.jobs[job]?.steps.flatMap(({ with: given }) => given?.service_account ?? []) ?? [];
  expect(accountsOf("check")).toEqual(["${{ vars.READER }}"]);
  expect(accountsOf("watch")).toEqual(["${{ vars.READER }}"]);
  expect(accountsOf("deploy")).toEqual(["${{ vars.DEPLOYER }}"]);
  expect(actions.jobs.deploy?.environment).toBe("production");
  expect(actions.jobs.check?.environment).toBeUndefined();
});

/** The first versions that run on Node 24: GitHub's machines have had no Node 20 for actions since September 2026. */
const leastVersions: Readonly<Record<string, number>> = {
  "actions/checkout": 5,
  "actions/setup-node": 5,
  "actions/upload-artifact": 6,
  "google-github-actions/auth": 3,
  "hashicorp/setup-terraform": 4,
};

test("runs a GitHub job on a machine of a fixed version", () => {
  for (const { "runs-on": machine } of Object.values(actions.jobs)) expect(machine).toMatch(/^ubuntu-\d\d\.04$/);
});

test("pins each action of GitHub by one commit, whose version these machines can run", () => {
  const files = ["github-actions.yml", "terraform-github-actions.yml"];
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
  const pins = text.matchAll(
    /^ +- uses: (?<action>[\w-]+\/[\w-]+)@(?<commit>[0-9a-f]{40}) # v(?<major>\d+)\.\d+\.\d+$/gm,
  );
  const found = [...pins].map(({ groups }) => groups as Readonly<Record<"action" | "commit" | "major", string>>);
  expect(found).toHaveLength(text.match(/^.*\buses:/gm)?.length ?? 0);
  const commits = new Set(found.map(({ action, commit }) => `${action}@${commit}`));
  expect([...commits].map((pin) => pin.replace(/@.*/, "")).sort()).toEqual(Object.keys(leastVersions));
  for (const { action, major } of found) {
    expect(Number(major)).toBeGreaterThanOrEqual(leastVersions[action] ?? Number.POSITIVE_INFINITY);
  }
});

test("Cloud Build installs packages where its steps find them, beside the repository", () => {
  const ids = build.steps.map(({ id }) => id);
  expect(ids.indexOf("install")).toBeLessThan(ids.indexOf("synth"));
  expect(readFileSync(join(folder, "Dockerfile"), "utf8")).not.toMatch(/npm (?:ci|install)/);
});
