/**
 * The constructs in Python, as a user has them: `npm run test:python`. Builds the wheel, installs it beside cdktn and
 * the bindings from PyPI, compares the stack with the one in TypeScript byte for byte, runs the example's tests and
 * mypy, and rehearses the app. `-- --bindings FOLDER` takes the bindings of npm from a folder of tarballs named
 * VERSION.tgz.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { forCdkTerrain } from "../../build/exchange-kit";
import { compileJsiiPackage, packageFor, prepareJsiiPackage } from "../../build/jsii-package";
import { devDependencies } from "../../package.json";
import { newestBindings } from "./bindings";
import { timed } from "./run";

const root = join(__dirname, "..", "..");
const { bindings: kept } = parseArgs({ options: { bindings: { type: "string" } } }).values;
/** Largest size of the types of the package, in bytes. */
const mostTypes = 2 * 1024 * 1024;

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "python-"));
  let passed = 0;
  const check = async (what: string, act: () => Promise<unknown>) => {
    await act();
    passed += 1;
    process.stdout.write(`ok: ${what}\n`);
  };
  const [made, python, node] = ["package", "python", "node"].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  try {
    mkdirSync(made);
    await check("the constructs become a wheel", () => makeWheel(made));
    await check("the wheel installs beside cdktn and its bindings", () => installWheel(made, python));
    await check("the tarball of the command installs beside them", () => installCommand(work, made, node));
    await check("the stack in Python is the stack in TypeScript, byte for byte except for metadata", () =>
      compareStacks(python, node),
    );
    const bin = join(python, "venv", "bin");
    await check("the tests of the example pass", () => inNode(python, join(bin, "pytest"), "-q"));
    await check("mypy finds nothing in the example", () =>
      inNode(python, join(bin, "mypy"), "--strict", "main.py", "test_main.py"),
    );
    await check("a rehearsal of the app completes without a failed handshake", async () => {
      const app = `${join(bin, "python")} ${join(python, "main.py")}`;
      const output = await inNode(node, "npx", "cert-migration", "rehearse", "--app", app);
      if (!/\b0 of \d{3,} handshakes failed/.test(output)) throw new Error(output.slice(-2_000));
    });
    process.stdout.write(`${passed} passed, 0 failed\n`);
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n${passed} passed, 1 failed\n`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Runs a program with the version of Node of jsii, which Python starts. */
function inNode(folder: string, ...words: readonly string[]): Promise<string> {
  const [program = "", first = ""] = words;
  const what = `${program.split("/").at(-1)} ${first}`;
  return timed(what, ["sh", join(root, "test", "with-node.sh"), "22", ...words], { folder });
}

async function makeWheel(made: string): Promise<void> {
  await prepareJsiiPackage(made, kept);
  await compileJsiiPackage(made);
  const { size } = statSync(join(made, ".jsii"));
  process.stdout.write(`.jsii has ${size} bytes\n`);
  if (size > mostTypes) throw new Error(`.jsii has ${size} bytes, more than ${mostTypes}`);
  await packageFor("python", made);
  for (const name of readdirSync(join(made, "dist", "python"))) {
    process.stdout.write(`${name} has ${statSync(join(made, "dist", "python", name)).size} bytes\n`);
  }
}

async function installWheel(made: string, python: string): Promise<void> {
  cpSync(join(root, "examples", "python"), python, { recursive: true });
  await timed("venv", ["python3", "-m", "venv", "venv"], { folder: python });
  // The wheel is in no registry yet.
  const wheels = ["--find-links", join(made, "dist", "python"), "--requirement", "requirements.txt"];
  const tools = ["pytest==8.4.2", "mypy==1.18.2"];
  await timed("pip install", [join(python, "venv", "bin", "pip"), "install", "--quiet", ...wheels, ...tools], {
    folder: python,
  });
}

async function installCommand(work: string, made: string, node: string): Promise<void> {
  mkdirSync(node);
  writeFileSync(join(node, "package.json"), JSON.stringify({ name: "user", private: true }));
  await timed("npm pack", ["npm", "pack", "--silent", "--pack-destination", work], { folder: root });
  const [tarball = ""] = readdirSync(work).filter((name) => name.startsWith("cdktf-google-cert-migration-"));
  const { cdktn, constructs, tsx } = devDependencies;
  const packages = [
    join(work, tarball),
    join(made, `bindings-${newestBindings}.tgz`),
    `cdktn@${cdktn}`,
    `constructs@${constructs}`,
    `tsx@${tsx}`,
  ];
  await timed("npm install", ["npm", "install", "--no-audit", "--no-fund", ...packages], { folder: node });
  const source = readFileSync(join(__dirname, "python", "main.ts"), "utf8");
  writeFileSync(join(node, "main.ts"), forCdkTerrain(source));
}

async function compareStacks(python: string, node: string): Promise<void> {
  await inNode(python, join(python, "venv", "bin", "python"), "main.py");
  await inNode(node, "npx", "tsx", "main.ts");
  const [inPython, inTypeScript] = [python, node].map((folder) => {
    const text = readFileSync(join(folder, "cdktf.out", "stacks", "shop", "cdk.tf.json"), "utf8");
    // The kit writes the folder of the app into the path of the local state.
    return JSON.stringify(withoutMetadata(JSON.parse(text.replaceAll(folder, "FOLDER"))), undefined, 2);
  });
  if (inPython !== inTypeScript) throw new Error(`the stacks differ:\n${inPython}\n${inTypeScript}`);
}

/** Removes the construct paths that the kit adds to each block. */
function withoutMetadata(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMetadata);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== "//");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMetadata(member)]));
}

void main();
