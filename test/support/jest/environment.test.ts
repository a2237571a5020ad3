import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..", "..");

/** What a test file finds; afterwards it changes all of this. */
const source = `
  const { generateKeyPairSync } = require("node:crypto");
  const { AsyncLocalStorage } = require("node:async_hooks");
  const { appendFileSync } = require("node:fs");
  const shared = require("yaml");
  const own = require("./own");
  const keys = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 512 }).publicKey.export({ format: "jwk" }).n);
  test("finds", () => {
    jest.isolateModules(() => expect(require("yaml")).not.toBe(shared));
    const { exitCode, env } = process;
    appendFileSync("found.jsonl", JSON.stringify({
      globals: typeof left, language: typeof fetch, variable: env.LEFT, path: env.PATH, exitCode,
      listeners: process.listenerCount("SIGUSR2"), own: own.count, shared: shared.count, keys,
      usesStorage: shared.storage?.enabled ?? false,
      realm: [shared.parse("[]") instanceof Array, new TypeError() instanceof Error],
    }) + "\\n");
    globalThis.left = 1;
    globalThis.fetch = undefined;
    Object.assign(env, { LEFT: "1", PATH: "" });
    process.exitCode = 1;
    process.on("SIGUSR2", () => {});
    process.chdir("/");
    own.count += 1;
    shared.count = 1;
    shared.storage = new AsyncLocalStorage();
    shared.storage.run(1, () => {});
    jest.useFakeTimers();
  });
`;

test("shares only modules of node_modules and RSA keys between test files of one worker", () => {
  const folder = mkdtempSync(join(tmpdir(), "jest-environment-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "own.js"), "exports.count = 0;");
    for (const name of ["one", "two"]) writeFileSync(join(folder, `${name}.test.js`), source);
    const config = { testEnvironment: join(__dirname, "environment.cjs"), runtime: join(__dirname, "runtime.cjs") };
    const words = ["--rootDir", folder, "--config", JSON.stringify(config), "--runInBand", "--silent"];
    execFileSync(process.execPath, [join(root, "node_modules", "jest", "bin", "jest.js"), ...words], {
      cwd: folder,
      stdio: "pipe",
    });
    const [one, two] = readFileSync(join(folder, "found.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

    expect(one).toEqual({
      globals: "undefined",
      language: "function",
      path: process.env.PATH,
      listeners: 0,
      own: 0,
      usesStorage: false,
      keys: [expect.any(String), expect.any(String)],
      realm: [true, true],
    });
    expect(new Set(one.keys).size).toBe(2);
    expect(two).toEqual({ ...one, shared: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
