import { defined } from "../json/defined";
import { type Fields, fieldsOf, isFields, listOf } from "../json/fields";
import { isReference } from "../plan";

/** A resource or data source in a synthesized stack. */
export interface StackResource {
  /** Address in Terraform, for example `google_compute_url_map.web` or `data.google_compute_url_map.web`. */
  readonly address: string;
  /** For example `google_compute_url_map`. */
  readonly type: string;
  /** Whether a data source looks the resource up, so that Terraform does not create it. */
  readonly isLookedUp: boolean;
  /** Attributes as in the file; references to other resources are not resolved. */
  readonly values: Fields;
  /** Project of the resource, or else of its provider. @default - known only to Terraform */
  readonly project?: string;
  /** Region of the resource, or else of its provider. @default - known only to Terraform */
  readonly region?: string;
  /** Identifier of the existing object that Terraform imports. @default - not imported */
  readonly importId?: string;
}

/** The resources of a synthesized stack. */
export interface StackContents {
  readonly resources: readonly StackResource[];
  /**
   * Resolves a text with a reference to a resource of the stack; returns undefined if only Terraform knows the value.
   */
  readonly resolve: (text: string) => string | undefined;
}

/**
 * Reads all resources and data sources of a stack.
 *
 * @param stack content of `cdk.tf.json`
 * @param defaultProject project of resources that name none, and whose provider names none
 */
export function readStackContents(
  stack: Fields,
  defaultProject: string | undefined,
  resolve: StackContents["resolve"],
): StackContents {
  const imports = new Map(
    listOf(stack.import).flatMap((block) => {
      const { to, id } = fieldsOf(block);
      return typeof to === "string" && typeof id === "string" && !isReference(id) ? [[to, id] as const] : [];
    }),
  );
  const read = (blocks: unknown, isLookedUp: boolean) =>
    Object.entries(fieldsOf(blocks)).flatMap(([type, byName]) =>
      Object.entries(fieldsOf(byName)).flatMap(([name, values]): StackResource[] => {
        if (!isFields(values)) return [];
        const address = `${isLookedUp ? "data." : ""}${type}.${name}`;
        const [project, region] = [
          settingOf(stack, values, "project") ?? defaultProject,
          settingOf(stack, values, "region"),
        ].map((text) => (text === undefined ? undefined : resolve(text)));
        const known = defined({ project, region, importId: imports.get(address) });
        return [{ address, type, isLookedUp, values, ...known }];
      }),
    );
  return { resources: [...read(stack.resource, false), ...read(stack.data, true)], resolve };
}

/** Returns a setting of a resource: its own, or else the setting of its provider, which an alias may choose. */
export function settingOf(stack: Fields, values: Fields, setting: "project" | "region"): string | undefined {
  const alias = /^google\.(.+)$/.exec(String(values.provider ?? ""))?.[1];
  const providers = [fieldsOf(stack.provider).google].flat().map(fieldsOf);
  const setValue = values[setting] ?? providers.find((provider) => provider.alias === alias)?.[setting];
  return typeof setValue === "string" && setValue !== "" ? setValue : undefined;
}
