import { tmpdir } from "node:os";
import { join } from "node:path";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { type App, TerraformStack, Testing } from "cdktf";

/** A stack as Terraform reads it. */
export interface SynthesizedStack {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, ResourceBlock>>>>;
  readonly output?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly import?: readonly { readonly to: string; readonly id: string }[];
  readonly check?: Readonly<Record<string, unknown>>;
  readonly variable?: Readonly<Record<string, unknown>>;
  readonly terraform?: { readonly required_version?: string };
}

export type ResourceBlock = Readonly<Record<string, unknown>>;

/** Returns an app. All apps share an output folder, because each default folder would remain on disk, empty. */
export function newApp(context?: Readonly<Record<string, unknown>>): App {
  return Testing.app({ outdir: join(tmpdir(), "cdktf-of-tests"), ...(context && { context }) });
}

/** A stack with a provider, to build in. */
export function newStack(app: App = newApp(), id = "prod", project: string | undefined = "my-project"): TerraformStack {
  const stack = new TerraformStack(app, id);
  new GoogleProvider(stack, "google", project === undefined ? {} : { project });
  return stack;
}

/** Synthesizes with validations, which `Testing.synth` leaves out unless asked. */
export function synthesize(stack: TerraformStack): SynthesizedStack {
  return JSON.parse(Testing.synth(stack, true)) as SynthesizedStack;
}

/** Returns the resources of a type by logical id. */
export function resourcesOf(synthesized: SynthesizedStack, type: string): Readonly<Record<string, ResourceBlock>> {
  return synthesized.resource?.[type] ?? {};
}

/** The only resource of a type that a test has made. */
export function onlyResource(synthesized: SynthesizedStack, type: string): ResourceBlock {
  const resources = Object.values(resourcesOf(synthesized, type));
  if (resources.length !== 1) throw new Error(`there are ${resources.length} of ${type}, expected one`);
  return resources[0] as ResourceBlock;
}

/** Address of the only resource of a type. */
export function onlyAddress(synthesized: SynthesizedStack, type: string): string {
  return `${type}.${Object.keys(resourcesOf(synthesized, type))[0]}`;
}
