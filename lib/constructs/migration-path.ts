import type { Construct } from "constructs";
import { isNamed } from "./kit";

/** Construct id that the kits leave out of Terraform's addresses. */
export const defaultId = "Default";

/**
 * Returns the path of the construct that a user created: of `WildcardCertWithAuth` for the migration in it, otherwise
 * of the migration itself. The default of the migration's name, the key in the output, and messages have this path.
 */
export function migrationPath({ node }: Construct): string {
  const { id, scope, path } = node;
  return id === defaultId && scope !== undefined && isNamed(scope, "WildcardCertWithAuth") ? scope.node.path : path;
}
