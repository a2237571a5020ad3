import { InputError } from "../../errors";
import type { Bindings, Sections } from "./bindings";
import { deriveBlock } from "./derive";
import type { Block } from "./model";

/**
 * Returns the schema of a resource type, for example `google_compute_url_map`; undefined if the bindings have no such
 * type.
 */
export function resourceSchema(bindings: Bindings, type: string): Block | undefined {
  return schemaOfType(bindings, "", type);
}

/** Returns the schema of a data source; undefined if the bindings have no such type. */
export function dataSourceSchema(bindings: Bindings, type: string): Block | undefined {
  return schemaOfType(bindings, "data-google-", type);
}

/**
 * Returns the schema of the provider block, without `alias`. The bindings add `alias`, which Terraform itself handles.
 *
 * @throws InputError if the bindings have no provider
 */
export function providerSchema(bindings: Bindings): Block {
  const sections = bindings.read("provider");
  if (sections === undefined) throw new InputError("bindings-missing", "the bindings have no provider");
  const { attributes, blocks } = deriveBlock(sections, "GoogleProvider");
  return { attributes: new Map([...attributes].filter(([name]) => name !== "alias")), blocks };
}

function schemaOfType(bindings: Bindings, folderPrefix: string, type: string): Block | undefined {
  const name = /^google_([a-z0-9_]+)$/.exec(type)?.[1];
  const sections = name === undefined ? undefined : bindings.read(`${folderPrefix}${name.replaceAll("_", "-")}`);
  if (sections === undefined) return undefined;
  const className = classOfType(sections, type);
  return className === undefined ? undefined : deriveBlock(sections, className);
}

/** Returns the class of a type, for example `ComputeUrlMap` for `google_compute_url_map`. */
function classOfType(sections: Sections, type: string): string | undefined {
  for (const [name, code] of sections) {
    if (name.startsWith("class ") && code.includes(`tfResourceType = "${type}"`)) return name.slice("class ".length);
  }
  return undefined;
}
