import { InputError } from "../errors";
import type { CataloguedResource, ResourceCatalogue } from "./catalogue";
import type { CloudApi } from "./cloud-api";
import {
  checkChoices,
  hasManagedLabels,
  type Path,
  planAttributes,
  planLabels,
  reconcile,
  replacements,
} from "./planning";
import { type ProviderCall, type ProviderSettings, UnreadError } from "./resources";
import { type SchemaBlock, shapeBlock } from "./schema";
import { mayDelete, withDeletionPolicy } from "./settings";
import { isValueObject, membersOf, textValue, type Value, type ValueObject, withoutNull } from "./value";

/** One connection from Terraform, with its configured provider block. */
export interface Session {
  readonly settings: ProviderSettings;
  readonly api: CloudApi;
  /** Aborts when the stand-in ends. */
  readonly signal: AbortSignal;
}

/** Result of an apply: a state, and the error if there was any. */
interface Applied {
  readonly state: Value;
  readonly error?: unknown;
}

interface Plan {
  readonly planned: Value;
  readonly replacements: readonly Path[];
}

/** Operations that Terraform requests from a provider, on values. Null stands for a resource that does not exist. */
export interface StandIn {
  /** Validates a configuration. @throws InputError with all problems */
  validate(type: string, config: Value): void;
  upgrade(type: string, state: ValueObject): Value;
  plan(type: string, prior: Value, proposed: Value, config: Value, session: Session): Plan;
  apply(type: string, prior: Value, planned: Value, config: Value, session: Session): Promise<Applied>;
  read(type: string, state: Value, session: Session): Promise<Value>;
  importState(type: string, id: string, session: Session): Value;
  readData(type: string, config: Value, session: Session): Promise<Value>;
}

/**
 * Returns a stand-in that uses the rules of the catalogue, and calls the cloud through the session.
 *
 * @param unique returns the suffix of generated names: 26 characters, different for each call
 */
export function createStandIn(catalogue: ResourceCatalogue, unique: () => string): StandIn {
  const resource = (type: string): CataloguedResource => {
    const found = catalogue.resources.get(type);
    if (found === undefined) throw new InputError("resource-type-unknown", `the stand-in has no ${type}`);
    return found;
  };
  const callOf = (schema: SchemaBlock, { settings, api, signal }: Session, config: ValueObject = {}): ProviderCall => ({
    schema,
    config,
    settings,
    api,
    signal,
    unique,
  });

  return {
    validate: (type, config) => {
      const problems = checkChoices(type, resource(type).kind.overlay, membersOf(config));
      if (problems.length > 0) throw new InputError(problems);
    },

    upgrade: (type, state) => shapeBlock(resource(type).schema, state),

    plan: (type, prior, proposed, config, { settings }) => {
      if (!isValueObject(proposed)) return { planned: null, replacements: [] };
      const found = resource(type);
      const { kind, schema } = found;
      const before = isValueObject(prior) ? prior : undefined;
      const configured = membersOf(config);
      let planned = planAttributes({ schema, overlay: kind.overlay, prior: before, proposed, config: configured });
      planned = place(found, planned, before, configured, settings);
      planned = withDeletionPolicy(schema, planned, configured.deletion_policy ?? null, settings);
      if (hasManagedLabels(schema)) {
        const { withoutAttribution = false } = kind.overlay;
        const labelSettings = withoutAttribution ? { ...settings, attribution: "never" as const } : settings;
        planned = { ...planned, ...planLabels(before, planned.labels ?? null, labelSettings) };
      }
      planned = kind.finishPlan?.(planned, before, settings) ?? planned;
      return {
        planned,
        replacements: before === undefined ? [] : replacements(schema, kind.overlay, before, planned),
      };
    },

    apply: async (type, prior, planned, config, session) => {
      const { kind, schema } = resource(type);
      const configured = membersOf(config);
      const call = callOf(schema, session, configured);
      const stateOf = (known: ValueObject, answered: ValueObject) =>
        shapeBlock(schema, reconcile({ schema, overlay: kind.overlay, known, answered, config: configured }));
      try {
        if (!isValueObject(planned)) {
          if (isValueObject(prior) && mayDelete(type, prior)) await kind.delete(prior, call);
          return { state: null };
        }
        const answered = isValueObject(prior)
          ? await kind.update(prior, planned, call)
          : await kind.create(planned, call);
        return { state: stateOf(planned, answered) };
      } catch (error) {
        if (error instanceof UnreadError && isValueObject(planned)) {
          return { state: stateOf(planned, error.known), error: error.cause };
        }
        if (!isValueObject(prior) || !isValueObject(planned)) return { state: prior, error };
        // The state before a failed update is still the best known state, and the next refresh corrects it. Attributes
        // that the service never returns keep their planned values.
        const neverReturned = (kind.overlay.answers?.neverReturned ?? []).map((name): [string, Value] => [
          name,
          planned[name] ?? null,
        ]);
        return { state: { ...prior, ...Object.fromEntries(neverReturned) }, error };
      }
    },

    read: async (type, state, session) => {
      if (!isValueObject(state)) return null;
      const { kind, schema } = resource(type);
      const answered = await kind.read(state, callOf(schema, session));
      if (answered === undefined) return null;
      const known = withDeletionPolicy(schema, state, state.deletion_policy ?? null, session.settings);
      return shapeBlock(schema, reconcile({ schema, overlay: kind.overlay, known, answered }));
    },

    importState: (type, id, { settings }) => {
      const { kind, schema } = resource(type);
      return shapeBlock(schema, kind.identify(id, settings));
    },

    readData: async (type, config, session) => {
      const found = catalogue.data.get(type);
      if (found === undefined) throw new InputError("resource-type-unknown", `the stand-in has no data source ${type}`);
      const configured = membersOf(config);
      const answered = await found.kind.read(configured, callOf(found.schema, session));
      // Configured values keep their spelling.
      return shapeBlock(found.schema, { ...answered, ...withoutNull(configured) });
    },
  };
}

const places = ["project", "region", "zone"] as const;

/** Adds the provider block's project, region and zone, if the resource has none of its own. */
function place(
  { kind: { type }, schema: { attributes }, keptOnly }: CataloguedResource,
  planned: ValueObject,
  prior: ValueObject | undefined,
  config: ValueObject,
  settings: ProviderSettings,
): ValueObject {
  const placed: Record<string, Value> = { ...planned };
  for (const name of places) {
    const attribute = attributes.get(name);
    if (attribute?.computed !== true || (config[name] ?? null) !== null) continue;
    const configuredValue = settings[name];
    if (configuredValue !== undefined) placed[name] = configuredValue;
    else if (prior === undefined && !keptOnly) {
      throw new InputError(
        `${name}-missing`,
        `${type} '${textValue(planned, "name")}' has no ${name}: set it here or in the provider block`,
      );
    }
  }
  return placed;
}
