/** The constructs in Java, by Maven. Maven Central does not have the kit for Java: it is made from its npm packages. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packageFor } from "../../../build/jsii-package";
import { importedModules, reduceProvider } from "./kit-bindings";
import { compareStacks, type Project, root, withNodeOfJsii } from "./project";

export async function checkJava({ compiled, work, node, check }: Project): Promise<void> {
  const app = join(work, "java");
  const installed = join(compiled, "node_modules");
  // The packages of this test stay out of the user's repository.
  const maven = ["mvn", "--quiet", "--batch-mode", `-Dmaven.repo.local=${join(work, "maven")}`];
  const withoutPapers = ["-DskipTests", "-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"];
  await check("the kit and the constructs become Java packages", async () => {
    const provider = join(installed, "@cdktn", "provider-google");
    reduceProvider(provider, importedModules(join(compiled, "lib")));
    for (const [index, folder] of [join(installed, "cdktn"), provider, compiled].entries()) {
      const out = join(work, `java-package-${index}`);
      await packageFor("java", compiled, { folder, out, codeOnly: true });
      await withNodeOfJsii(join(out, "java"), ...maven, "install", ...withoutPapers);
      rmSync(out, { recursive: true });
    }
  });
  await check("the stack in Java is the stack in TypeScript, byte for byte except for metadata", async () => {
    cpSync(join(root, "examples", "java"), app, { recursive: true });
    await withNodeOfJsii(app, ...maven, "compile", "exec:java");
    compareStacks(app, node);
  });
  await check("the tests of the example pass", () => withNodeOfJsii(app, ...maven, "test"));
}
