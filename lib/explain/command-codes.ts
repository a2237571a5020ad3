import { type CodeTable, error } from "../findings/codes";

/** Codes for errors in a command line, its files and its output. */
export const commandLineErrors = {
  "command-unknown": error("The command does not exist", "use a command that the message or --help lists"),
  "option-unknown": error("The command has no such option", "see the command's --help"),
  "option-twice": error("An option that takes one value has two", "remove one of them"),
  "argument-missing": error("A required argument is missing", "add the argument; see the command's --help"),
  "argument-unexpected": error(
    "The command has too many arguments",
    "remove them, or quote arguments that contain blanks",
  ),
  "value-missing": error("An option has no value", "add the value after the option"),
  "value-not-allowed": error("The value of an option is not allowed", "use a value that the message lists"),
  "code-unknown": error("The code does not exist", "see the list that 'cert-migration explain' prints"),
  "duration-malformed": error("A value is not a valid duration", "use a number with ms, s, m or h, as in 60m"),
  "duration-out-of-range": error("A duration is out of range", "use a duration within the limits of the message"),
  "number-malformed": error("A value is not a number, or is out of range", "use a whole number within the range"),
  "source-missing": error("No option names the migration", "add an option that the message lists"),
  "source-twice": error("Several options name a migration", "keep one of the options"),
  "migration-unknown": error("The stack has no migration with this path", "use a path that the message lists"),
  "input-too-large": error(
    "Standard input or a file exceeds the size limit",
    "check that it is the right input, or split the input",
  ),
  "stdin-twice": error("Two options read standard input", "pass one of the inputs as a file"),
  "stdout-twice": error("Two options write to standard output", "write one of the results to a file"),
  "file-unreadable": error("A file or folder can't be read", "check its path and its permissions"),
  "file-too-large": error("A file exceeds the size limit", "check that it is the right file, or split the file"),
  "file-exists": error(
    "The output file exists and is not overwritten",
    "use another name, or the option that allows the command to overwrite files",
  ),
  "file-unwritable": error("A file can't be written", "check its folder, its permissions and the free disk space"),
  "output-unwritable": error(
    "The result can't be written",
    "check the pipe, file or disk that standard output is redirected to",
  ),
  "temporary-folder-unwritable": error(
    "The temporary folder can't be created",
    "free disk space there, or set TMPDIR to another folder",
  ),
  "input-invalid": error("The input is not valid", "follow the message"),
  "json-malformed": error("The input is not valid JSON", "pass the input that the message names"),
} as const satisfies CodeTable;

/** Codes of single commands. */
export const commandErrors = [
  {
    commands: ["cloud"],
    codes: {
      "project-inventory-malformed": error(
        "The inventory of a project is not valid",
        "write it with 'cert-migration inventory --project PROJECT --json', or fix the place that the message names",
      ),
    },
  },
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
      "address-malformed": error(
        "A value is not a valid IP address",
        "use an IP address such as 203.0.113.7 or 2001:db8::7",
      ),
      "address-missing": error(
        "The address of the load balancer is unknown",
        "add --address, or 'addresses' to the migration",
      ),
      "hostname-missing": error(
        "The command has no hostname to check",
        "add --hostname, or use a migration that has hostnames",
      ),
    },
  },
  {
    commands: ["wait"],
    codes: {
      "certificate-name-malformed": error(
        "A value is not a valid certificate name",
        "use projects/PROJECT/locations/LOCATION/certificates/NAME",
      ),
      "entry-name-malformed": error(
        "A value is not a valid name of a map entry",
        "use projects/PROJECT/locations/global/certificateMaps/MAP/certificateMapEntries/NAME",
      ),
      "kind-mismatch": error(
        "The names are of certificates, but --for waits for entries, or the other way round",
        "set --for to the kind of the names",
      ),
      "certificate-missing": error(
        "The command has no certificate to wait for",
        "name a certificate, or use a migration that has certificates",
      ),
      "entry-missing": error(
        "The command has no map entry to wait for",
        "name an entry, or use a migration that has entries",
      ),
    },
  },
  {
    commands: ["inventory"],
    codes: {
      "connect-malformed": error(
        "The value of --connect is not an IP address",
        "use an IP address; the port belongs to the host",
      ),
      "host-malformed": error("A value is not a valid host", "use HOST or HOST:PORT"),
      "host-is-wildcard": error(
        "A host is a wildcard, to which no connection is possible",
        "use a hostname that the wildcard matches",
      ),
      "host-port-malformed": error("The port of a host is not valid", "use 1 to 65535"),
      "hosts-too-many": error("The list has more hosts than one run allows", "split the list"),
      "project-id-malformed": error(
        "The id of a project is not valid",
        "use the id that the Cloud console shows, as in my-project",
      ),
      "adopt-unknown": error(
        "The value of --adopt is not a proxy of the migration",
        "use the name or the id of a proxy that the message lists; proxies that are left out can't be imported",
      ),
      "option-without-project": error(
        "An option needs a project",
        "give the id of the project with --project, or leave the option out",
      ),
      "ca-pool-malformed": error(
        "--ca-pool is not the name of a CA pool",
        "use projects/PROJECT/locations/LOCATION/caPools/POOL",
      ),
      "option-without-out": error(
        "An option changes the migration, but no migration is written",
        "give a file with --out, or leave the option out",
      ),
      "project-with-sources": error(
        "A project and files or servers are given together",
        "run the command once for the project, and once for the files and servers",
      ),
    },
  },
  {
    commands: ["check-plan"],
    codes: {
      "danger-unknown": error(
        "The code in --allow does not exist in check-plan",
        "use a code that 'cert-migration explain' lists for check-plan",
      ),
      "plan-malformed": error("The file is not a plan in JSON", "pass the output of 'terraform show -json PLAN'"),
    },
  },
  {
    commands: ["synth"],
    codes: {
      "synth-option-missing": error("An option of synth is missing", "add the options that the message names"),
      "module-name-invalid": error("The name is not valid for a module block", "use another name with --module"),
      "module-reference-unknown": error(
        "The migration refers to a resource outside of its module",
        "refer to a variable, and pass its value from the root module",
      ),
      "root-blocks-missing": error(
        "The migration imports existing resources, which a child module can't do",
        "add --root-blocks with a file of the root module",
      ),
      "root-blocks-unusable": error(
        "Terraform would not read the file of --root-blocks as a part of the root module",
        "give a file in the folder of the root module whose name ends with .tf.json",
      ),
      "module-folder-taken": error(
        "The folder of the module contains other Terraform files",
        "move them, or use another folder",
      ),
      "file-not-generated": error("A file exists and was not written by synth", "move the file, or use another name"),
    },
  },
  {
    commands: ["verify"],
    codes: {
      "client-certificate-incomplete": error(
        "A client certificate and its key are given by two options or two environment variables, and one of them is missing",
        "give both --client-certificate and --client-key, or both CERT_MIGRATION_CLIENT_CERTIFICATE and CERT_MIGRATION_CLIENT_KEY",
      ),
      "client-certificate-unusable": error(
        "The key of the client certificate does not fit the certificate, is encrypted, or can't be read",
        "give the certificate in PEM, and its unencrypted key",
      ),
      "trust-pool-missing": error(
        "--trust-pool is given, and no certificate of the migration comes from a CA pool",
        "remove the option, or give a migration with 'issuedBy'",
      ),
      "trust-pool-unknown": error(
        "The CA pool of a certificate can't be determined",
        "give the outputs of an apply, correct the issuance config, or trust the root with --ca",
      ),
      "trust-pool-empty": error("The CA pool has no CA", "create and enable a CA in the pool"),
      "trust-pool-denied": error(
        "The caller may not read the CA certificates of the CA pool",
        "grant roles/privateca.auditor on the pool, or trust the root with --ca",
      ),
      "key-type-unknown": error("The value of --key-type is not a key type", "use rsa or ecdsa"),
      "exact-impossible": error("--exact can't be checked here", "follow the message, or remove --exact"),
    },
  },
  {
    commands: ["watch"],
    codes: {
      "label-malformed": error("A label of a domain name is not valid", "use letters, digits and hyphens"),
    },
  },
  {
    commands: ["doctor"],
    codes: {
      "inventory-malformed": error("The file is not an inventory", "pass the output of 'inventory --json'"),
    },
  },
  {
    commands: ["status"],
    codes: {
      "verification-malformed": error("The file is not a result of verify", "pass the output of 'verify --json'"),
      "verification-twice": error("Two options contain the state of step 7", "keep one of the options"),
    },
  },
  {
    commands: ["verify", "check-plan"],
    codes: {
      "verify-log-malformed": error(
        "A line of the log of verifications can't be read",
        "pass the file that 'verify --log' wrote, or use another file for a new log",
      ),
    },
  },
  {
    commands: ["report"],
    codes: {
      "report-without-input": error("The report has no input", "add an option that the message lists"),
      "report-input-malformed": error(
        "A file is not in the format that the report reads",
        "pass the output of the command that the message names",
      ),
      "report-stopped": error("The report was stopped while a file was read", "run it again; nothing was written"),
    },
  },
  {
    commands: ["records"],
    codes: {
      "record-malformed": error(
        "The record of an authorization is not valid",
        "check the authorization in Google Cloud",
      ),
    },
  },
  {
    commands: ["every command"],
    codes: {
      "dns-server-malformed": error("A value is not a valid DNS server", "use an address, or HOST:PORT"),
      "outputs-malformed": error(
        "The file does not contain outputs in JSON",
        "pass the output of 'terraform output -json'",
      ),
      "outputs-without-migration": error(
        "The outputs do not contain a migration",
        "apply a stack with a migration first",
      ),
      "stack-malformed": error("The folder is not a synthesized stack", "use a folder in cdktf.out/stacks"),
      "stack-without-migration": error("The stack has no migration", "use a stack with a migration"),
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
