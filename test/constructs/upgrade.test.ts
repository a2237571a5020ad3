/** What this version synthesizes is planned on the state of the previous version: nothing may change or run again. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, listOf } from "../../lib/json/fields";
import { upgrade } from "../support/upgrade";
import {
  type Configuration,
  formerFolder,
  formerOf,
  type Synthesized,
  synthesizeExample,
  upgradeExamples,
  withoutStacks,
} from "../support/upgrade-examples";
import { runner } from "../support/upgrade-runner";

jest.setTimeout(120_000);

const synthesize = (name: string) => synthesizeExample(name, runner);

test("covers every example", () => {
  const examples = readdirSync(join(__dirname, "..", "..", "examples")).filter((name) => !name.startsWith("."));
  expect([...upgradeExamples.filter((name) => !name.startsWith("traffic")), ...withoutStacks].sort()).toEqual(examples);
});

test("has a recording of every example, and no other", () => {
  const recordings = readdirSync(formerFolder).filter((file) => file.endsWith(".json"));
  expect(recordings.sort()).toEqual(upgradeExamples.map((name) => `${name}.json`).sort());
});

test("leaves out the stacks of two others with CDK Terrain, and a migration with a placeholder for its domain", () => {
  const withProgram = withoutStacks.filter((name) => {
    const files = readdirSync(join(__dirname, "..", "..", "examples", name));
    return files.includes("main.ts") || files.includes("migration.yaml");
  });
  expect(withProgram).toEqual(["cdk-terrain", "environments"]);
});

/**
 * Returns a configuration without the commands of gates, without the versions of kit and provider, and with the names
 * of its variables only: types and validations change nothing in a state.
 */
function withoutCommands({ terraform, variable, ...configuration }: Configuration): Configuration {
  const resource = fieldsOf(configuration.resource);
  const { required_providers: _, ...settings } = fieldsOf(terraform);
  const gates = Object.entries(fieldsOf(resource.terraform_data)).map(([name, block]) => {
    const { provisioner, ...rest } = fieldsOf(block);
    return [name, { ...rest, hasProvisioner: provisioner !== undefined }];
  });
  return {
    ...configuration,
    variable: Object.keys(fieldsOf(variable)),
    terraform: settings,
    resource: { ...resource, terraform_data: Object.fromEntries(gates) },
  };
}

function allWithoutCommands({ stacks, module, rootBlocks }: Synthesized): object {
  const named = Object.entries(stacks).map(([name, stack]) => [name, withoutDefaultIds(withoutCommands(stack))]);
  return { stacks: Object.fromEntries(named), module: module && withoutCommands(module), rootBlocks };
}

/** Construct paths are comments for Terraform: the migration in `WildcardCertWithAuth` has the id `Default` in them. */
function withoutDefaultIds(configuration: Configuration): Configuration {
  const text = JSON.stringify(configuration).replace(/("path":"[^"]*)\/Default\//g, "$1/");
  return JSON.parse(text) as Configuration;
}

test.each(upgradeExamples)(
  "synthesizes '%s' as the previous version, except for the commands of gates and the rules of variables",
  async (name) => {
    expect(allWithoutCommands(await synthesize(name))).toEqual(allWithoutCommands(formerOf(name)));
  },
);

/** Texts that the shells of Linux, macOS and Windows read in the same way, because they contain no signs of a shell. */
const commands = [
  "npx --no-install cert-migration wait --from-environment",
  "npx --no-install cert-migration verify --from-environment",
  'node -e "setTimeout(Object, 1000 * process.env.CERT_MIGRATION_SETTLE_SECONDS)"',
];

test.each(upgradeExamples)("writes only constant commands into the gates of '%s'", async (name) => {
  const { stacks, module } = await synthesize(name);
  const all = [...Object.values(stacks), ...(module === undefined ? [] : [module])];
  const found = all.flatMap((one) =>
    Object.values(fieldsOf(fieldsOf(one.resource).terraform_data)).flatMap((gate) =>
      listOf(fieldsOf(gate).provisioner).map((provisioner) => fieldsOf(fieldsOf(provisioner)["local-exec"]).command),
    ),
  );
  expect(found.filter((command) => !commands.includes(String(command)))).toEqual([]);
});

test.each(["traffic", "traffic-module"])(
  "plans no changes after an upgrade, and runs the same gates: %s",
  async (name) => {
    const [done, ...others] = await upgrade(formerOf(name), await synthesize(name), "6.50.0", true);
    expect(others).toEqual([]);
    expect(done?.plan).toContain("No changes. Your infrastructure matches the configuration.");
    expect(done?.planned).toBe(0);
    expect(done?.formerCalls.map(({ verb }) => verb)).toEqual(["verify", "wait", "wait"]);
    expect(done?.calls).toEqual(done?.formerCalls);
  },
);
