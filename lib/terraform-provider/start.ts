import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createHttpClient } from "../http";
import { openCatalogue } from "./catalogue";
import { createCloudApi } from "./cloud-api";
import { providerHandlers } from "./handlers";
import { startPluginServer } from "./protocol";
import { providerVersionOf } from "./provider-version";
import { openBindings } from "./schema";
import { userProjectOf } from "./settings";
import { createStandIn } from "./stand-in";
import { type StateBackend, startStateBackend } from "./state-backend";

export interface TerraformProviderOptions {
  /** Where the cloud answers, as in `http://127.0.0.1:8080/`. Every API is asked at this one address. */
  readonly cloudUrl: string;
  /**
   * Resource types of the bindings, beside those that the stand-in knows, that it keeps itself.
   *
   * @default none: Terraform refuses a stack that has them
   */
  readonly alsoKept?: readonly string[];
  /**
   * Token for the cloud where the provider block names none.
   *
   * @default "rehearsal"
   */
  readonly accessToken?: string;
  /** @default the `fetch` of Node */
  readonly fetch?: typeof fetch;
  /**
   * What the stack's `required_providers` states for the google provider, as in `~> 7.30`: the stand-in behaves as that version, with the schema of the
   * bindings that are installed.
   *
   * @default the version of the bindings
   */
  readonly versionConstraint?: string;
  /** In milliseconds: how long ago a log bucket was deleted. @default the machine's clock */
  readonly now?: () => number;
  /** Ends the names that the provider makes up, where a stack gives a prefix alone: 26 of a-z and 0-9, never the same. @default drawn */
  readonly unique?: () => string;
}

export interface TerraformProvider {
  /** Value of `TF_REATTACH_PROVIDERS`: with it, Terraform and OpenTofu use the stand-in and install no provider. */
  readonly reattachConfig: string;
  /** The addresses that it answers for. */
  readonly providerSources: readonly string[];
  /** Version of the provider whose schema it has, as in `6.50.0`. */
  readonly providerVersion: string;
  /** Resource types that the cloud has. */
  readonly cloudTypes: readonly string[];
  /** Resource types that the stand-in only keeps. */
  readonly keptTypes: readonly string[];
  readonly dataSources: readonly string[];
  readonly stateBackend: StateBackend;
  close(): Promise<void>;
}

/** The beta of the provider has the same types, with a few arguments more: those are not known here. */
const providerSources = ["registry.terraform.io", "registry.opentofu.org"].flatMap((registry) =>
  ["google", "google-beta"].map((name) => `${registry}/hashicorp/${name}`),
);

/**
 * Stands in for the google provider: real Terraform, attached by `TF_REATTACH_PROVIDERS`, plans and applies against a rehearsal cloud. What it shows
 * is order, gates and state; what it can't show is the real provider's own rules beyond those of its overlays.
 *
 * @throws InputError if the bindings of the provider are not installed, or have no such type as is to be kept
 */
export async function startTerraformProvider(options: TerraformProviderOptions): Promise<TerraformProvider> {
  const bindings = openBindings();
  const catalogue = openCatalogue(bindings, options.alsoKept ?? [], {
    version: providerVersionOf(options.versionConstraint, bindings.providerVersion),
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const http = createHttpClient({
    userAgent: "terraform-provider-stand-in",
    // Requests are repeated as the provider repeats them, by the API of the cloud.
    retry: { maxAttempts: 1 },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const ending = new AbortController();
  // Each request of each Terraform listens to it, and none of them stays: Node takes more than ten for a leak.
  setMaxListeners(0, ending.signal);
  const server = await startPluginServer(
    providerHandlers(catalogue, createStandIn(catalogue, options.unique ?? drawName), {
      accessToken: options.accessToken ?? "rehearsal",
      signal: ending.signal,
      openApi: (settings) =>
        createCloudApi({
          cloudUrl: options.cloudUrl,
          http,
          accessToken: settings.accessToken,
          userProject: (target) => userProjectOf(settings, target),
        }),
    }),
  );
  const stateBackend = await startStateBackend();
  const kinds = [...catalogue.resources.values()].map(({ kind }) => kind);
  return {
    reattachConfig: JSON.stringify(
      Object.fromEntries(providerSources.map((source) => [source, reattach(server.port)])),
    ),
    providerSources,
    providerVersion: bindings.providerVersion,
    cloudTypes: kinds.filter(({ keptOnly }) => !keptOnly).map(({ type }) => type),
    keptTypes: kinds.filter(({ keptOnly }) => keptOnly).map(({ type }) => type),
    dataSources: [...catalogue.data.keys()],
    stateBackend,
    close: async () => {
      ending.abort();
      await Promise.all([server.close(), stateBackend.close()]);
    },
  };
}

function drawName(): string {
  return randomUUID().replaceAll("-", "").slice(0, 26);
}

/** `Test` keeps Terraform from ending the process. */
function reattach(port: number): object {
  return {
    Protocol: "grpc",
    ProtocolVersion: 5,
    Pid: process.pid,
    Test: true,
    Addr: { Network: "tcp", String: `127.0.0.1:${port}` },
  };
}
