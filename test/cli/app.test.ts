import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppRun, synthesizeApp } from "../../lib/cli/app";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "app-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Synthesizes an app that records its environment and then runs the script `work`. */
function run(work: string, change: Partial<AppRun> = {}) {
  const script = `
    const { writeFileSync, mkdirSync } = require("node:fs");
    const { CDKTF_OUTDIR: outdir, CDKTF_CONTEXT_JSON: context, SYNTH_HCL_OUTPUT: hcl, OWN: own } = process.env;
    writeFileSync("seen.json", JSON.stringify({ context: JSON.parse(context), hcl, own }));
    ${work}`;
  writeFileSync(join(folder, "app.js"), script);
  return synthesizeApp({
    command: `"${process.execPath}" app.js`,
    folder,
    context: { asked: 1 },
    env: { ...process.env, OWN: "yes", SYNTH_HCL_OUTPUT: "true" },
    signal: new AbortController().signal,
    workFolder: folder,
    ...change,
  });
}

const seen = () => JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"));
const twoStacks = `
  for (const name of ["a", "b"]) {
    mkdirSync(outdir + "/stacks/" + name, { recursive: true });
    writeFileSync(outdir + "/stacks/" + name + "/cdk.tf.json", name);
  }
  const at = (name) => [name, { name, synthesizedStackPath: "stacks/" + name + "/cdk.tf.json" }];
  writeFileSync(outdir + "/manifest.json", JSON.stringify({ stacks: Object.fromEntries(["a", "b"].map(at)) }));`;

test("reads every stack that the app synthesized, in a separate folder", async () => {
  expect(await run(twoStacks)).toEqual([
    { name: "a", text: "a" },
    { name: "b", text: "b" },
  ]);
  expect(seen()).toEqual({ context: { asked: 1 }, hcl: "false", own: "yes" });
});

test("passes on the context of cdktf.json too", async () => {
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x", context: { own: true, asked: 0 } }));
  await run(twoStacks);
  expect(seen().context).toEqual({ own: true, asked: 1 });
});

test("keeps the context of the environment if cdktf.json has neither a context nor target versions", async () => {
  const env = { ...process.env, CDKTF_CONTEXT_JSON: JSON.stringify({ own: true, asked: 0 }) };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x" }));
  await run(twoStacks, { env });
  expect(seen().context).toEqual({ own: true, asked: 1 });

  writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x", context: { file: true } }));
  await run(twoStacks, { env });
  expect(seen().context).toEqual({ file: true, asked: 1 });
});

test.each([{}, "x", [], null, { terraform: "~> 1.9" }, { terraform: 1 }, { terraform: "newest" }, { pulumi: ">=1" }])(
  "refuses the target versions %j of cdktf.json, as the command line of cdktn does",
  async (targetVersions) => {
    writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x", targetVersions }));
    await expect(run(twoStacks)).rejects.toMatchObject({
      code: "app-failed",
      message: expect.stringContaining(`invalid value ${JSON.stringify(targetVersions)} for "targetVersions"`),
    });
  },
);

test.each([">=1.9.0", ">=1.5.7 <2", "^1.2 || ~1.0.3", "1.x", "*", "1.2.3 - 2.3"])(
  "accepts the semver range %s as a target version",
  async (range) => {
    const targetVersions = { terraform: range, opentofu: range };
    writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x", targetVersions }));
    await run(twoStacks);
    expect(seen().context).toEqual({ targetVersions, asked: 1 });
  },
);

test("passes on the target versions of cdktf.json in the context, as the command line of cdktn does", async () => {
  const targetVersions = { terraform: ">=1.9.0" };
  const context = { own: true, targetVersions: { opentofu: ">=1.6.0" } };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x", context, targetVersions }));
  await run(twoStacks);
  expect(seen().context).toEqual({ own: true, targetVersions, asked: 1 });

  writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "x", context }));
  await run(twoStacks);
  expect(seen().context).toEqual({ ...context, asked: 1 });
});

test.each([
  [
    "ends with an error",
    `console.error("Error: no zone\\u001b[2J"); process.exit(7);`,
    "ended with 7: Error: no zone\\u{1b}[2J",
  ],
  ["ends without a word", "process.exit(1);", "ended with 1: it printed nothing; run it by itself"],
  ["throws", `throw new TypeError("no such thing");`, "TypeError: no such thing"],
  [
    "throws under npx",
    `console.error("throw new Error(why)\\n  ^\\n\\nError [ERR_NO_ZONE]: no zone\\n    at run (a.js:1:2) {\\n  code: 'E'\\n}\\n\\nNode.js v20.0.0\\nnpm notice New"); process.exit(1);`,
    /ended with 1: Error \[ERR_NO_ZONE\]: no zone \| code: 'E'$/,
  ],
  ["makes nothing", "", "synthesized no stack; it has to be an app of cdktf or cdktn that ends with app.synth()"],
  ["makes something else", `writeFileSync(outdir + "/manifest.json", "{");`, "synthesized no stack"],
])("fails for an app that %s", async (_, work, message) => {
  await expect(run(work)).rejects.toThrow(message);
});

test("ends the app and its child processes on abort", async () => {
  const abort = new AbortController();
  const running = run("setInterval(() => undefined, 1000);", { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("stopped by SIGINT")), 200);
  await expect(running).rejects.toThrow("stopped by SIGINT");
});

test("does not start an app after an abort", async () => {
  const signal = AbortSignal.abort(new Error("stopped by SIGINT"));
  await expect(run(twoStacks, { signal })).rejects.toThrow("stopped by SIGINT");
  expect(existsSync(join(folder, "seen.json"))).toBe(false);
});

test("kills an app that exceeds its time limit, even if the app ignores the request to end", async () => {
  const hanging = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000);';
  await expect(run(hanging, { timeoutMs: 300 })).rejects.toMatchObject({
    code: "app-failed",
    message: expect.stringMatching(/ did not end within 0\.3 s; run it by itself/),
  });
});

test.each<[string, string, Partial<AppRun>]>([
  ["leaves in the background", "", { command: "sleep 60 &" }],
  [
    "puts into a group of its own",
    `require("node:child_process").spawn("sleep", ["9"], { detached: true, stdio: "inherit" }).unref();`,
    {},
  ],
])(
  "stops at the time limit although what an app %s holds the app's output open",
  async (_, work, change) => {
    await expect(run(work, { ...change, timeoutMs: 1_000 })).rejects.toMatchObject({
      code: "app-failed",
      message: expect.stringMatching(/ did not end within 1 s; run it by itself/),
    });
  },
  8_000,
);

test("ends background processes of the app on abort", async () => {
  const abort = new AbortController();
  const running = run("", { command: "sleep 60 & echo $! > background", signal: abort.signal });
  while (!existsSync(join(folder, "background"))) await new Promise((resolve) => setTimeout(resolve, 10));
  setTimeout(() => abort.abort(new Error("stopped by SIGINT")), 100);
  await expect(running).rejects.toThrow("stopped by SIGINT");
});

test("kills the running app and its child processes at the second Ctrl-C", async () => {
  const ending = new AbortController();
  const running = run(
    `process.on("SIGTERM", () => undefined); writeFileSync("ready", ""); setInterval(() => undefined, 1000);`,
    { endSignal: ending.signal },
  );
  while (!existsSync(join(folder, "ready"))) await new Promise((resolve) => setTimeout(resolve, 10));
  ending.abort();
  await expect(running).rejects.toThrow("ended with 1");
});

test("keeps the assets of stacks, and nothing else of the app's folder", async () => {
  const withAssets = `${twoStacks}
    mkdirSync(outdir + "/stacks/b/assets/page/HASH", { recursive: true });
    writeFileSync(outdir + "/stacks/b/assets/page/HASH/index.html", "page");`;
  const [a, b] = await run(withAssets);
  expect(a).toEqual({ name: "a", text: "a" });
  expect(readFileSync(join(b?.assets ?? "", "page", "HASH", "index.html"), "utf8")).toBe("page");
  expect(readdirSync(folder).filter((name) => name.startsWith("app-"))).toEqual([]);
});
