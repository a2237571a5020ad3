import { ownKit } from "../../lib/constructs/kit";

export type Package = typeof import("cdktf");
export type Entry = typeof import("../../lib");

/** The kit that the tested entry does not use. Loaded by its path, because jest replaces cdktf with cdktn. */
export const otherPackage: Package = require(ownKit.name === "cdktf" ? "cdktn" : "../../node_modules/cdktf");

/** An entry of this package with a kit and bindings, loaded apart from those of the test. */
export interface Loaded {
  readonly kit: Package;
  readonly entry: Entry;
  readonly provider: typeof import("@cdktf/provider-google/lib/provider");
  readonly proxies: typeof import("@cdktf/provider-google/lib/compute-target-https-proxy");
  readonly regionalProxies: typeof import("@cdktf/provider-google/lib/compute-region-target-https-proxy");
  readonly maps: typeof import("@cdktf/provider-google/lib/certificate-manager-certificate-map");
  readonly zones: typeof import("@cdktf/provider-google/lib/dns-managed-zone");
  readonly buckets: typeof import("@cdktf/provider-google/lib/logging-project-bucket-config");
}

/**
 * Loads an entry.
 *
 * @param kit replaces the kit of the tests. @default - another copy of the tests' kit
 * @param version replaces the version of the package. @default - the same version
 */
export function loadEntry(kit?: Package, version?: string): Loaded {
  const installed = "../../lib/constructs/installed";
  let loaded: Loaded | undefined;
  jest.isolateModules(() => {
    if (kit !== undefined) jest.doMock("cdktf", () => kit);
    if (version !== undefined) {
      jest.doMock(installed, () => ({ ...jest.requireActual(installed), packageVersion: version }));
    }
    loaded = {
      kit: require("cdktf"),
      entry: require("../../lib"),
      provider: require("@cdktf/provider-google/lib/provider"),
      proxies: require("@cdktf/provider-google/lib/compute-target-https-proxy"),
      regionalProxies: require("@cdktf/provider-google/lib/compute-region-target-https-proxy"),
      maps: require("@cdktf/provider-google/lib/certificate-manager-certificate-map"),
      zones: require("@cdktf/provider-google/lib/dns-managed-zone"),
      buckets: require("@cdktf/provider-google/lib/logging-project-bucket-config"),
    };
    jest.dontMock("cdktf").dontMock(installed);
  });
  return loaded as Loaded;
}

/** Returns a stack with a provider, in a new app. */
export function stackOf({ kit, provider }: Loaded) {
  const stack = new kit.TerraformStack(kit.Testing.app(), "prod");
  new provider.GoogleProvider(stack, "google", { project: "my-project" });
  return stack;
}
