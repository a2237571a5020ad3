import { type CodeTable, error } from "../../findings/codes";

/** Codes for errors of the stand-in for the google provider. */
export const providerErrors = {
  "resource-type-unknown": error(
    "The stand-in does not know a type of the stack",
    "leave it out, or run against the real provider",
  ),
  "operation-timeout": error(
    "An operation of the rehearsal cloud did not end in time",
    "raise the timeout of the resource",
  ),
  "operation-failed": error("An operation of the rehearsal cloud failed", "read its message"),
  "exactly-one-of": error("Exactly one of several attributes must be set", "set one of the attributes of the message"),
  "certificate-link-invalid": error("A link of a target proxy is not a certificate", "use the id of a certificate"),
  "routing-policy-not-emulated": error("The stand-in does not support routing policies", "use 'rrdatas'"),
  conflicting: error("Attributes that exclude each other are set", "set one of them"),
  "project-missing": error("A resource has no project", "set it on the resource or in the provider block"),
  "region-missing": error("A resource has no region", "set it on the resource or in the provider block"),
  "zone-missing": error("A resource has no zone", "set it on the resource or in the provider block"),
  "not-found": error("The resource does not exist", "create it, or correct its name"),
  "deletion-prevented": error(
    "The deletion policy of a resource prevents its deletion",
    "set deletion_policy to DELETE in an apply of its own",
  ),
  "deletion-protected": error(
    "The deletion protection of a CA prevents its deletion",
    "set deletion_protection to false in an apply of its own",
  ),
  "import-id-invalid": error("The id of an import is not valid", "use a format that the message names"),
  "bindings-missing": error(
    "No installed bindings fit the google provider that the stack requires",
    "install the package that the message names; the stand-in reads the provider's schema from it",
  ),
  "bindings-unreadable": error(
    "The installed bindings of the google provider lack their version or their source maps",
    "install them again, without a step that removes source maps",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof providerErrors, true> {}
}
