import { type CodeMeaning, error } from "../../findings/codes";

type Codes = Readonly<Record<string, CodeMeaning>>;

/** Codes for a migration that cannot be split into stacks. */
export const splitErrors: Codes = {
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
};

/** Codes for errors of constructs, in addition to the checks of the plan. */
export const constructErrors: Codes = {
  "dns-missing": error("'dns' is no DnsPublication", "use DnsPublication.cloudDns or DnsPublication.external"),
  "kit-mixed": error(
    "Constructs of cdktf and of cdktn (CDK Terrain) are used together",
    "import this package, the kit and the bindings as the message says: one app has one kit",
  ),
  "kit-missing": error(
    "A package that the constructs need is not installed",
    "run the command that the message names, or import from the entry of the other kit",
  ),
  "authorization-in-two-stacks": error(
    "Two stacks would own the authorization of one domain",
    "pass the first one's id to the second as existingAuthorizations",
  ),
  "authorization-types-differ": error("Two constructs want one authorization of two types", "give both the same type"),
  "authorization-labels-differ": error(
    "Two constructs label one authorization differently",
    "give both the same labels",
  ),
  "authorization-zones-differ": error("Two constructs publish one record in two zones", "give both the same zone"),
  "fixed-record-in-two-projects": error(
    "Two projects prove one domain by the same CNAME, with other data",
    "use authorizationType PER_PROJECT_RECORD",
  ),
  "entry-in-two-constructs": error("Two constructs have an entry for one name in one map", "keep one, or use two maps"),
  "shared-id-taken": error("A construct has the id that shared resources of the stack use", "give it another id"),
  "hcl-output-unsupported": error("SYNTH_HCL_OUTPUT is set, and cdktf can't write the stack as HCL", "unset it"),
  "rehearsal-context-unknown": error(
    "The context of a rehearsal is not understood",
    "use the same version on both sides",
  ),
};
