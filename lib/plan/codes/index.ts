import { type CodeTable, error } from "../../findings/codes";

/** Codes for migration specs that cannot be read. */
export const documentErrors = {
  "document-empty": error(
    "The document says nothing",
    "write a migration, or let 'cert-migration inventory' write one",
  ),
  "document-several": error("A second document begins after '---'", "write one migration per file"),
  "document-syntax": error("The document is neither YAML nor JSON", "mend it at the line and column of the message"),
  "document-unquoted-wildcard": error("A wildcard stands without quotes", "put double quotes around it"),
  "document-too-large": error(
    "The document is longer than what is read",
    "divide it: 'splitMigration' makes stacks of one that is large",
  ),
  "document-too-many-values": error(
    "The document has more values than are read",
    "divide it, or repeat less by aliases",
  ),
  "document-duplicate-key": error("A key is given twice in the same place", "keep one of them"),
  "document-bad-alias": error("'*' begins an alias that can't be followed", "put the value in quotes, or write it out"),
  "document-too-deep": error("Lists and mappings are nested deeper than in any migration", "look at the indentation"),
  "document-more-problems": error("There are more problems than are told", "mend these first"),
  "document-missing-property": error("Something that must be said is not", "add the property that is named"),
  "document-unknown-property": error("A property is none of a migration", "use one of those that the message names"),
  "document-wrong-type": error("A value is of another kind", "give one of the kind that is named"),
  "document-value-not-allowed": error("A value is none of those that are allowed", "use one of them"),
  "document-out-of-range": error("A number or a length is out of its range", "use one within"),
  "document-empty-list": error("A list that must have an item is empty", "give one, or leave the property out"),
  "document-file-unreadable": error(
    "A file that the document names can't be read",
    "give its path from the folder of the document",
  ),
} as const satisfies CodeTable;

/** Codes for a migration that cannot be split into stacks. */
export const splitErrors = {
  "split-option-unknown": error("A split has no option of that name", "use one of those that the message names"),
  "split-limit-invalid": error("A limit of a split is missing or no whole number from 1", "give a whole number for it"),
  "split-assigned-invalid": error(
    "'assigned' does not say which stack each hostname is in",
    "give back what the split before had as 'assigned'",
  ),
  "split-group-too-large": error(
    "Certificates that can't be parted are more than one stack takes",
    "raise the limits, or part the certificates",
  ),
  "split-stack-full": error(
    "A stack can't take what it is assigned",
    "raise the limits, or take hostnames out of 'assigned' and move them by hand",
  ),
  "split-joins-stacks": error(
    "Hostnames that must be together are assigned to several stacks",
    "leave out what joins them, or take those of one stack out of 'assigned' and move them by hand",
  ),
  "split-proxy-shared": error(
    "Several stacks of a split would make or adopt one proxy, which takes one map",
    "give 'loadBalancerOf', so that each has its own",
  ),
  "split-address-shared": error(
    "Several stacks of a split would answer at one address, whose port 443 leads to one proxy",
    "give each an address of its own",
  ),
  "split-map-shared": error(
    "Several stacks of a split would fill one map that exists",
    "let each make its own, or raise 'maxEntriesPerMap'",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof documentErrors, true>, Record<keyof typeof splitErrors, true> {}
}
