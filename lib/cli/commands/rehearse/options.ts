import { type OptionValues, text, value, values } from "../../declare";
import * as load from "../../load";
import { formWords, resultForms } from "../../results";
import { checked, oneOf } from "../../value-types";

/** Value of `--faults` that lists the scenarios instead of running one. */
export const listWord = "list";

/** Maximum seed; larger seeds would repeat the sequence from 0. */
const largestSeed = 2 ** 32 - 1;

const seed = checked(
  "seed-malformed",
  (given) => (/^\d+$/.test(given) && Number(given) <= largestSeed ? Number(given) : undefined),
  `is not a whole number from 0 to ${largestSeed}`,
);

/** Ten years. */
const mostDays = 3_650;

const speed = checked(
  "speed-malformed",
  (given) => (Number(given) > 0 && Number(given) <= 10_000 ? Number(given) : undefined),
  "is not a number above 0, up to 10000",
);

const manifestDigest = checked(
  "manifest-malformed",
  (given) => (/^[0-9a-f]{64}$/i.test(given) ? given : undefined),
  "is not a SHA-256 digest; expected 64 hexadecimal digits, as in the report",
);

const step = checked(
  "pause-malformed",
  (given) => (/^[1-8]$/.test(given) ? Number(given) : undefined),
  "is not the number of a step; use 1 to 8",
);

const days = checked(
  "days-malformed",
  (given) => (/^[1-9]\d{0,3}$/.test(given) && Number(given) <= mostDays ? Number(given) : undefined),
  `is not a whole number of days from 1 to ${mostDays}`,
);

export const rehearseOptions = {
  "--spec <file>": "migration file, for example migration.yaml; - for standard input",
  "--certificates <folder>": "folder with the current certificates; the migration that replaces them is rehearsed",
  "--stack <folder>":
    "a synthesized stack, unchanged, for example cdktf.out/stacks/shop; with --app, the name of one of its stacks",
  "--app <command>":
    "the command that runs an app of cdktf or cdktn, as in cdktf.json; rehearses every step of its migration and ignores the `phase` that the code sets",
  "--terraform-dir <folder>":
    "folder of a root module in HCL that calls a module of 'cert-migration synth'; a copy is used, without backend and state",
  "--skip-unknown": "leave out what can't be rehearsed: other providers, modules, states of other stacks, commands",
  "--terraform <program>": "terraform, tofu, or a path; default: the first of them on PATH",
  "--faults <name>": value(
    { ...text, offers: () => [listWord, ...load.rehearsal().disturbances.map(({ name }) => name)] },
    "faults to inject: a scenario, or a JSON file as for the command cloud; 'list' prints the scenarios that this option knows, and exits",
  ),
  "--seed <number>": value(
    seed,
    "replaces the seed in the faults, up to 4294967295: faults with a probability affect the same methods, names and attempts in each run; 'times' counts requests in the order of their arrival",
  ),
  "--speed <factor>": value(speed, "seconds of the cloud's clock per real second", "30"),
  "--days <number>": value(
    days,
    "days of the cloud's time that pass after the cut-over: certificates are renewed, alerts fire, uploaded certificates are replaced; 400 days take a minute or two",
  ),
  "--failure <name>": value(
    { ...text, offers: () => load.rehearsal().daysFailures.map(({ name }) => name) },
    "with --days: what goes wrong on the first day, for example cname-deleted; repaired when the first alert fires",
  ),
  "--unrepaired": "with --failure: it is not repaired, so that the first failed handshake is seen too",
  "--keep [folder]":
    "keep Terraform's files, log and state unchanged, with the private keys in the state; without a value, in a new folder whose path is printed",
  "--evidence <folder>":
    "keep every probe, request, DNS answer and issued certificate as JSON lines here, and Terraform's plans, states and log; no key and no token is in it",
  "--check-evidence <folder>":
    "check the files of an earlier --evidence again, without a rehearsal; only --json and --manifest can be combined with it",
  "--manifest <sha256>": value(
    manifestDigest,
    "with --check-evidence: the SHA-256 of the evidence as the report shows it; other evidence is an error",
  ),
  "--provider <kind>": value(
    oneOf("stand-in", "real"),
    "real: the google provider that 'terraform init' installs (needs a registry or a mirror), with custom endpoints on this machine; stand-in: the built-in provider with the same behavior",
    "stand-in",
  ),
  "--existing-policy-mode <mode>": value(
    oneOf("ALLOW_INVALID_OR_MISSING_CLIENT_CERT", "REJECT_INVALID"),
    "validation mode of the server TLS policies that the stack names by id (mutual TLS)",
    "ALLOW_INVALID_OR_MISSING_CLIENT_CERT",
  ),
  "--pause-after <step>": values(
    "pause after this step, 1 to 8, and print commands for another terminal; steps of one apply pause after it",
    step,
  ),
  "--pause-before-destroy": "pause before everything is destroyed",
  "--report <file>": "write the result to this file: an HTML page for .html, else JSON",
  "--format <form>": value(
    oneOf("text", "json", ...resultForms),
    `text; one line of JSON at the end, also after a failure; ${formWords}`,
    "text",
  ),
  "--json": "print one line of JSON at the end, also after a failure",
};

export type RehearseOptions = OptionValues<typeof rehearseOptions>;
