import { type CodeTable, error } from "../findings/codes";

/** Codes for errors in a command line, its files and its output. */
export const commandLineErrors = {
  "command-unknown": error("There is no command of that name", "take one of those that the message or --help names"),
  "option-unknown": error("The command has no such option", "look at its --help"),
  "option-twice": error("An option of one value is given two", "leave one of them out"),
  "argument-missing": error("An argument that must be given is not", "give it, as in the command's --help"),
  "argument-unexpected": error("There are more arguments than the command takes", "leave them out, or quote blanks"),
  "value-missing": error("An option stands without its value", "give it behind the option"),
  "value-not-allowed": error("A value is none of those that are allowed", "use one of those that the message names"),
  "code-unknown": error("Nothing is found by that code", "look at the list of 'cert-migration explain'"),
  "duration-malformed": error("A time is not written as one", "use a number with ms, s, m or h, as in 60m"),
  "duration-out-of-range": error("A time is shorter or longer than is allowed", "use one within the limits"),
  "number-malformed": error("A number is not one, or out of its range", "use a whole number within the range"),
  "source-missing": error("Nothing says what the migration is", "give one of the options that the message names"),
  "source-twice": error("More than one thing says what the migration is", "give one of the options alone"),
  "migration-unknown": error("The stack has no migration of that path", "use one of those that the message names"),
  "input-too-large": error("Standard input or a file is larger than what is read", "give the right one, or divide it"),
  "stdin-twice": error("Two inputs are to come from standard input", "give one of them as a file"),
  "stdout-twice": error("Two results are to go to standard output", "write one of them to a file"),
  "file-unreadable": error("A file or folder can't be read", "look at its path and its permissions"),
  "file-too-large": error("A file is larger than what is read", "give the right one, or divide it"),
  "file-exists": error(
    "A file is there already and is not replaced",
    "give another name, or leave to replace it where the command takes that",
  ),
  "file-unwritable": error("A file can't be written", "look at its folder, its permissions and the room on the disk"),
  "output-unwritable": error(
    "The result can't be written",
    "look at the pipe, file or disk that standard output goes to",
  ),
  "temporary-folder-unwritable": error("No temporary folder can be made", "make room there, or set TMPDIR to another"),
  "input-invalid": error("The input is not valid", "do what the message says"),
  "json-malformed": error("What should be JSON is not", "give what the message names"),
} as const satisfies CodeTable;

/** Codes of single commands. */
export const commandErrors = [
  {
    commands: ["audit list", "audit tail", "audit guard", "verify"],
    codes: {
      "service-account-missing": error(
        "The credentials can't impersonate an administrator: they don't belong to a service account",
        "name a service account with --service-account, on which you have roles/iam.serviceAccountTokenCreator",
      ),
      "signing-refused": error(
        "IAM Credentials refused to sign for the service account",
        "grant roles/iam.serviceAccountTokenCreator on the service account, and enable iamcredentials.googleapis.com",
      ),
      "delegation-refused": error(
        "Google's token service refused the domain-wide delegation",
        "authorize the client ID of the service account for the scope in the Admin console, and name an active administrator",
      ),
    },
  },
  {
    commands: ["verify", "watch"],
    codes: {
      "address-malformed": error("What should be an IP address is none", "use one as in 203.0.113.7 or 2001:db8::7"),
      "address-missing": error("Nobody says where the load balancer answers", "give --address, or state 'addresses'"),
      "hostname-missing": error("There is no hostname to look at", "give --hostname, or a migration that has some"),
    },
  },
  {
    commands: ["wait"],
    codes: {
      "certificate-name-malformed": error(
        "What should be the name of a certificate is none",
        "use projects/PROJECT/locations/LOCATION/certificates/NAME",
      ),
      "entry-name-malformed": error(
        "What should be the name of a map entry is none",
        "use projects/PROJECT/locations/global/certificateMaps/MAP/certificateMapEntries/NAME",
      ),
      "kind-mismatch": error(
        "Certificates are named where entries are waited for, or the other way round",
        "give --for the kind that is named",
      ),
      "certificate-missing": error(
        "There is no certificate to wait for",
        "name one, or give a migration that has some",
      ),
      "entry-missing": error("There is no map entry to wait for", "name one, or give a migration that has some"),
    },
  },
  {
    commands: ["inventory"],
    codes: {
      "connect-malformed": error("The address of --connect is no IP address", "give one; a port stands with the host"),
      "host-malformed": error("A host is none", "use HOST or HOST:PORT"),
      "host-is-wildcard": error("Nobody can connect to a wildcard", "give a name under it"),
      "host-port-malformed": error("The port of a host is none", "use 1 to 65535"),
      "hosts-too-many": error("There are more hosts than are asked in one run", "divide the list"),
    },
  },
  {
    commands: ["check-plan"],
    codes: {
      "danger-unknown": error("--allow names no danger of check-plan", "use a code that explain lists for check-plan"),
      "plan-malformed": error("The plan is not what Terraform prints", "give what 'terraform show -json PLAN' prints"),
    },
  },
  {
    commands: ["synth"],
    codes: {
      "synth-option-missing": error("An option of synth is missing", "give the options that the message names"),
      "module-name-invalid": error("The name can't name a module block", "give another one with --module"),
      "module-reference-unknown": error(
        "The migration refers to a resource outside of its module",
        "refer to a variable, and pass its value from the root module",
      ),
      "root-blocks-missing": error(
        "The migration imports existing resources, which a child module can't do",
        "give --root-blocks with a file of the root module",
      ),
      "module-folder-taken": error(
        "The folder of the module has other Terraform files",
        "move them, or give another folder",
      ),
      "file-not-generated": error("A file exists and was not written by synth", "move it, or give another name"),
    },
  },
  {
    commands: ["verify"],
    codes: {
      "key-type-unknown": error("--key-type is no kind of key", "use rsa or ecdsa"),
      "exact-impossible": error("--exact can't be judged here", "do what the message says, or leave it out"),
    },
  },
  {
    commands: ["watch"],
    codes: {
      "label-malformed": error("A label of a domain name is none", "use letters, digits and hyphens"),
    },
  },
  {
    commands: ["doctor"],
    codes: {
      "inventory-malformed": error("The file is no inventory", "give what 'inventory --json' has written"),
    },
  },
  {
    commands: ["status"],
    codes: {
      "verification-malformed": error("The file is no result of verify", "give what 'verify --json' has written"),
      "verification-twice": error("Two options say how step 7 stands", "give one of them"),
    },
  },
  {
    commands: ["report"],
    codes: {
      "report-without-input": error("There is nothing to report on", "give one of the options that the message names"),
      "report-input-malformed": error(
        "A file of the report is not what it should be",
        "give what the command has written",
      ),
      "report-stopped": error("The report was stopped while a file was read", "run it again; nothing was written"),
    },
  },
  {
    commands: ["records"],
    codes: {
      "record-malformed": error(
        "A record that Google gave can't be written as one",
        "look at the authorization in Google Cloud",
      ),
    },
  },
  {
    commands: ["every command"],
    codes: {
      "dns-server-malformed": error("A DNS server is not written as one", "use an address, or HOST:PORT"),
      "outputs-malformed": error(
        "The outputs are not what Terraform prints",
        "give what 'terraform output -json' prints",
      ),
      "outputs-without-migration": error(
        "The outputs are of a stack without a migration",
        "apply a stack with one first",
      ),
      "stack-malformed": error("The stack is no synthesized one", "name a folder of cdktf.out/stacks"),
      "stack-without-migration": error("The stack has no migration", "name one that has"),
    },
  },
] as const satisfies readonly { readonly commands: readonly string[]; readonly codes: CodeTable }[];

/** Codes of the tables in a union of tables. */
type CodesOf<Table> = Table extends unknown ? keyof Table : never;

declare module "../findings/codes" {
  interface Codes
    extends Record<keyof typeof commandLineErrors, true>,
      Record<CodesOf<(typeof commandErrors)[number]["codes"]>, true> {}
}
