import { type CodeMeaning, error } from "../../findings/codes";

type Codes = Readonly<Record<string, CodeMeaning>>;

/** Codes for errors in a command line, its files and its output. */
export const commandLineErrors: Codes = {
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
  "json-malformed": error("What should be JSON is not", "give what the message names"),
};

/** Codes of single commands. */
export const commandErrors: readonly { readonly commands: readonly string[]; readonly codes: Codes }[] = [
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
];

/** Codes for responses, or missing responses, of Google and other services. */
export const serviceErrors: Codes = {
  "service-refused": error("A service refused the request", "look at its reason: a permission, a quota, a name"),
  "credentials-refused": error(
    "A service does not accept the credentials (HTTP 401): a login that ended, a deleted key, a revoked or expired token",
    "run 'gcloud auth application-default login', or give a new token or key",
  ),
  "service-timeout": error(
    "A service did not answer in time",
    "try again, or allow more time where the command takes one",
  ),
  "service-unreachable": error(
    "A service could not be reached",
    "look at the network, the proxy and the name of the host",
  ),
  "body-too-large": error("An answer is larger than what is read", "look at whether the address is the service's"),
  "answer-malformed": error(
    "An answer is not what the service sends",
    "look at the endpoint, and at proxies before it",
  ),
  "answer-endless": error("A listing of a service has no end", "look at the endpoint"),
  "token-unavailable": error(
    "There are no credentials",
    "run 'gcloud auth application-default login', or give a token",
  ),
  "endpoint-malformed": error("An endpoint is none", "use http://HOST:PORT or https://HOST"),
  "proxy-malformed": error("A variable for the proxy holds none", "use http://HOST:PORT, or unset it"),
  "url-invalid": error("A URL can't be asked for", "use http or https, without user and password"),
};

/** Codes for errors of a rehearsal, or of an app that it synthesizes. */
export const rehearsalErrors: Codes = {
  "app-failed": error("The command of --app failed", "run it by itself and mend what it says"),
  "app-without-stacks": error("The command of --app synthesized no stack", "let it call app.synth()"),
  "bindings-missing": error(
    "No installed bindings fit the google provider that the stack requires",
    "install the package that the message names; the stand-in reads the provider's schema from it",
  ),
  "bindings-unreadable": error(
    "The installed bindings of the google provider lack their version or their source maps",
    "install them again, without a step that removes source maps",
  ),
  "inventory-empty": error("No certificate can be migrated", "see what 'cert-migration inventory' says of each"),
  "rehearsal-source": error("Nothing says what to rehearse, or too much does", "give one of the options alone"),
  "rehearsal-stack": error("The app has no such stack", "use one of those that the message names"),
  "rehearsal-folder": error("The folder of a rehearsal can't be used", "name a new or empty one"),
  "rehearsal-unknown": error(
    "A resource of the stack can't be rehearsed",
    "leave it out, or rehearse the migration by --spec",
  ),
  "rehearsal-variable-missing": error("A variable of the stack has no value", "set TF_VAR_ and its name"),
  "rehearsal-zone-unknown": error("A record's name is known to Terraform alone", "give it a literal one"),
  "faults-unknown": error(
    "--faults is neither a file nor a scenario",
    "use a file, or a scenario that docs/scenarios.md lists",
  ),
  "seed-malformed": error("--seed is no whole number of its range", "use one within"),
  "speed-malformed": error("--speed is no number of its range", "use a number above 0, up to 10000"),
  "old-provider": error("The old provider of the rehearsal could not begin", "do what the message says"),
  "evidence-unreadable": error(
    "The evidence of the rehearsal can't be read",
    "look at whether somebody has changed its folder",
  ),
  "manifest-malformed": error("--manifest is not a SHA-256 digest", "copy the 64 hexadecimal digits from the report"),
  "evidence-unwritable": error("The evidence of the rehearsal can't be written", "make room, and begin again"),
  "terraform-missing": error("There is no Terraform", "install it, or name it with --terraform"),
  "terraform-unfit": error("Terraform is older than what is needed, or another program", "install 1.5 or newer"),
  "terraform-init-failed": error("'terraform init' failed", "read its last lines, which the message has"),
};
