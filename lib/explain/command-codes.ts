import { type CodeTable, error, info, warning } from "../findings/codes";

/** Codes for errors in a command line, its files and its output. */
export const commandLineErrors = {
  "node-unsupported": error(
    "The version of Node is not supported",
    "install the version that the message names, or select it with your version manager",
  ),
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
  "format-twice": error("Two options choose the format of the result", "keep one of the options"),
  "format-without-check": error(
    "The chosen format is for the result of a check, and nothing is checked",
    "add the option that the message names, or choose another format",
  ),
  "module-stale": error(
    "A file of the module is missing, or differs from the result of the spec",
    "run 'cert-migration synth' without --check, and commit the result",
  ),
  "run-task-key-missing": error("No HMAC key is given for a run task", "write the key into a file, and name the file"),
  "run-task-input": error("An input of a run task is standard input, which can be read once", "pass a file"),
  "run-task-request-invalid": error(
    "A signed request has not the form of a run task",
    "check that the address belongs to a run task of HCP Terraform or Terraform Enterprise",
  ),
  "run-task-host-refused": error(
    "A task names an address whose host may not get its token",
    "check the address; add the host if it is yours",
  ),
  "run-task-signature": error(
    "The signature of a request is by none of the keys",
    "compare the HMAC key of the run task in HCP Terraform with the file",
  ),
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
  "open-files-exhausted": error(
    "The process has too many open files and connections",
    "raise the limit, for example with 'ulimit -n 4096'",
  ),
  "temporary-folder-unwritable": error(
    "The temporary folder can't be created",
    "free disk space there, or set TMPDIR to another folder",
  ),
  "input-invalid": error("The input is not valid", "follow the message"),
  "json-malformed": error("The input is not valid JSON", "pass the input that the message names"),
} as const satisfies CodeTable;

/** Codes of warnings and notes that commands print beside their results. */
export const commandNotes = [
  {
    commands: ["every command"],
    codes: {
      stopped: info("The command was stopped before it had a result", "run it again"),
      "step-summary-missing": info(
        "The environment names no file for the summary of a step in GitHub Actions",
        "run the command in a step of GitHub Actions, or set GITHUB_STEP_SUMMARY to a file",
      ),
      bug: error("The command made a mistake of its own", "report it with the lines below the message"),
    },
  },
  {
    commands: ["audit events", "audit render"],
    codes: {
      "events-not-found": warning("No event has what the command line asks for", "ask for less, or check the spelling"),
    },
  },
  {
    commands: ["wait", "verify"],
    codes: {
      "gate-stopped": warning(
        "The process that started the gate no longer exists, so that nothing reads the result of the gate",
        "apply again: Terraform starts the gate again",
      ),
    },
  },
  {
    commands: ["monitor"],
    codes: {
      "listen-malformed": error("The value of --listen is not an address", "use HOST:PORT, as in 127.0.0.1:9000"),
      "listen-impossible": error(
        "The address of --listen can't be used",
        "give an address of this machine, or 0.0.0.0 for all of them",
      ),
      "every-without-listen": error(
        "--every is given without --listen, so that the pass would not be repeated",
        "add --listen, or leave --every out",
      ),
      "metrics-malformed": error(
        "The value of --metrics is not a file",
        "give the name of a file; its content replaces the file as a whole",
      ),
      "shard-malformed": error(
        "The value of --shard is not a shard",
        "use INDEX/COUNT with an index from 1, as in 2/10, or auto, or auto/COUNT",
      ),
      "shard-unknown": error(
        "The environment has no index or number of shards",
        "run it as a job with several tasks, or give INDEX/COUNT",
      ),
    },
  },
  {
    commands: ["watch"],
    codes: {
      "wildcard-not-watched": warning(
        "No name under a wildcard can be watched",
        "name a host under the wildcard with --hostname, or use --wildcard-label",
      ),
    },
  },
  {
    commands: ["audit list", "audit tail"],
    codes: {
      "service-warning": warning("The service answered with a warning", "read the warning; events may be missing"),
    },
  },
  {
    commands: ["audit list"],
    codes: {
      "range-cut": warning(
        "The range begins before the retention period of the service, so that older events are not listed",
        "use a later --since; look for older events in an export",
      ),
      "listing-incomplete": warning("The listing ended before its last page", "run the command again"),
    },
  },
  {
    commands: ["audit tail"],
    codes: {
      "events-lost": error(
        "The service no longer has events that the tail has not written",
        "look for them in an export; run the tail more often than the retention period",
      ),
    },
  },
  {
    commands: ["records"],
    codes: {
      "authorization-not-made": warning(
        "The authorization of a domain does not exist yet, so that its record is unknown",
        "apply first, then run the command again",
      ),
    },
  },
  {
    commands: ["doctor"],
    codes: {
      "no-answers": error("No check had an answer", "check the network, the credentials and the DNS servers"),
    },
  },
  {
    commands: ["verify"],
    codes: {
      "not-compared": warning(
        "Served certificates were not compared with the certificates of the plan",
        "give credentials and a stack or outputs, or --no-exact to accept any valid certificate",
      ),
    },
  },
  {
    commands: ["report"],
    codes: {
      "input-incomplete": warning("A file of the report is incomplete", "read the message; write the file again"),
    },
  },
  {
    commands: ["cloud"],
    codes: {
      "forwarding-rule-unanswered": warning(
        "The cloud can't listen at the address of a forwarding rule",
        "use another loopback address, or end the program that uses the address",
      ),
      "world-incomplete": warning(
        "The inventory lacks resources that could not be read, so that the cloud starts without them",
        "grant the permissions that the inventory names, and write it again",
      ),
    },
  },
  {
    commands: ["inventory"],
    codes: {
      "certificates-not-found": error(
        "The files and folders contain no certificate",
        "name certificate files, or folders with some in or below them",
      ),
      "migration-not-written": warning("There is no migration to write", "read the reasons"),
      "migration-notice": info("The written migration needs a decision or a manual step", "follow the notice"),
    },
  },
] as const satisfies readonly { readonly commands: readonly string[]; readonly codes: CodeTable }[];

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
    commands: ["wait", "verify"],
    codes: {
      "gate-variable-missing": error(
        "A gate did not set a variable that --from-environment reads",
        "synthesize the gate again with the installed version, or set the variable in its 'environment'",
      ),
      "gate-variable-malformed": error(
        "A variable that --from-environment reads is not valid",
        "fix the value that the migration or its Terraform reference has",
      ),
      "gate-options-mixed": error(
        "--from-environment is given together with options that it replaces",
        "remove the options, or --from-environment",
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
      "private-key-unchecked": info(
        "The file of a private key does not exist where 'synth --check' runs",
        "no action is needed; run 'synth' where the key is, after a change of the key",
      ),
      "module-readme-kept": info(
        "The folder of a generated module has a README.md that 'synth' did not write",
        "no action is needed; remove it to get a page with inputs, outputs and resources",
      ),
      "uploaded-replacement": info(
        "When two thirds of the lifetime of an uploaded certificate are used, and when it ends",
        "replace it between these dates: page operations.md, 'Replace an uploaded certificate'",
      ),
      "import-left-out": info(
        "An uploaded certificate exists, and Terraform can't import it, because no service returns its key",
        "raise its 'generation' in the migration, and delete the former certificate after the apply",
      ),
      "import-id-unknown": info(
        "A resource exists, and its id doesn't follow from the migration: Cloud Monitoring chooses the ids of alert policies, uptime checks and dashboards",
        "find the id, for example with 'gcloud monitoring policies list', and write an import block; otherwise the apply creates a second alert policy, uptime check or dashboard, and the former one has to be deleted",
      ),
      "terraform-syntax": error(
        "A file of a folder with Terraform configuration has a mistake of syntax",
        "correct the file at the line that the message names; 'terraform validate' finds the same",
      ),
      "module-folder-taken": error(
        "The folder of the module contains other Terraform files",
        "move them, or use another folder",
      ),
      "file-not-generated": error("A file exists and was not written by synth", "move the file, or use another name"),
    },
  },
  {
    commands: ["inventory", "monitor", "verify", "watch"],
    codes: {
      "roots-unusable": error(
        "The file of --ca has no certificate in PEM, or is damaged",
        "use a file with the root certificates in PEM; 'openssl x509 -inform DER' converts one in DER",
      ),
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
        "remove the option, or give a migration with a certificate of a CA pool",
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
      "records-in-several-zones": error(
        "The records are in several zones, and the format has a file for each zone",
        "run the command for each zone, with --zone",
      ),
      "zone-without-records": error(
        "The zone of --zone has no record of the migration",
        "use a zone that the message lists",
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
        "The outputs do not contain a migration, for example because the first apply has failed, or because of 'outputs: false'",
        "read the synthesized stack or the module's folder in place of the outputs, apply the stack first, or remove 'outputs: false' from the migration",
      ),
      "stack-malformed": error("The folder is not a synthesized stack", "use a folder in cdktf.out/stacks"),
      "stack-without-migration": error(
        "The stack has no migration, or its migrations have 'outputs: false'",
        "use a stack with a migration, or remove 'outputs: false' from the migration",
      ),
    },
  },
] as const satisfies readonly { readonly commands: readonly string[]; readonly codes: CodeTable }[];

/** Codes of the tables in a union of tables. */
type CodesOf<Table> = Table extends unknown ? keyof Table : never;

declare module "../findings/codes" {
  interface Codes
    extends Record<keyof typeof commandLineErrors, true>,
      Record<CodesOf<(typeof commandErrors)[number]["codes"]>, true>,
      Record<CodesOf<(typeof commandNotes)[number]["codes"]>, true> {}
}
