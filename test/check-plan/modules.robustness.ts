import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud } from "../support/cloud";
import { openTerraform, type TerraformDirectory } from "../support/terraform";
import { modulesStack } from "./modules-stack";
import { planFixture, pruned, summaries } from "./plans";

jest.setTimeout(300_000);

async function writeFiles({ path }: TerraformDirectory, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
}

/** Attaches the stand-in as google-beta as well. */
function alsoBeta(reattachConfig: string): string {
  const config = JSON.parse(reattachConfig) as Readonly<Record<string, unknown>>;
  const beta = Object.entries(config).map(([source, attached]) => [`${source}-beta`, attached]);
  return JSON.stringify({ ...config, ...Object.fromEntries(beta) });
}

const certificate = 'module.shop["b.c"].module.certificate[0].google_certificate_manager_certificate.it';

test("checks real Terraform plans of nested modules instance by instance, and the fixtures equal these plans", async () => {
  await using cloud = await startTestCloud({ speed: 600 });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    const attached = { ...provider, reattachConfig: alsoBeta(provider.reattachConfig) };
    await using terraform = await openTerraform(attached);
    const plan = async (files: Readonly<Record<string, string>>, ...words: readonly string[]) => {
      await writeFiles(terraform, files);
      await terraform.succeed("get", "-no-color");
      await terraform.succeed("plan", "-out=tfplan", "-input=false", "-no-color", ...words);
      return JSON.parse(await terraform.succeed("show", "-json", "tfplan")) as object;
    };
    await writeFiles(terraform, modulesStack({}));
    await terraform.succeed("get", "-no-color");
    await terraform.succeed("apply", "-auto-approve", "-input=false", "-no-color");
    const swap = "-var=generation=two";
    const plans = {
      swapped: await plan(modulesStack({}), swap),
      "swapped-without-gate": await plan(modulesStack({ gated: false }), swap),
      replaced: await plan(modulesStack({ gated: false }), `-replace=${certificate}`),
      targeted: await plan(modulesStack({}), swap, `-target=${certificate}`),
      moved: await plan(modulesStack({ called: "store" })),
      destroyed: await plan(modulesStack({}), "-destroy"),
    };
    for (const [name, made] of Object.entries(plans)) {
      const path = planFixture(name);
      if (process.env.WRITE_FIXTURES === "1") await writeFile(path, `${JSON.stringify(pruned(made), undefined, 1)}\n`);
      expect([name, summaries(made)]).toEqual([name, summaries(JSON.parse(await readFile(path, "utf8")))]);
    }
  } finally {
    await provider.close();
  }
});
