/** The constructs in Java, by Maven. The kit in Java is made from its npm packages. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { packageWithKit } from "../../../build/kit-packages";
import { compareStacks, type Project, root, withNodeOfJsii } from "./project";

export async function checkJava({ compiled, work, node, check }: Project): Promise<void> {
  const app = join(work, "java");
  // The packages of this test stay out of the user's repository.
  const maven = ["mvn", "--quiet", "--batch-mode", `-Dmaven.repo.local=${join(work, "maven")}`];
  const withoutPapers = ["-DskipTests", "-Dmaven.javadoc.skip", "-Dmaven.source.skip"];
  await check("the kit and the constructs become Java packages", async () => {
    for (const folder of await packageWithKit("java", compiled, join(work, "packages"))) {
      await withNodeOfJsii(folder, ...maven, "install", ...withoutPapers);
    }
  });
  await check("the stack in Java is the stack in TypeScript, byte for byte except for metadata", async () => {
    cpSync(join(root, "examples", "java"), app, { recursive: true });
    await withNodeOfJsii(app, ...maven, "compile", "exec:java");
    compareStacks(app, node);
  });
  await check("the tests of the example pass", () => withNodeOfJsii(app, ...maven, "test"));
}
