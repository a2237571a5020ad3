/** The constructs in Python: the wheel beside cdktn and the bindings from PyPI. */
import { cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageFor } from "../../../build/jsii-package";
import { timed } from "../run";
import { tarballIn } from "../tarball";
import { compareStacks, type Project, root, specs, stacksInTypeScript, withNodeOfJsii } from "./project";

const tools = ["pytest==8.4.2", "syrupy==4.9.1", "mypy==1.18.2", "PyYAML==6.0.3"];

/** Largest size of the wheel, in bytes. */
const mostOfWheel = 600 * 1024;

/** The npm package of the bindings, as jsii reads it from the package of PyPI. */
const bindingsInVenv = "./venv/lib/python3.*/site-packages/cdktn_provider_google/_jsii/*.tgz";

export async function checkPython({ compiled, work, node, check }: Project): Promise<void> {
  const app = join(work, "python");
  const bin = (name: string) => join(app, "venv", "bin", name);
  await check("the constructs become a wheel", async () => {
    await packageFor("python", compiled);
    const out = join(compiled, "dist", "python");
    const [wheel = ""] = readdirSync(out).filter((name) => name.endsWith(".whl"));
    const { size } = statSync(join(out, wheel));
    process.stdout.write(`${wheel} has ${size} bytes\n`);
    if (size > mostOfWheel) throw new Error(`${wheel} has ${size} bytes, more than ${mostOfWheel}`);
  });
  await check("the wheel installs beside cdktn and its bindings", async () => {
    cpSync(join(root, "examples", "python"), app, { recursive: true });
    await timed("venv", ["python3", "-m", "venv", "venv"], { folder: app });
    // The wheel is in no registry yet.
    const wheels = ["--find-links", join(compiled, "dist", "python"), "--requirement", "requirements.txt"];
    await timed("pip install", [bin("pip"), "install", "--quiet", ...wheels, ...tools], { folder: app });
  });
  await check("the stack in Python is the stack in TypeScript, byte for byte except for metadata", async () => {
    await withNodeOfJsii(app, bin("python"), "main.py");
    compareStacks(app, node);
  });
  await check("stacks from data of every kind and from other constructs are the stacks in TypeScript", async () => {
    const all = join(work, "python-stacks");
    mkdirSync(all);
    await withNodeOfJsii(all, bin("python"), join(__dirname, "stacks.py"), specs);
    compareStacks(all, stacksInTypeScript(node));
  });
  await check("all properties can be read, and each mistake in data has its code", () =>
    withNodeOfJsii(app, "env", `SPECS=${specs}`, bin("pytest"), "-q", join(__dirname, "test_constructs.py")),
  );
  await check("the tests of the example pass", () => withNodeOfJsii(app, bin("pytest"), "-q"));
  await check("mypy finds nothing in the example", () => withNodeOfJsii(app, bin("mypy"), "main.py", "test_main.py"));
  await check("every class, property, method and parameter of the wheel has a description", () =>
    withNodeOfJsii(app, bin("python"), join(__dirname, "docstrings.py")),
  );
  await check("a rehearsal in the folder of the app completes without a failed handshake", async () => {
    // The bindings of npm are in the package of PyPI, as the page on languages says.
    const install = `npm install --prefix . --no-audit --no-fund ${tarballIn(work)} ${bindingsInVenv}`;
    await withNodeOfJsii(app, "sh", "-c", install);
    const output = await withNodeOfJsii(app, "npx", "cert-migration", "rehearse", "--app", "venv/bin/python main.py");
    if (!/\b0 of \d{3,} handshakes failed/.test(output)) throw new Error(output.slice(-2_000));
  });
}
