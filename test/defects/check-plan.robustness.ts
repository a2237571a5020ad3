import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { planFixture, pruned } from "../check-plan/plans";
import { startTestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";
import { reportedBy } from "./check-plan-reported";
import { type StackRow, stackRows } from "./check-plan-stacks";
import { pemFiles } from "./stack-text";

jest.setTimeout(300_000);

/** Applies the first stack of a row with real Terraform, and plans the second. */
async function planOf({ before, after }: StackRow): Promise<object> {
  await using cloud = await startTestCloud({ speed: 600 });
  for (const place of ["global", "regions/europe-west1"]) {
    const parent = `/compute/v1/projects/p1/${place}`;
    await cloud.make("POST", `${parent}/backendServices`, { name: "b", loadBalancingScheme: "EXTERNAL_MANAGED" });
    const defaultService = `projects/p1/${place}/backendServices/b`;
    await cloud.make("POST", `${parent}/urlMaps`, { name: "u", defaultService });
  }
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    await using terraform = await openTerraform(provider);
    const write = async (stack: StackRow["before"]) => {
      const files = typeof stack === "string" ? { "main.tf": stack } : stack;
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(terraform.path, name)), { recursive: true });
        await writeFile(join(terraform.path, name), text);
      }
      if (typeof stack !== "string") await terraform.succeed("get", "-no-color");
    };
    await write(pemFiles());
    await write(before);
    await terraform.succeed("apply", "-auto-approve", "-input=false", "-no-color");
    await write(after);
    await terraform.succeed("plan", "-out=tfplan", "-input=false", "-no-color");
    return JSON.parse(await terraform.succeed("show", "-json", "tfplan")) as object;
  } finally {
    await provider.close();
  }
}

test.each(stackRows)("real Terraform produces the plan of this fixture: $title", async (row) => {
  const made = JSON.stringify(pruned(await planOf(row)), (key, value: unknown) => {
    return key.endsWith("private_key") || key === "sensitive_values" ? undefined : value;
  });
  const path = planFixture(join("defects", row.fixture));
  if (process.env.WRITE_FIXTURES === "1") {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${made}\n`);
  }
  expect(await reportedBy(made)).toEqual(await reportedBy(await readFile(path, "utf8")));
});
