import { InputError } from "../../lib/errors";
import { defined } from "../../lib/json/defined";
import { Pipeline, type PipelineParts } from "../../lib/rehearsal/pipeline";
import { programNameOf } from "../../lib/rehearsal/program-name";
import type { StageOptions } from "../../lib/rehearsal/stage";

const good = { exitCode: 0, output: "", killed: false };
const failed = { exitCode: 1, output: "Error: quota", killed: false };
const isThere = (address: string) => ({ ...failed, output: `Error: 'x' already exists\n\n  with ${address},\n` });
const orphaned = isThere("google_certificate_manager_certificate_map.map");
const layerNames = ["dns_authorization.a", "certificate.c", "certificate_map.map", "certificate_map_entry.e"];
const layers = layerNames.map((name) => isThere(`google_certificate_manager_${name}`));
const stack = {
  provider: { google: [{ project: "p" }] },
  resource: {
    google_certificate_manager_dns_authorization: { a: { name: "a" } },
    google_certificate_manager_certificate: { c: { name: "c" }, uploaded: { name: "u", self_managed: {} } },
    google_certificate_manager_certificate_map: { map: { name: "m" } },
    google_certificate_manager_certificate_map_entry: { e: { name: "e", map: "m" } },
  },
};
const variant = { phase: "serve", traffic: "loadBalancer", rotated: false, reissues: 0 } as const;

interface Change {
  readonly synthesize?: StageOptions["migration"]["synthesize"];
  readonly attempts?: number;
  readonly kills?: readonly string[];
  readonly publishes?: true;
  readonly signal?: AbortSignal;
}

/** Returns a pipeline with given results of its applies, in order, and of each import. */
function createPipeline(
  applies: readonly (typeof good)[],
  { synthesize = () => stack, attempts, kills, publishes, signal = new AbortController().signal }: Change = {},
  {
    importing = good,
    isUsed = false,
    onImport = () => {},
    plans = [] as readonly (typeof good)[],
    program = "terraform",
    inState = undefined as string | undefined,
  } = {},
) {
  const ran: string[] = [];
  const said: string[] = [];
  const left = [...applies];
  const leftPlans = [...plans];
  const parts = {
    cloud: { faults: { set: () => ran.push("no faults") } },
    terraform: {
      name: programNameOf(program),
      write: async () => void ran.push("write"),
      apply: async () => {
        ran.push("apply");
        return left.shift() ?? good;
      },
      plan: async () => {
        ran.push("plan");
        return leftPlans.shift() ?? good;
      },
      import: async (address: string, id: string) => {
        ran.push(`import ${address} ${id}`);
        onImport();
        return importing;
      },
      forget: async (address: string) => {
        ran.push(`state rm ${address}`);
        return good;
      },
      idInState: () => inState,
    },
    pass: async (seconds: number) => void ran.push(`${seconds} s`),
    tlsAddresses: () => ["203.0.113.7"],
    operator: {
      catchUp: async () => void ran.push("publish"),
      remove: async (name: string) => {
        ran.push(`delete ${name}`);
        return !isUsed;
      },
    },
  };
  const options: StageOptions = {
    migration: { synthesize, hostnames: { all: [], added: undefined }, ...defined({ publishes }) },
    terraform: { folder: "nowhere", ...defined({ attempts }) },
    faults: defined({ kills }),
    output: { say: (line) => said.push(line) },
    signal,
  };
  return { pipeline: new Pipeline(parts as unknown as PipelineParts, options), ran, said };
}

test("applies until it succeeds, imports existing resources, and plans again", async () => {
  const { pipeline, ran } = createPipeline([failed, orphaned]);
  expect(await pipeline.deployStack(stack)).toBe(true);
  const id = "projects/p/locations/global/certificateMaps/m";
  const imported = `import google_certificate_manager_certificate_map.map ${id}`;
  expect(ran).toEqual(["write", "apply", "20 s", "apply", imported, "20 s", "apply", "plan"]);
  expect(pipeline.imports).toBe(1);
});

test("lets an operator publish CNAMEs, and the cloud find them, before the next apply", async () => {
  const { pipeline, ran } = createPipeline([failed], { publishes: true });
  expect(await pipeline.deployStack(stack)).toBe(true);
  expect(ran).toEqual(["write", "apply", "publish", "45 s", "apply", "plan"]);
});

test("finds the resources of a killed run layer by layer, without counting a failure", async () => {
  const { pipeline, said } = createPipeline([...layers, failed], { attempts: 2 });
  expect(await pipeline.deployStack(stack)).toBe(true);
  expect(pipeline.imports).toBe(4);
  expect(said.filter((line) => !line.startsWith("terraform import"))).toEqual([
    ...layerNames.flatMap((name) => [
      `terraform apply failed (1 of 2): Error: 'x' already exists in google_certificate_manager_${name}`,
      "an import lets the next apply continue: the failed apply is not counted",
    ]),
    "terraform apply failed (1 of 2): Error: quota",
  ]);
});

test.each([
  ["one failure", [failed], true, ["plan", "20 s", "plan"]],
  ["as many failures as attempts", [failed, failed], false, ["plan", "20 s", "plan"]],
  ["a plan with changes", [{ ...good, exitCode: 2 }], false, ["plan"]],
])("repeats a second plan that fails, after %s", async (_, plans, isDone, afterApply) => {
  const { pipeline, ran } = createPipeline([], { attempts: 2 }, { plans });
  expect(await pipeline.deployStack(stack)).toBe(isDone);
  expect(ran).toEqual(["write", "apply", ...afterApply]);
});

test.each([
  ["can't be imported", orphaned, { importing: failed }, "map projects/p/locations/global/certificateMaps/m: failed"],
  ["still exists after its import", orphaned, {}, "certificateMaps/m: done"],
  ["has no known id", isThere("google_x.y"), {}, "google_x.y exists, and its import id is unknown"],
  [
    "was uploaded and is in use",
    isThere("google_certificate_manager_certificate.uploaded"),
    { isUsed: true },
    "certificates/u of google_certificate_manager_certificate.uploaded: not deleted, as it is in use; Terraform would",
  ],
])("gives up if an existing resource %s", async (_what, apply, how, reported) => {
  const { pipeline, ran, said } = createPipeline(Array(9).fill(apply), { attempts: 2 }, how);
  expect(await pipeline.deployStack(stack)).toBe(false);
  const isSettledOnce = said.some((line) => line.endsWith("the failed apply is not counted"));
  expect(ran.filter((what) => what === "apply")).toHaveLength(isSettledOnce ? 3 : 2);
  expect(said.join("\n")).toContain(reported);
});

test("deletes and recreates an uploaded certificate, because an import would replace it", async () => {
  const { pipeline, ran } = createPipeline([isThere("google_certificate_manager_certificate.uploaded")]);
  expect(await pipeline.deployStack(stack)).toBe(true);
  const deleted = "delete projects/p/locations/global/certificates/u";
  expect(ran).toEqual(["write", "apply", deleted, "20 s", "apply", "plan"]);
  expect(pipeline.imports).toBe(0);
});

describe("a replacement that the state lacks, while the state has the replaced certificate:", () => {
  const place = "projects/p/locations/global/certificates";
  const address = "google_certificate_manager_certificate.c";
  const recovered = ["write", "apply", `state rm ${address}`, `import ${address} ${place}/c`, "20 s", "apply"];

  test("imports the replacement in its place, and deletes the replaced one after the apply", async () => {
    const { pipeline, ran, said } = createPipeline([isThere(address)], {}, { inState: `${place}/before` });
    expect(await pipeline.deployStack(stack)).toBe(true);
    expect(ran).toEqual([...recovered, `delete ${place}/before`, "plan"]);
    expect(said).toContain(`terraform state rm ${address}: done; ${place}/before stays`);
    expect(said).toContain(`${place}/before deleted: it was replaced, and the state no longer had it`);
  });

  test("keeps a replaced certificate that is in use, and tries again after the next deployment", async () => {
    const { pipeline, ran } = createPipeline([isThere(address)], {}, { inState: `${place}/before`, isUsed: true });
    await pipeline.deployStack(stack);
    await pipeline.deployStack(stack);
    expect(ran.filter((entry) => entry.startsWith("delete"))).toEqual(Array(2).fill(`delete ${place}/before`));
  });
});

test("names the program that runs", async () => {
  const change = { plans: [failed, failed, failed], program: "/opt/bin/tofu-1.9" };
  const { pipeline, said } = createPipeline([orphaned, failed], { attempts: 3 }, change);
  expect(await pipeline.deployStack(stack)).toBe(false);
  expect(said.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
    "tofu apply",
    "tofu import",
    "an import",
    "tofu apply",
    "tofu plan",
    "tofu plan",
    "tofu plan",
  ]);
});

test("imports nothing more when it is stopped", async () => {
  const stopping = new AbortController();
  const both = { ...failed, output: layers.map(({ output }) => output).join("") };
  const change = { signal: stopping.signal };
  const { pipeline, ran } = createPipeline([both], change, { onImport: () => stopping.abort() });
  expect(await pipeline.deployStack(stack)).toBe(false);
  expect(ran.map((what) => what.split(" ")[0])).toEqual(["write", "apply", "import"]);
});

test("gives up after the configured number of applies, plus one for each kill", async () => {
  const { pipeline, ran, said } = createPipeline([failed, failed, failed], { attempts: 2, kills: ["a.b"] });
  expect(await pipeline.deployStack(stack)).toBe(false);
  expect(ran.filter((what) => what === "apply")).toHaveLength(3);
  expect(said.at(-1)).toBe("terraform apply failed (3 of 3): Error: quota");
});

test("does not apply when it was stopped before the apply", async () => {
  const { pipeline, ran } = createPipeline([], { signal: AbortSignal.abort() });
  expect(await pipeline.deployStack(stack)).toBe(false);
  expect(ran).toEqual(["write"]);
});

test("passes the load balancer's address to the stack once traffic moves there", async () => {
  const reported: object[] = [];
  const { pipeline } = createPipeline([], {
    synthesize: (given) => {
      reported.push(given);
      return stack;
    },
  });
  await pipeline.deploy({ ...variant, traffic: "previous" });
  await pipeline.deploy(variant);
  expect(reported).toEqual([
    { ...variant, traffic: "previous" },
    { ...variant, addresses: ["203.0.113.7"] },
  ]);
});

test("reports a stack that is refused before Terraform runs, and keeps the deployed resources", async () => {
  const { pipeline, ran, said } = createPipeline([], {
    synthesize: () => {
      throw new InputError("address-missing", "the load balancer has no address");
    },
  });
  expect(await pipeline.deploy(variant)).toBe(false);
  expect({ deployed: pipeline.deployed, ran, said }).toEqual({
    deployed: undefined,
    ran: [],
    said: ["refused before Terraform runs: the load balancer has no address"],
  });
});

test("checks for remaining changes without faults, and applies only existing changes", async () => {
  const { pipeline, ran } = createPipeline([]);
  expect(await pipeline.converge()).toBe(true);
  expect(ran).toEqual(["no faults", "plan"]);
});
