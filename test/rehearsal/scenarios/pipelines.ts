import type { MigrationSpec } from "../../../lib/plan";
import type { Stage } from "../../../lib/rehearsal/stage";
import { lastLines } from "../../../lib/rehearsal/terraform-output";
import { slowMap } from "./api";
import { type Scenario, type Scene, smallSpec, unharmed } from "./scenario";
import { answered, bothAtOnce, lockedOut, refused } from "./shown";

/** Another migration of the same project, in a state of its own; its map is attached elsewhere. */
function otherMigration(scene: Scene, change: Partial<MigrationSpec> = {}): MigrationSpec {
  return {
    name: "blog",
    certificates: [{ domains: ["example.com", "blog.example.com"] }],
    dns: smallSpec.dns,
    gateCommand: scene.gateCommand,
    ...change,
  };
}

/** Applies another stack beside the migration. @returns whether it succeeded with an empty second plan */
async function applyBeside(stage: Stage, scene: Scene, spec: MigrationSpec): Promise<boolean> {
  const terraform = stage.terraformIn("beside");
  await terraform.write(scene.stackOf(spec));
  const { exitCode, output } = await terraform.apply();
  if (exitCode !== 0) scene.say(`terraform apply beside failed: ${lastLines(output)}`);
  return exitCode === 0 && (await terraform.plan()).exitCode === 0;
}

async function destroyBeside(stage: Stage): Promise<boolean> {
  return (await stage.terraformIn("beside").destroy()).exitCode === 0;
}

const rotated = { phase: "serve", traffic: "loadBalancer", rotated: true, reissues: 0 } as const;

const authorizationCreated = "certificatemanager.projects.locations.dnsAuthorizations.create";

/** Scenarios with concurrent or delayed pipelines. */
export const pipelineScenarios: readonly Scenario[] = [
  {
    name: "applied-twice-at-once",
    summary: "two applies of one state run at once: the lock lets one through, and the other is refused",
    acts: [
      {
        name: "two applies at once",
        // On a busy machine, one apply could end before the other requests the lock.
        run: (stage, scene) =>
          scene.suffer(stage, slowMap(8_000), async () => {
            const { terraform } = stage;
            await terraform.write(scene.stackOf({ ...scene.spec, labels: { team: "web" } }));
            const runs = await Promise.all([terraform.apply(), terraform.apply()]);
            const refused = runs.filter(({ exitCode }) => exitCode !== 0);
            for (const { output } of refused) scene.say(`one of two applies: ${lastLines(output)}`);
            return refused.length === 1 && stage.pipeline.planIsEmpty();
          }),
      },
    ],
    proofs: [lockedOut],
    expect: { ...unharmed, messages: ["Error acquiring the state lock"] },
  },
  {
    name: "two-migrations-on-one-domain",
    summary:
      "a second stack authorizes the same domain: refused; with the first one's authorization both go on at once",
    acts: [
      {
        name: "a second stack with an authorization of its own",
        run: async (stage, scene) => {
          const applied = await applyBeside(stage, scene, otherMigration(scene));
          await stage.prober.everyHostname();
          return !applied && (await destroyBeside(stage)) && stage.pipeline.planIsEmpty();
        },
      },
      {
        name: "a second stack with the first one's authorization, while the first is rotated",
        run: async (stage, scene) => {
          const authorization = (await stage.reader.authorizations()).find(({ domain }) => domain === "example.com");
          const existingAuthorizations = { "example.com": authorization?.name ?? "" };
          const second = otherMigration(scene, { existingAuthorizations });
          const done = await Promise.all([stage.pipeline.deploy(rotated), applyBeside(stage, scene, second)]);
          return done.every(Boolean) && (await destroyBeside(stage)) && stage.pipeline.planIsEmpty();
        },
      },
    ],
    proofs: [refused(409, "authorizations refused since there is one", authorizationCreated), bothAtOnce],
    expect: { ...unharmed, messages: ["terraform apply beside failed"] },
  },
  {
    name: "two-projects-on-one-domain",
    summary: "a stack of another project certifies the same domain at once, each with a record of its project's own",
    spec: { ...smallSpec, authorizationType: "PER_PROJECT_RECORD" },
    acts: [
      {
        name: "another project, while the first is rotated",
        run: async (stage, scene) => {
          const { dns } = smallSpec;
          const second = otherMigration(scene, {
            project: "other-project",
            authorizationType: "PER_PROJECT_RECORD",
            dns: { ...dns, project: scene.project } as MigrationSpec["dns"],
          });
          const done = await Promise.all([stage.pipeline.deploy(rotated), applyBeside(stage, scene, second)]);
          return done.every(Boolean) && (await destroyBeside(stage)) && stage.pipeline.planIsEmpty();
        },
      },
    ],
    proofs: [answered(authorizationCreated, "authorizations created", 6), bothAtOnce],
    expect: unharmed,
  },
];
