import { permissionsOf as readPermissionsOf } from "../docs/generate/permissions";

/** Permissions of methods whose name differs from the method's. Source: the reference of each method. */
const others: Readonly<Record<string, readonly string[]>> = {
  "serviceusage.services.list": ["serviceusage.services.list"],
  "logging.entries.list": ["logging.logEntries.list"],
};

/** IAM names of verbs that differ from the verb of the method. */
const verbs: Readonly<Record<string, string>> = { insert: "create", patch: "update", createAsync: "create" };

/** Returns the IAM permissions of methods, sorted. */
export function permissionsOf(methods: readonly string[]): readonly string[] {
  const all = methods.flatMap((method) => {
    const other = others[method];
    if (other !== undefined) return other;
    if (/\.(?:testIamPermissions)$/.test(method)) return [];
    return readPermissionsOf(method).map((permission) => {
      const at = permission.lastIndexOf(".");
      const verb = permission.slice(at + 1);
      return `${permission.slice(0, at)}.${verbs[verb] ?? verb}`;
    });
  });
  return [...new Set(all)].sort();
}
