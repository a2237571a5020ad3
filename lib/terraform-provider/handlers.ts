import { parse } from "lossless-json";
import { BugError } from "../errors";
import type { ResourceCatalogue } from "./catalogue";
import type { CloudApi } from "./cloud-api";
import {
  decodeValue,
  diagnose,
  encodePath,
  encodeSchema,
  encodeValue,
  type Message,
  type MethodHandler,
} from "./protocol";
import type { ProviderSettings } from "./resources";
import { readSettings } from "./settings";
import type { Session, StandIn } from "./stand-in";
import { membersOf, type ValueObject } from "./value";

export interface HandlerOptions {
  /** Token for the cloud if the provider block has no token. */
  readonly accessToken: string;
  openApi(settings: ProviderSettings): CloudApi;
  /** Aborts when the stand-in ends. */
  readonly signal: AbortSignal;
}

/**
 * Maximum number of remembered connections. Each connection has one provider block, and lasts for one run of Terraform.
 */
const mostSessions = 1_000;

/** Returns the handlers of plugin protocol 5, by call name. */
export function providerHandlers(
  catalogue: ResourceCatalogue,
  standIn: StandIn,
  options: HandlerOptions,
): Readonly<Record<string, MethodHandler>> {
  const sessions = new Map<string, Session>();
  let schemas: Message | undefined;

  const session = (peer: string): Session => {
    const found = sessions.get(peer);
    if (found === undefined) throw new BugError("a call came before the provider was configured");
    return found;
  };

  return {
    GetSchema: () => {
      schemas ??= encodeSchemas(catalogue);
      return schemas;
    },

    GetMetadata: () => ({
      serverCapabilities,
      resources: [...catalogue.resources.keys()].map((typeName) => ({ typeName })),
      dataSources: [...catalogue.data.keys()].map((typeName) => ({ typeName })),
    }),

    PrepareProviderConfig: ({ config }) => ({ preparedConfig: config }),

    // Each provider block uses its own connection, so aliases can have their own projects.
    Configure: ({ config }, peer) => {
      const settings = readSettings(membersOf(decodeValue(config)), options.accessToken);
      sessions.delete(peer);
      sessions.set(peer, { settings, api: options.openApi(settings), signal: options.signal });
      const [oldest] = sessions.keys();
      if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
      return {};
    },

    ValidateResourceTypeConfig: ({ typeName, config }) => {
      standIn.validate(String(typeName), decodeValue(config));
      return {};
    },

    ValidateDataSourceConfig: () => ({}),

    UpgradeResourceState: ({ typeName, rawState }) => {
      const { json } = rawState as { readonly json: Buffer };
      const state = parse(json.toString("utf8"), undefined, readNumber) as ValueObject;
      return { upgradedState: encodeValue(standIn.upgrade(String(typeName), state)) };
    },

    ReadResource: async ({ typeName, currentState }, peer) => {
      const state = await standIn.read(String(typeName), decodeValue(currentState), session(peer));
      return { newState: encodeValue(state) };
    },

    PlanResourceChange: ({ typeName, priorState, proposedNewState, config }, peer) => {
      const [prior, proposed] = [decodeValue(priorState), decodeValue(proposedNewState)];
      const plan = standIn.plan(String(typeName), prior, proposed, decodeValue(config), session(peer));
      return { plannedState: encodeValue(plan.planned), requiresReplace: plan.replacements.map(encodePath) };
    },

    ApplyResourceChange: async ({ typeName, priorState, plannedState, config }, peer) => {
      const [prior, planned] = [decodeValue(priorState), decodeValue(plannedState)];
      const { state, error } = await standIn.apply(
        String(typeName),
        prior,
        planned,
        decodeValue(config),
        session(peer),
      );
      return {
        newState: encodeValue(state),
        diagnostics: error === undefined ? [] : diagnose(error),
        // The service may return another value of an attribute than the planned one.
        legacyTypeSystem: true,
      };
    },

    ImportResourceState: ({ typeName, id }, peer) => {
      const state = standIn.importState(String(typeName), String(id), session(peer));
      return { importedResources: [{ typeName, state: encodeValue(state) }] };
    },

    ReadDataSource: async ({ typeName, config }, peer) => ({
      state: encodeValue(await standIn.readData(String(typeName), decodeValue(config), session(peer))),
    }),

    // As with the real provider, operations in progress continue when Terraform is interrupted, so that its state
    // contains them.
    Stop: () => ({}),
  };
}

const serverCapabilities = { planDestroy: false, getProviderSchemaOptional: true } as const;

function encodeSchemas({ provider, resources, data }: ResourceCatalogue): Message {
  const encodeAll = (schemas: ResourceCatalogue["resources"] | ResourceCatalogue["data"]) =>
    Object.fromEntries([...schemas].map(([type, { schema }]) => [type, encodeSchema(schema)]));
  return {
    provider: encodeSchema(provider),
    resourceSchemas: encodeAll(resources),
    dataSourceSchemas: encodeAll(data),
    serverCapabilities,
  };
}

/** Reads a number. 64-bit identifiers are numbers in states, and exceed the integers that JSON.parse can represent. */
function readNumber(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
