/** Values that Terraform evaluates, in a gate that real Terraform runs with a real shell. */
import { readdirSync } from "node:fs";
import { TerraformVariable } from "cdktf";
import { Certificate } from "../../lib";
import { migrate } from "../support/migrate";
import { newStack, synthesize } from "../support/synth";
import { openFolder } from "../support/upgrade";

jest.setTimeout(60_000);

const values: Readonly<Record<string, string>> = {
  separator: "x; touch f; echo ",
  background: "x & touch f",
  substitution: "$(touch f)`touch f`",
  quotes: `"'; touch f; "'`,
  newline: "x\ntouch f",
  variables: "$HOME %PATH% ^ ! ${HOME}",
  option: "--json",
  bidi: "a\u202eb\u0007c",
};

test("passes evaluated values to a gate as they are, and a shell runs nothing of them", async () => {
  const stack = newStack();
  const certificates = Object.entries(values).map(([name, value]) => {
    new TerraformVariable(stack, name, { default: value.replaceAll("${", "$${"), type: "string" });
    return Certificate.existing(`\${var.${name}}`, { name, domains: [`${name}.example.com`] });
  });
  migrate(stack, { certificates });
  const folder = await openFolder({ "cdk.tf.json": { ...synthesize(stack) } }, "6.50.0");
  try {
    const before = readdirSync(folder.path);
    const gates = Object.entries(synthesize(stack).resource?.terraform_data ?? {});
    const addresses = gates.map(([name]) => name).filter((name) => name.includes("gate-"));
    await folder.apply(...addresses.map((name) => `-target=terraform_data.${name}`));
    const names = folder.takeCalls().map(({ environment }) => environment.CERT_MIGRATION_WAIT_NAMES);
    expect(names.sort()).toEqual(Object.values(values).sort());
    expect(readdirSync(folder.path).filter((name) => !before.includes(name))).toEqual(["terraform.tfstate"]);
  } finally {
    await folder.close();
  }
});
