import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startClosedProxy, throughProxy } from "../../lib/rehearsal/closed-proxy";
import { realProviderArguments, realProviderEnvironment, startTerraformProvider } from "../../lib/terraform-provider";
import type { Connect } from "./run-stacks";

/** Host that the provider queries for the owner of its token, for its log. An error does not stop the provider. */
const userInfoHost = "openidconnect.googleapis.com:443";

/** Connects the real provider of a mirror. A closed proxy rejects all its other requests. */
export function realConnection(mirror: string, version: string): Connect {
  return async ({ url, trustBundlePem = "" }) => {
    const folder = await mkdtemp(join(tmpdir(), "provider-trust-"));
    const trustFile = join(folder, "trust.pem");
    await writeFile(trustFile, trustBundlePem);
    const refused: string[] = [];
    const proxy = await startClosedProxy((host) => refused.push(host));
    return {
      version,
      providerArguments: realProviderArguments({ cloudUrl: url }),
      environment: {
        ...realProviderEnvironment({ cloudUrl: url }),
        ...throughProxy(proxy.url),
        SSL_CERT_FILE: trustFile,
      },
      initialization: ["init", "-input=false", "-no-color", `-plugin-dir=${resolve(mirror)}`],
      [Symbol.asyncDispose]: async () => {
        await proxy.close();
        await rm(folder, { recursive: true, force: true });
        const others = refused.filter((host) => host !== userInfoHost);
        if (others.length > 0) throw new Error(`the provider asked outside of the machine: ${others.join(", ")}`);
      },
    };
  };
}

/** Connects the stand-in. @param version version in the stack's `required_providers` */
export function standInConnection(version: string): Connect {
  return async ({ url }) => {
    const provider = await startTerraformProvider({ cloudUrl: url });
    return {
      version,
      providerArguments: {},
      environment: { TF_REATTACH_PROVIDERS: provider.reattachConfig },
      [Symbol.asyncDispose]: () => provider.close(),
    };
  };
}
