import { type CodeTable, error } from "../../findings/codes";

/** Codes for migration specs that cannot be read. */
export const documentErrors = {
  "document-empty": error(
    "The document is empty",
    "write a migration, or generate a migration with 'cert-migration inventory'",
  ),
  "document-not-text": error(
    "The document is a binary file, for example an image or an archive",
    "name the YAML or JSON file of the migration",
  ),
  "document-several": error("A second document begins after '---'", "write one migration per file"),
  "document-syntax": error(
    "The document is neither YAML nor JSON",
    "fix the syntax at the line and column of the message",
  ),
  "document-unquoted-wildcard": error("A wildcard is not quoted", "put double quotes around it"),
  "document-too-large": error(
    "The document exceeds the size limit",
    "split it: 'splitMigration' divides a large migration into stacks",
  ),
  "document-too-many-values": error("The document has more values than are read", "split it, or use fewer aliases"),
  "document-duplicate-key": error("A key appears twice in the same mapping", "keep one of them"),
  "document-bad-alias": error(
    "'*' begins an alias that does not exist",
    "put the value in quotes, or write the value instead of the alias",
  ),
  "document-too-deep": error("Lists and mappings are nested too deeply", "check the indentation"),
  "document-more-problems": error(
    "The document has more problems than are reported",
    "fix the reported problems first",
  ),
  "document-file-unreadable": error(
    "A file that the document names can't be read",
    "use a path relative to the folder of the document",
  ),
} as const satisfies CodeTable;

/** Codes for a migration that cannot be split into stacks. */
export const splitErrors = {
  "split-option-unknown": error("The split has no option with this name", "use an option that the message lists"),
  "split-limit-invalid": error(
    "A limit of a split is missing or is not a whole number from 1",
    "set the limit to a whole number",
  ),
  "split-assigned-invalid": error(
    "'assigned' does not contain the stack of each hostname",
    "pass the value of 'assigned' that the previous split returned",
  ),
  "split-group-too-large": error(
    "Certificates that must be together exceed the limits of one stack",
    "raise the limits, or divide the certificates",
  ),
  "split-stack-full": error(
    "A stack can't contain all hostnames that are assigned to it",
    "raise the limits, or remove hostnames from 'assigned' and move them manually",
  ),
  "split-joins-stacks": error(
    "Hostnames that must be together are assigned to several stacks",
    "remove what joins them, or remove the hostnames of one stack from 'assigned' and move them manually",
  ),
  "split-proxy-shared": error(
    "Several stacks of a split would create or adopt the same proxy, which has one map",
    "set 'loadBalancerOf', so that each stack has its own proxy",
  ),
  "split-address-shared": error(
    "Several stacks of a split would use the same address, whose port 443 leads to one proxy",
    "give each stack its own address",
  ),
  "split-map-shared": error(
    "Several stacks of a split would add entries to the same existing map",
    "let each stack create its own map, or raise 'maxEntriesPerMap'",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof documentErrors, true>, Record<keyof typeof splitErrors, true> {}
}
