import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createHttpClient } from "../http";
import { defined } from "../json/defined";
import { openCatalogue } from "./catalogue";
import { createCloudApi } from "./cloud-api";
import { providerHandlers } from "./handlers";
import { startPluginServer } from "./protocol";
import { openBindings, type ProviderRequirement } from "./schema";
import { userProjectOf } from "./settings";
import { createStandIn } from "./stand-in";
import { type StateBackend, startStateBackend } from "./state-backend";
import { surveyingStandIn } from "./survey";

export interface TerraformProviderOptions {
  /** URL of the cloud, for example `http://127.0.0.1:8080/`. Requests to all APIs go to this URL. */
  readonly cloudUrl: string;
  /**
   * Additional resource types of the bindings, which the stand-in keeps in the state alone.
   *
   * @default none: Terraform refuses a stack with such types
   */
  readonly alsoKept?: readonly string[];
  /**
   * Token for the cloud if the provider block has no token.
   *
   * @default "rehearsal"
   */
  readonly accessToken?: string;
  /** Function for HTTP requests. @default the `fetch` of Node */
  readonly fetch?: typeof fetch;
  /**
   * The google provider in the stack's `required_providers`. The stand-in has the schema of the installed bindings
   * that fit.
   *
   * @default the installed bindings with the highest version of the provider
   */
  readonly requirement?: ProviderRequirement;
  /**
   * Version of the provider whose behavior the stand-in follows, for example `7.41.0`.
   *
   * @default the version of the bindings
   */
  readonly behaviorOf?: string;
  /**
   * Returns the suffix of generated names, if a stack contains only a prefix: 26 characters of a-z and 0-9, different
   * for each call.
   *
   * @default random
   */
  readonly unique?: () => string;
  /**
   * Whether the stand-in only plans, and answers look-ups and imports without a cloud.
   *
   * @default false
   */
  readonly isSurvey?: boolean;
}

export interface TerraformProvider {
  /** Value of `TF_REATTACH_PROVIDERS`, with which Terraform and OpenTofu use the stand-in and install no provider. */
  readonly reattachConfig: string;
  /** Source addresses of the providers that the stand-in replaces. */
  readonly providerSources: readonly string[];
  /** Version of the provider whose schema the stand-in has, for example `6.50.0`. */
  readonly providerVersion: string;
  /** Resource types that the cloud has. */
  readonly cloudTypes: readonly string[];
  /** Resource types that only the stand-in keeps. */
  readonly keptTypes: readonly string[];
  readonly dataSources: readonly string[];
  readonly stateBackend: StateBackend;
  close(): Promise<void>;
}

/** The beta of the provider has the same types with a few additional arguments, which the stand-in does not have. */
const providerSources = ["registry.terraform.io", "registry.opentofu.org"].flatMap((registry) =>
  ["google", "google-beta"].map((name) => `${registry}/hashicorp/${name}`),
);

/**
 * Starts a stand-in for the google provider. Real Terraform, attached by `TF_REATTACH_PROVIDERS`, plans and applies
 * against a rehearsal cloud. This reproduces order, gates and state, but not the real provider's own rules beyond those
 * of the overlays.
 *
 * @throws InputError `bindings-missing` if no installed bindings fit; if they lack a type in `alsoKept`
 */
export async function startTerraformProvider(options: TerraformProviderOptions): Promise<TerraformProvider> {
  const bindings = openBindings(options.requirement);
  const catalogue = openCatalogue(bindings, options.alsoKept ?? [], options.behaviorOf);
  const http = createHttpClient({
    userAgent: "terraform-provider-stand-in",
    // `createCloudApi` already retries requests, as the provider does.
    retry: { maxAttempts: 1 },
    ...defined({ fetch: options.fetch }),
  });
  const ending = new AbortController();
  // Each request adds a listener and removes it later. Node.js would report more than ten listeners as a leak.
  setMaxListeners(0, ending.signal);
  const standIn = createStandIn(catalogue, options.unique ?? drawSuffix);
  const server = await startPluginServer(
    providerHandlers(catalogue, options.isSurvey === true ? surveyingStandIn(standIn, catalogue) : standIn, {
      accessToken: options.accessToken ?? "rehearsal",
      signal: ending.signal,
      openApi: (settings) =>
        createCloudApi({
          cloudUrl: options.cloudUrl,
          http,
          accessToken: settings.accessToken,
          userProject: (target, owner) => userProjectOf(settings, target, owner),
        }),
    }),
  );
  const stateBackend = await startStateBackend();
  const resources = [...catalogue.resources.values()];
  // `Test` prevents Terraform from ending the process.
  const address = { Network: "tcp", String: `127.0.0.1:${server.port}` };
  const reattach = { Protocol: "grpc", ProtocolVersion: 5, Pid: process.pid, Test: true, Addr: address };
  return {
    reattachConfig: JSON.stringify(Object.fromEntries(providerSources.map((source) => [source, reattach]))),
    providerSources,
    providerVersion: bindings.providerVersion,
    cloudTypes: resources.filter(({ keptOnly }) => !keptOnly).map(({ kind }) => kind.type),
    keptTypes: resources.filter(({ keptOnly }) => keptOnly).map(({ kind }) => kind.type),
    dataSources: [...catalogue.data.keys()],
    stateBackend,
    close: async () => {
      ending.abort();
      await Promise.all([server.close(), stateBackend.close()]);
    },
  };
}

function drawSuffix(): string {
  return randomUUID().replaceAll("-", "").slice(0, 26);
}
