/** The constructs in Go. The kit in Go is made from its npm packages. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { packageWithKit } from "../../../build/kit-packages";
import { timed } from "../run";
import { compareStacks, type Project, root, withNodeOfJsii } from "./project";

/** Modules that the example requires, and the folder that the tool writes each to. */
const replaced = {
  "example.com/cert-migration/certmigration": "certmigration",
  "github.com/aws/constructs-go/constructs/v10": "constructs",
  "github.com/open-constructs/cdk-terrain-go/cdktn": "cdktn",
  "github.com/cdktn-io/cdktn-provider-google-go/google/v21": "google",
};

export async function checkGo({ compiled, work, node, check }: Project): Promise<void> {
  const app = join(work, "go");
  const out = join(work, "packages");
  await check("the kit and the constructs become Go modules", () => packageWithKit("go", compiled, out));
  await check("the stack in Go is the stack in TypeScript, byte for byte except for metadata", async () => {
    cpSync(join(root, "examples", "go"), app, { recursive: true });
    const places = Object.entries(replaced).map(([name, folder]) => `-replace=${name}=${join(out, "go", folder)}`);
    await timed("go mod edit", ["go", "mod", "edit", ...places], { folder: app });
    await timed("go mod tidy", ["go", "mod", "tidy"], { folder: app });
    await withNodeOfJsii(app, "go", "run", ".");
    compareStacks(app, node);
  });
  await check("the tests of the example pass", () => withNodeOfJsii(app, "go", "test", "./..."));
}
