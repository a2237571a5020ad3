import { InputError } from "../../lib/errors";
import { type PipelineParts, pipelineOf } from "../../lib/rehearsal/pipeline";
import type { StageOptions } from "../../lib/rehearsal/stage";

const good = { exitCode: 0, output: "", killed: false };
const failed = { exitCode: 1, output: "Error: quota", killed: false };
const orphaned = {
  ...failed,
  output: "Error: a certificate map 'm' already exists\n\n  with google_certificate_manager_certificate_map.map,\n",
};
const stack = {
  provider: { google: [{ project: "p" }] },
  resource: { google_certificate_manager_certificate_map: { map: { name: "m" } } },
};
const variant = { phase: "serve", traffic: "loadBalancer", rotated: false, mended: 0 } as const;

/** A pipeline whose applies end like this, one after the other, and each import like that. */
function pipeline(applies: readonly (typeof good)[], change: Partial<StageOptions> = {}, importing = good) {
  const ran: string[] = [];
  const said: string[] = [];
  const left = [...applies];
  const counted = { imports: 0 };
  const parts = {
    cloud: { faults: { set: () => ran.push("no faults") } },
    terraform: {
      write: async () => void ran.push("write"),
      apply: async () => {
        ran.push("apply");
        return left.shift() ?? good;
      },
      plan: async () => {
        ran.push("plan");
        return good;
      },
      import: async (address: string, id: string) => {
        ran.push(`import ${address} ${id}`);
        return importing;
      },
    },
    pass: async (seconds: number) => void ran.push(`${seconds} s`),
    tlsAddresses: () => ["203.0.113.7"],
    counted,
  };
  const signal = new AbortController().signal;
  const options = { synthesize: () => stack, say: (line: string) => said.push(line), signal, ...change };
  const made = pipelineOf(parts as unknown as PipelineParts, options as unknown as StageOptions);
  return { ...made, ran, said, counted };
}

test("applies until it succeeds, imports what is there already, and plans again", async () => {
  const { deployStack, ran, counted } = pipeline([failed, orphaned]);
  expect(await deployStack(stack)).toBe(true);
  const id = "projects/p/locations/global/certificateMaps/m";
  const imported = `import google_certificate_manager_certificate_map.map ${id}`;
  expect(ran).toEqual(["write", "apply", "20 s", "apply", imported, "20 s", "apply", "plan"]);
  expect(counted).toEqual({ imports: 1 });
});

test("what a killed run lost is found layer by layer, however many there are: that counts as no failure", async () => {
  const layers = [orphaned, orphaned, orphaned, orphaned, failed];
  const { deployStack, said, counted } = pipeline(layers, { attempts: 2 });
  expect(await deployStack(stack)).toBe(true);
  expect(counted).toEqual({ imports: 4 });
  expect(said.filter((line) => line.startsWith("terraform apply"))).toEqual([
    ...Array<string>(4).fill("terraform apply failed: Error: a certificate map 'm' already exists"),
    "terraform apply failed (1 of 2): Error: quota",
  ]);
});

test("gives up where what is there already can't be imported", async () => {
  const { deployStack, ran } = pipeline([orphaned, orphaned, orphaned], { attempts: 2 }, failed);
  expect(await deployStack(stack)).toBe(false);
  expect(ran.filter((what) => what === "apply")).toHaveLength(2);
});

test("gives up after as many applies as a pipeline makes, and one for each kill", async () => {
  const { deployStack, ran, said } = pipeline([failed, failed, failed], { attempts: 2, kills: ["a.b"] });
  expect(await deployStack(stack)).toBe(false);
  expect(ran.filter((what) => what === "apply")).toHaveLength(3);
  expect(said.at(-1)).toBe("terraform apply failed (3 of 3): Error: quota");
});

test("what was stopped before Terraform applies is not applied", async () => {
  const { deployStack, ran } = pipeline([], { signal: AbortSignal.abort() });
  expect(await deployStack(stack)).toBe(false);
  expect(ran).toEqual(["write"]);
});

test("a stack is told where the load balancer answers, once traffic moves there", async () => {
  const told: object[] = [];
  const { deploy } = pipeline([], {
    synthesize: (given) => {
      told.push(given);
      return stack;
    },
  });
  await deploy({ ...variant, traffic: "previous" });
  await deploy(variant);
  expect(told).toEqual([
    { ...variant, traffic: "previous" },
    { ...variant, addresses: ["203.0.113.7"] },
  ]);
});

test("a stack that is refused before Terraform runs is told, and what was deployed before stays", async () => {
  const { deploy, deployed, ran, said } = pipeline([], {
    synthesize: () => {
      throw new InputError("no", "the load balancer has no address");
    },
  });
  expect(await deploy(variant)).toBe(false);
  expect({ deployed: deployed(), ran, said }).toEqual({
    deployed: undefined,
    ran: [],
    said: ["refused before Terraform runs: the load balancer has no address"],
  });
});

test("looks without faults whether anything is left to do, and applies nothing where nothing is", async () => {
  const { converge, ran } = pipeline([]);
  expect(await converge()).toBe(true);
  expect(ran).toEqual(["no faults", "plan"]);
});
