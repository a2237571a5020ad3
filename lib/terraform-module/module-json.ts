import { BugError, InputError } from "../errors";
import { gateCallOf, hasTemplate, verifyVariables, waitVariables } from "../gate-call";
import { defined } from "../json/defined";
import { type Fields, fieldsOf, listOf } from "../json/fields";
import type { MigrationPlan } from "../plan";
import { quote } from "../text/quote";
import { afterPublishedRecords, publishedRecordsVariable, recordOutputs } from "./dns-records";
import { inputsOfMigration } from "./inputs";
import type { ModuleImport, TerraformJson, TerraformModule } from "./model";
import { certificateType, withKeyVariables } from "./private-keys";

/**
 * Versions of the google provider that the generated resources were run with, see docs/support.md. A constraint of
 * the root module narrows this range.
 */
const providerVersions = ">= 6.50.0, < 9.0.0";

/** Terraform and OpenTofu have `check` blocks and `import` blocks since this version. */
const terraformVersions = ">= 1.5";

/** Versions that have write-only private keys. */
export const writeOnlyVersions = { google: ">= 7.45.0, < 9.0.0", terraform: ">= 1.11" } as const;

interface ModuleOptions {
  /** Name of the migration: its key in the output `cert_migration`, as `--migration` takes it. */
  readonly name: string;
  /** The migration, whose references become variables. */
  readonly spec: object;
  /** Lines of the comment at the top of the file. */
  readonly header: readonly string[];
  /**
   * Plan of the migration if the root module writes its records, with outputs and an input for them.
   *
   * @default - the module writes its records
   */
  readonly externalPlan?: MigrationPlan;
}

/** Blocks by type and name. */
type Blocks = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

/** Blocks of a stack that a module keeps or replaces; the module leaves out `provider`. */
const knownBlocks = new Set(["//", "check", "import", "output", "provider", "resource", "terraform", "variable"]);

/**
 * Returns the Terraform module for a synthesized stack of one migration. Resource addresses and names stay those of
 * the stack. Private keys become sensitive variables, and `${var.…}` of the spec becomes a variable of the module.
 *
 * @throws InputError `module-reference-unknown` for references to anything else outside the migration
 */
export function terraformModuleOf(stack: TerraformJson, options: ModuleOptions): TerraformModule {
  for (const block of Object.keys(stack)) {
    if (!knownBlocks.has(block)) throw new BugError(`a stack of one migration has blocks of type '${block}'`);
  }
  const { resource, variables } = withKeyVariables(
    withoutMetadata((stack.resource ?? {}) as Blocks),
    (stack.variable ?? {}) as Readonly<Record<string, Fields>>,
  );
  const { externalPlan } = options;
  const withCommands = commandsOf(resource, pathOf(stack), options.name);
  const resources = externalPlan === undefined ? withCommands : afterPublishedRecords(withCommands);
  const [migration] = Object.values(migrationsOf(stack));
  const output = {
    ...outputsOf(stack, resources, options.name),
    ...(externalPlan === undefined ? {} : recordOutputs(externalPlan, fieldsOf(migration), resources)),
  };
  const parts = { ...defined({ check: stack.check }), output, resource: resources };
  const inputs = inputsOf(parts, inputsOfMigration(options.spec), {
    ...variables,
    ...(externalPlan === undefined ? {} : publishedRecordsVariable),
  });
  const hasWriteOnlyKey = Object.values(resources[certificateType] ?? {}).some(
    ({ self_managed: uploaded }) => fieldsOf(uploaded).pem_private_key_wo !== undefined,
  );
  const versions = hasWriteOnlyKey ? writeOnlyVersions : { google: providerVersions, terraform: terraformVersions };
  const configuration = sorted({
    ...parts,
    terraform: {
      required_version: versions.terraform,
      required_providers: { google: { source: "hashicorp/google", version: versions.google } },
    },
    ...(Object.keys(inputs).length === 0 ? {} : { variable: inputs }),
  }) as TerraformJson;
  // Generated files are committed, so a key in any other place must not get into them either.
  if (JSON.stringify(configuration).includes("PRIVATE KEY")) throw new BugError("a private key is left in the module");
  return {
    configuration: { "//": options.header, ...configuration },
    imports: ((stack.import ?? []) as readonly ModuleImport[]).map(({ to, id }) => ({ to, id })).sort(byAddress),
    addresses: Object.entries(resources)
      .flatMap(([type, blocks]) => Object.keys(blocks).map((name) => `${type}.${name}`))
      .sort(),
    keyVariables: Object.keys(variables).sort(),
  };
}

function byAddress(a: ModuleImport, b: ModuleImport): number {
  return a.to < b.to ? -1 : 1;
}

/** Removes the construct paths that cdktf adds to each resource. */
function withoutMetadata(resource: Blocks): Blocks {
  return mapBlocks(resource, ({ "//": _metadata, ...block }) => block);
}

function mapBlocks(blocks: Blocks, change: (block: Fields, type: string) => Fields): Blocks {
  return Object.fromEntries(
    Object.entries(blocks).map(([type, named]) => [
      type,
      Object.fromEntries(Object.entries(named).map(([name, block]) => [name, change(block, type)])),
    ]),
  );
}

/** Returns the construct path of the migration in the stack: its key in the output. */
function pathOf(stack: TerraformJson): string {
  const [path, ...others] = Object.keys(migrationsOf(stack));
  if (path === undefined || others.length > 0) throw new BugError("a stack for a module has not exactly one migration");
  return path;
}

function migrationsOf({ output }: TerraformJson): Fields {
  return fieldsOf(fieldsOf(fieldsOf(fieldsOf(output).cert_migration).value).migrations);
}

/**
 * Returns the resources with gate commands for a module: Terraform runs them in the folder of the root module, so they
 * read the migration from the folder of their own module.
 */
function commandsOf(resource: Blocks, path: string, name: string): Blocks {
  return mapBlocks(resource, (block, type) => {
    if (type !== "terraform_data" || !Array.isArray(block.provisioner)) return block;
    const provisioner = block.provisioner.map((item) => {
      const { command, environment } = fieldsOf(fieldsOf(item)["local-exec"]);
      return { "local-exec": { command, environment: environmentOf(fieldsOf(environment), path, name) } };
    });
    return { ...block, provisioner };
  });
}

function environmentOf(environment: Fields, path: string, name: string): Fields {
  const { [verifyVariables.stack]: stack, [verifyVariables.migration]: migration } = environment;
  return {
    ...environment,
    ...(stack === "." ? { [verifyVariables.stack]: "${path.module}" } : {}),
    // Terraform would evaluate a part of the name. Without a name, the command verifies all migrations of the module.
    ...(migration === path ? { [verifyVariables.migration]: hasTemplate(name) ? "" : name } : {}),
  };
}

/** Returns the three outputs. Every module has all of them, so that a root module does not depend on the phase. */
function outputsOf(stack: TerraformJson, resources: Blocks, name: string): Readonly<Record<string, object>> {
  const [migration] = Object.values(migrationsOf(stack));
  const fields = fieldsOf(migration);
  const given = fieldsOf(stack.output);
  const named = (wanted: string) =>
    Object.entries(given).find(([key]) => key === wanted || key.includes(`_${wanted}_`))?.[1];
  const records = fieldsOf(named("records_to_publish")).value ?? [];
  return {
    cert_migration: {
      description: fieldsOf(given.cert_migration).description,
      value: { version: 1, migrations: { [name]: migration } },
    },
    certificate_map_id: {
      description: "Id of the certificate map for the configuration that owns the proxy; null without a map",
      value: typeof fields.map === "string" ? bareMapId(fields.map) : null,
      ...readinessOf(resources),
    },
    records_to_publish: {
      description: "CNAME records to publish before the certificates can be issued; empty if Terraform writes them",
      value: records,
    },
  };
}

/** Returns the id of a map without the name of the service, which ids of existing maps may have. */
function bareMapId(id: string): string {
  return id.replace(/^\/\/certificatemanager\.googleapis\.com\//, "");
}

/**
 * Returns the dependencies of the map's id: a proxy of the root module gets the map only after every entry exists and
 * after the gates have seen the entries on all front ends.
 */
function readinessOf(resources: Blocks): { readonly depends_on?: readonly string[] } {
  const entryType = "google_certificate_manager_certificate_map_entry";
  const entries = Object.keys(resources[entryType] ?? {}).map((entry) => `${entryType}.${entry}`);
  const settlements = Object.entries(resources.terraform_data ?? {}).flatMap(([gate, block]) =>
    waitsForEntries(block) ? [`terraform_data.${gate}`] : [],
  );
  const all = [...entries, ...settlements].sort();
  return all.length === 0 ? {} : { depends_on: all };
}

function waitsForEntries({ provisioner }: Fields): boolean {
  return listOf(provisioner).some((entry) => {
    const call = gateCallOf(fieldsOf(entry)["local-exec"]);
    return call?.environment[waitVariables.kind] === "entries";
  });
}

/** Matches what an expression may refer to: a name with a dot behind it, or behind `data.`. */
const reference = /(?<![\p{L}\p{N}_.-])(data\.[a-z]\w*|[a-z][\w-]*)\.([\p{L}_][\p{L}\p{N}_-]*)/gu;

/** Roots of references that are valid in every module. */
const builtIn = new Set(["each", "path", "self", "terraform"]);

/**
 * Returns the variables of the module: those of private keys, and those that the spec refers to.
 *
 * @throws InputError `module-reference-unknown`
 */
function inputsOf(
  parts: { readonly resource: Blocks },
  described: Readonly<Record<string, Fields>>,
  keys: Readonly<Record<string, Fields>>,
): Fields {
  const found: Record<string, Fields> = { ...keys };
  const unknown = new Set<string>();
  for (const expression of expressionsIn(parts)) {
    for (const [whole, root = "", name = ""] of expression.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(reference)) {
      if (root === "var") found[name] ??= described[name] ?? {};
      else if (!builtIn.has(root) && parts.resource[root]?.[name] === undefined) unknown.add(whole);
    }
  }
  if (unknown.size > 0) {
    throw new InputError(
      [...unknown].sort().map((name) => ({
        code: "module-reference-unknown",
        message: `${quote(name)} is outside of the module; refer to a variable, as in "\${var.zone}", and pass its value from the root module`,
      })),
    );
  }
  return found;
}

function expressionsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(/(?<!\$)\$\{([^}]*)\}/g)].map(([, inner = ""]) => inner);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(expressionsIn);
}

/** Sorts members by name, at any depth; lists keep their order, except `depends_on`, whose order has no meaning. */
function sorted(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item));
    return name === "depends_on" ? items.sort() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member, key)]));
}
