import { isIPv4 } from "node:net";
import { parseArgs } from "node:util";
import { InputError, type Problem } from "../lib/errors";
import { quote } from "../lib/text/quote";
import { needNames, serviceNames } from "./behavior";

export interface Options {
  readonly project?: string;
  readonly domain?: string;
  readonly zone?: string;
  /** Host and port that replace all APIs of Google. */
  readonly endpoint?: string;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly https: boolean;
  readonly isConfirmed: boolean;
  readonly isDryRun: boolean;
  readonly isRecorded: boolean;
  readonly isHelp: boolean;
  /** Whether to migrate one hostname, in place of the suite. */
  readonly isTrial: boolean;
  /** Address of an HTTPS server that serves the trial's hostname before; it is new without one. */
  readonly previousAddress?: string;
  /** Journal of a killed run. */
  readonly cleanup?: string;
  readonly limitMs: number;
}

export const usage = `Usage: npm run conformance -- [options]

Compares the behaviors on which a migration relies with the rehearsal cloud, or with Google Cloud.

Options:
  --project <id>      compare with Google Cloud, in this project; needs --domain and --zone
  --domain <name>     domain of the zone; records are created below PREFIX.DOMAIN only
  --zone <name>       public zone of Cloud DNS in the project that serves the domain
  --only <names>      services, needs or beginnings of ids, separated by commas
  --skip <names>      the same, left out: for example private-ca
  --dry-run           print every request, send none to Google Cloud
  --yes               start without a question
  --limit <minutes>   stop and delete after this time (default: 60, with --trial 150)
  --cleanup <file>    delete what the journal of a killed run names
  --https             reach the rehearsal cloud over HTTPS
  --trial             migrate one hostname with Terraform, in place of the suite: deploy, move traffic, roll back, destroy
  --previous <ip>     with --trial: an HTTPS server that serves the hostname before (default: none, a new hostname)
  --record            write conformance/results for the rehearsal cloud too
  --endpoint <url>    another service in place of Google's, as in http://127.0.0.1:8080
  --help              print this text
`;

const flags = {
  project: { type: "string" },
  domain: { type: "string" },
  zone: { type: "string" },
  endpoint: { type: "string" },
  only: { type: "string", multiple: true },
  skip: { type: "string", multiple: true },
  limit: { type: "string" },
  cleanup: { type: "string" },
  https: { type: "boolean" },
  yes: { type: "boolean" },
  "dry-run": { type: "boolean" },
  record: { type: "boolean" },
  trial: { type: "boolean" },
  previous: { type: "string" },
  help: { type: "boolean" },
} as const;

const suiteMinutes = 60;
/** A certificate takes up to an hour, and a watch of moving traffic up to 90 minutes. */
const trialMinutes = 150;
const longestMinutes = 240;

/** Reads the command line. @throws InputError with every mistake */
export function readOptions(words: readonly string[]): Options {
  const values = parse(words);
  const problems: Problem[] = [];
  const { project, domain, zone, endpoint, cleanup } = values;
  const given = { project, domain, zone };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length > 0 && missing.length < 3) {
    const names = missing.map(([name]) => `--${name}`).join(" and ");
    problems.push(problem(`${names} is missing: a run on Google Cloud needs --project, --domain and --zone together`));
  }
  if (project !== undefined && !/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(project))
    problems.push(problem(`--project ${quote(project)} is not a project ID; use 6 to 30 of a-z, 0-9 and '-'`));
  if (domain !== undefined && !/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain))
    problems.push(
      problem(`--domain ${quote(domain)} is not a domain name; use sandbox.example.com, without a final dot`),
    );
  if (zone !== undefined && !/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(zone))
    problems.push(problem(`--zone ${quote(zone)} is not the name of a zone; use 1 to 63 of a-z, 0-9 and '-'`));
  if (endpoint !== undefined && !/^https?:\/\/[^/\s]+\/?$/.test(endpoint))
    problems.push(problem(`--endpoint ${quote(endpoint)} is not a URL; use http://127.0.0.1:8080`));
  if (endpoint !== undefined && project === undefined && cleanup === undefined)
    problems.push(problem("--endpoint is given without --project, and the rehearsal cloud has its own"));
  const minutes = Number(values.limit ?? (values.trial === true ? trialMinutes : suiteMinutes));
  if (!(minutes >= 1 && minutes <= longestMinutes))
    problems.push(
      problem(`--limit ${quote(values.limit ?? "")} is not a number of minutes from 1 to ${longestMinutes}`),
    );
  if (endpoint !== undefined && values.trial === true)
    problems.push(problem("--endpoint is given with --trial, whose Terraform would reach Google Cloud beside it"));
  const { previous } = values;
  if (previous !== undefined && !isIPv4(previous))
    problems.push(problem(`--previous ${quote(previous)} is not an IPv4 address; use the address of an HTTPS server`));
  if (previous !== undefined && values.trial !== true)
    problems.push(problem("--previous is given without --trial: the suite has no previous provider"));
  const ofSuite = ["only", "skip", "record", "https"].filter((name) => Object.hasOwn(values, name));
  if (values.trial === true && ofSuite.length > 0)
    problems.push(problem(`${ofSuite.map((name) => `--${name}`).join(" and ")} is for the suite, not for --trial`));
  const only = wordsOf(values.only);
  const skip = wordsOf(values.skip);
  for (const word of [...only, ...skip]) {
    if ([...serviceNames, ...needNames].some((known) => word === known || word.startsWith(`${known}.`))) continue;
    const known = [...new Set([...serviceNames, ...needNames])].join(", ");
    problems.push(problem(`${quote(word)} names no behaviors; use the beginning of an id, or one of ${known}`));
  }
  if (problems.length > 0) throw new InputError(problems);
  return {
    ...(project === undefined ? {} : { project }),
    ...(domain === undefined ? {} : { domain }),
    ...(zone === undefined ? {} : { zone }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(cleanup === undefined ? {} : { cleanup }),
    only,
    skip,
    https: values.https === true,
    isConfirmed: values.yes === true,
    isDryRun: values["dry-run"] === true,
    isRecorded: values.record === true,
    isHelp: values.help === true,
    isTrial: values.trial === true,
    ...(previous === undefined ? {} : { previousAddress: previous }),
    limitMs: minutes * 60_000,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: flags, strict: true }).values;
  } catch (error) {
    throw new InputError("option-unknown", `${(error as Error).message}; see npm run conformance -- --help`);
  }
}

function wordsOf(values: readonly string[] = []): readonly string[] {
  return values
    .flatMap((value) => value.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function problem(message: string): Problem {
  return { code: "value-not-allowed", message };
}
