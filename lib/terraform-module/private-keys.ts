import { type Fields, fieldsOf } from "../json/fields";
import { keyRule } from "./input-roles";
import { validationsOf } from "./inputs";

type Blocks = Readonly<Record<string, Readonly<Record<string, Fields>>>>;
type Variables = Readonly<Record<string, Fields>>;

export const certificateType = "google_certificate_manager_certificate";
/** The key in the state, and the key that Terraform stores nowhere. */
const keyAttributes = ["pem_private_key", "pem_private_key_wo"] as const;

/**
 * Replaces private keys in uploaded certificates by sensitive variables. The names of the certificates stay those that
 * the key in the spec determines, so that another key still makes another certificate.
 *
 * @param variables variables of keys that the spec already names
 * @returns the resources without keys, and all variables of keys
 */
export function withKeyVariables(
  resource: Blocks,
  variables: Variables,
): { readonly resource: Blocks; readonly variables: Variables } {
  const all: Record<string, Fields> = Object.fromEntries(
    Object.entries(variables).map(([name, block]) => [name, { ...block, ...checkedKey(name) }]),
  );
  const certificates = Object.entries(resource[certificateType] ?? {}).map(([id, block]) => {
    const uploaded = fieldsOf(block.self_managed);
    const [, given] = /^\$\{var\.([A-Za-z0-9_-]+)\}$/.exec(String(uploaded.pem_private_key_wo ?? "")) ?? [];
    if (given !== undefined) all[given] ??= keyVariable(given, block, "pem_private_key_wo");
    const attribute = keyAttributes.find((keyAttribute) =>
      String(uploaded[keyAttribute] ?? "").includes("PRIVATE KEY"),
    );
    if (attribute === undefined) return [id, block] as const;
    const variable = freeName(`private_key_${String(block.name).replace(/-[0-9a-f]{12}$/, "")}`, all);
    all[variable] = keyVariable(variable, block, attribute);
    return [id, { ...block, self_managed: { ...uploaded, [attribute]: `\${var.${variable}}` } }] as const;
  });
  if (certificates.length === 0) return { resource, variables: all };
  return { resource: { ...resource, [certificateType]: Object.fromEntries(certificates) }, variables: all };
}

function keyVariable(variable: string, { name }: Fields, attribute: (typeof keyAttributes)[number]): Fields {
  return {
    description: `Private key in PEM of the certificate ${String(name)}`,
    ...(attribute === "pem_private_key_wo" ? { ephemeral: true } : {}),
    sensitive: true,
    type: "string",
    ...checkedKey(variable),
  };
}

function checkedKey(variable: string): Fields {
  return { nullable: false, validation: validationsOf(variable, [{ path: "", rule: keyRule }]) };
}

function freeName(wanted: string, taken: Variables): string {
  const name = wanted.replace(/[^A-Za-z0-9_]/g, "_");
  let free = name;
  for (let number = 2; free in taken; number += 1) free = `${name}_${number}`;
  return free;
}
