import { readFileSync } from "node:fs";
import { checkPlan, readTerraformPlan } from "../check-plan";
import { defined } from "../json/defined";
import { type Fields, fieldsOf, listOf, parseJson } from "../json/fields";
import { groupBy } from "../json/group-by";
import { certificateManagerPrefix, writeComputeName } from "../resource-names";
import { sourceFromOutputs } from "../source";
import { todaysBackendArgument } from "./existing-proxies";
import { type ServingProxy, servingProxyTypes } from "./serving-proxies";
import type { Block, StackJson } from "./stack";
import type { Terraform } from "./terraform";
import { lastLines } from "./terraform-output";

/** Contents of the owner's configuration. */
interface OwnerState {
  /** Whether each proxy has `certificate_map`. */
  readonly hasMap: boolean;
  /** Direct certificates that each proxy keeps. */
  readonly certificates: "all" | "last" | "none";
}

/** The owner of proxies that another Terraform configuration manages. */
export interface ProxyOwner {
  /** Applies the owner's configuration. @returns whether the apply succeeded */
  readonly apply: (state: OwnerState) => Promise<boolean>;
}

interface ProxyOwnerOptions {
  readonly proxies: readonly ServingProxy[];
  /** Stack of the migration, whose provider the owner also uses. */
  readonly stack: StackJson;
  /** Terraform of the migration, whose outputs contain the ids of the maps. */
  readonly migration: () => Pick<Terraform, "run">;
  /** Terraform in the owner's folder, with the owner's state. */
  readonly terraform: () => Pick<Terraform, "apply" | "name" | "savePlan" | "write">;
  readonly say: (line: string) => void;
}

/** Returns the owner of the proxies, who imports them into a configuration with the line `certificate_map = …`. */
export function proxyOwnerOf({ proxies, stack, migration, terraform, say }: ProxyOwnerOptions): ProxyOwner {
  let ownersTerraform: ReturnType<ProxyOwnerOptions["terraform"]> | undefined;
  return {
    apply: async (state) => {
      if (proxies.length === 0) return true;
      const maps = state.hasMap ? await mapsOf(migration(), stack) : new Map<string, string>();
      const missing = proxies.filter((proxy) => state.hasMap && !maps.has(proxy.migration));
      if (missing.length > 0) {
        say(`the output cert_migration has no map for ${missing.map(({ name }) => name).join(", ")}`);
        return false;
      }
      ownersTerraform ??= terraform();
      await ownersTerraform.write(ownerStack(stack, proxies, maps, state));
      const detaches = state.hasMap && state.certificates === "none";
      if (detaches && !(await isAccepted(ownersTerraform, migration(), say))) return false;
      const { exitCode, output } = await ownersTerraform.apply();
      if (exitCode !== 0)
        say(`${ownersTerraform.name.command} apply of the proxies' owner failed: ${lastLines(output)}`);
      return exitCode === 0;
    },
  };
}

/**
 * Returns whether check-plan accepts the owner's plan with the outputs of the migration. Without the output
 * `cert_migration`, or without a gate that waits for certificates, the outputs can't show what the map serves; then the
 * plan is not checked.
 */
async function isAccepted(
  ownersTerraform: Pick<Terraform, "name" | "savePlan">,
  migration: Pick<Terraform, "run">,
  say: ProxyOwnerOptions["say"],
): Promise<boolean> {
  const { output } = await migration.run("output", "-json", "cert_migration");
  if (migrationsIn(parseJson(output)).length === 0) return true;
  const { migrations } = sourceFromOutputs(output, "the outputs of the migration");
  if (migrations.some(({ gate }) => gate === "none" || gate === "check")) return true;
  const { file, output: failure } = await ownersTerraform.savePlan();
  if (file === undefined) {
    say(`${ownersTerraform.name.command} plan of the proxies' owner failed: ${lastLines(failure)}`);
    return false;
  }
  const { ok, dangers } = checkPlan(readTerraformPlan(readFileSync(file, "utf8"), file), undefined, { migrations });
  if (!ok)
    say(`check-plan refuses the plan of the proxies' owner: ${dangers.map(({ message }) => message).join("; ")}`);
  return ok;
}

/**
 * Returns the ids of the maps, by migration: from the outputs of the last apply, or from its state if the root module
 * of a folder has no output `cert_migration`.
 */
async function mapsOf(terraform: Pick<Terraform, "run">, stack: StackJson): Promise<ReadonlyMap<string, string>> {
  const { output } = await terraform.run("output", "-json", "cert_migration");
  const fromOutput = migrationsIn(parseJson(output)).flatMap(([path, { map }]) =>
    typeof map === "string" ? [[path, map] as const] : [],
  );
  if (fromOutput.length > 0) return new Map(fromOutput);
  const shown = await terraform.run("show", "-json", "-no-color");
  const ids = mapIdsIn(fieldsOf(fieldsOf(parseJson(shown.output)).values).root_module);
  const { cert_migration: description } = fieldsOf(stack.output);
  return new Map(
    migrationsIn(fieldsOf(description).value).flatMap(([path, { map }]) => {
      const [, name = ""] = mapReference.exec(String(map)) ?? [];
      const id = ids.get(name);
      return id === undefined ? [] : [[path, id] as const];
    }),
  );
}

const mapType = "google_certificate_manager_certificate_map";
const mapReference = new RegExp(`^\\$\\{${mapType}\\.([\\w-]+)\\.id\\}$`);

function migrationsIn(description: unknown): readonly (readonly [path: string, migration: Fields])[] {
  const { migrations } = fieldsOf(description);
  return Object.entries(fieldsOf(migrations)).map(([path, migration]) => [path, fieldsOf(migration)]);
}

/** Returns the ids of the maps in a state, by their names in the configuration. */
function mapIdsIn(module: unknown): ReadonlyMap<string, string> {
  const { resources, child_modules: children } = fieldsOf(module);
  const ids = listOf(resources).flatMap((resource) => {
    const { type, name, values } = fieldsOf(resource);
    return type === mapType ? [[String(name), String(fieldsOf(values).id)] as const] : [];
  });
  return new Map([...ids, ...listOf(children).flatMap((child) => [...mapIdsIn(child)])]);
}

/** Returns the owner's configuration of the proxies. */
function ownerStack(
  { terraform, provider }: StackJson,
  proxies: readonly ServingProxy[],
  maps: ReadonlyMap<string, string>,
  { certificates }: Pick<OwnerState, "certificates">,
): StackJson {
  const named = proxies.map((proxy, index) => ({ ...proxy, id: `proxy_${index + 1}` }));
  const kept = { all: 0, last: -1, none: Number.POSITIVE_INFINITY }[certificates];
  const blocks = named.map((proxy): readonly [type: string, id: string, block: Block] => {
    const { id, name, project, migration, certificates: direct } = proxy;
    const map = maps.get(migration);
    const links = direct.slice(kept).map((certificate) => certificate.id);
    return [
      servingProxyTypes[proxy.collection],
      id,
      {
        name,
        project,
        ...todaysBackendArgument(proxy),
        ...(links.length === 0 ? {} : { ssl_certificates: links }),
        ...(map === undefined ? {} : { certificate_map: `${certificateManagerPrefix}${map}` }),
      },
    ];
  });
  return {
    ...defined({ terraform, provider }),
    import: named.map(({ id, project, collection, name }) => ({
      to: `${servingProxyTypes[collection]}.${id}`,
      id: writeComputeName({ project, collection, name }),
    })),
    resource: Object.fromEntries(
      [...groupBy(blocks, ([type]) => type)].map(([type, blocksOfType]) => [
        type,
        Object.fromEntries(blocksOfType.map(([, id, block]) => [id, block])),
      ]),
    ),
  };
}
