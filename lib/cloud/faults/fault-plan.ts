import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { isJsonObject } from "../front";

/** When a fault takes effect. */
interface Chance {
  /** Probability per occasion, 0 to 1. @default 1 */
  readonly probability?: number;
  /** Maximum number of times that the fault takes effect. @default - no limit */
  readonly times?: number;
}

/** Faults to inject, and their conditions. Names may contain `*`, which matches any text. */
export interface FaultPlan {
  /**
   * Seed of the run. The same plan with the same seed gives the same run. A fault with a `probability` depends on the
   * request and on how often the same request came before, not on the order of other requests. Only the limits `times`
   * and `requestsPerMinute` depend on the order of arrival.
   *
   * This holds for a clock that is stepped. With a running clock, domain validations of several certificates may query
   * one name, for example a CAA record of a shared domain. The order of these queries depends on the times at which
   * they are due.
   *
   * A whole number from 0 to 4294967295.
   *
   * @default 1
   */
  readonly seed?: number;
  /** API requests that fail, are delayed, or lose their connection. */
  readonly requests?: readonly (Chance & {
    /** Method ids, for example `certificatemanager.*.create`. */
    readonly method: string;
    /** Delay in milliseconds of the machine's time. */
    readonly delayMs?: number;
    /** Status of the error, for example `UNAVAILABLE`, `RESOURCE_EXHAUSTED`. */
    readonly status?: string;
    readonly cut?: boolean;
  })[];
  /** Requests per minute of the cloud's time; requests beyond it fail with RESOURCE_EXHAUSTED. @default - no limit */
  readonly requestsPerMinute?: number;
  /** Mutations whose operations fail and change nothing. */
  readonly operations?: readonly (Chance & { readonly method: string; readonly message?: string })[];
  /** DNS answers that are delayed, wrong or missing. */
  readonly dns?: readonly (Chance & {
    /** Names, for example `_acme-challenge.*`; with or without trailing dot. */
    readonly name: string;
    /** Record type. @default - every type */
    readonly type?: string;
    readonly delayMs?: number;
    /** Response code, for example `SERVFAIL`, `NXDOMAIN`, `REFUSED`. */
    readonly rcode?: string;
    readonly drop?: boolean;
    readonly truncate?: boolean;
    /** Data that replace the true data, each in zone-file form; an empty list means no records. */
    readonly rrdatas?: readonly string[];
  })[];
  /** Domain validations that fail for a reason of the CA. */
  readonly issuance?: readonly (Chance & {
    /** Domains, for example `*.example.com`, where the asterisk matches any text. */
    readonly domain: string;
    readonly failureReason: string;
    readonly details?: string;
  })[];
  /** CAs of CA Service that are disabled, although an administrator has enabled them. */
  readonly authorities?: readonly (Chance & {
    /** Names of CAs, for example `*caPools/internal/*`. */
    readonly authority: string;
  })[];
  /** Time until a change reaches load balancers, in milliseconds of the cloud's time. @default - the cloud's setting */
  readonly propagationMs?: number;
}

type Kind = "text" | "number" | "flag" | "texts";

const chance = { probability: "number", times: "number" } as const;
const lists: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  requests: { ...chance, method: "text", delayMs: "number", status: "text", cut: "flag" },
  operations: { ...chance, method: "text", message: "text" },
  dns: {
    ...chance,
    name: "text",
    type: "text",
    delayMs: "number",
    rcode: "text",
    drop: "flag",
    truncate: "flag",
    rrdatas: "texts",
  },
  issuance: { ...chance, domain: "text", failureReason: "text", details: "text" },
  authorities: { ...chance, authority: "text" },
};
const required: Readonly<Record<string, readonly string[]>> = {
  requests: ["method"],
  operations: ["method"],
  dns: ["name"],
  issuance: ["domain", "failureReason"],
  authorities: ["authority"],
};
const numbers = ["seed", "requestsPerMinute", "propagationMs"];
/** Limit of the generator: larger seeds would repeat the seeds from 0. */
const largestSeed = 2 ** 32 - 1;
const choices: Readonly<Record<string, readonly string[]>> = {
  status: [
    "UNAVAILABLE",
    "RESOURCE_EXHAUSTED",
    "INTERNAL",
    "PERMISSION_DENIED",
    "ABORTED",
    "DEADLINE_EXCEEDED",
    "UNAUTHENTICATED",
  ],
  rcode: ["SERVFAIL", "NXDOMAIN", "REFUSED", "NOTIMP", "FORMERR"],
  failureReason: ["CONFIG", "CAA", "RATE_LIMITED"],
};

/** Reads a fault plan. @throws {@link InputError} with every mistake: `faults-malformed` */
export function readFaultPlan(value: unknown): FaultPlan {
  const problems: Problem[] = [];
  const addProblem = (where: string, what: string) =>
    problems.push({ code: "faults-malformed", message: `faults: ${quote(where)} ${what}` });
  if (!isJsonObject(value))
    throw new InputError(
      "faults-malformed",
      `faults: the JSON is not an object; write an object with ${[...numbers, ...Object.keys(lists)].join(", ")}, all optional`,
    );
  for (const [key, given] of Object.entries(value)) {
    if (numbers.includes(key)) {
      if (typeof given !== "number" || !(given >= 0)) addProblem(key, "must be a number from 0");
      else if (key === "seed" && !(Number.isInteger(given) && given <= largestSeed))
        addProblem(key, `must be a whole number from 0 to ${largestSeed}`);
    } else if (Object.hasOwn(lists, key)) {
      if (Array.isArray(given))
        for (const [index, item] of given.entries()) checkItem(key, item, `${key}[${index}]`, addProblem);
      else addProblem(key, "must be a list");
    } else {
      addProblem(key, `is unknown; there are ${[...numbers, ...Object.keys(lists)].join(", ")}`);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return value as FaultPlan;
}

function checkItem(
  list: string,
  item: unknown,
  where: string,
  addProblem: (where: string, what: string) => void,
): void {
  if (!isJsonObject(item)) {
    addProblem(where, "must be an object");
    return;
  }
  const fields = lists[list] ?? {};
  for (const name of required[list] ?? []) if (!Object.hasOwn(item, name)) addProblem(`${where}.${name}`, "is missing");
  for (const [name, given] of Object.entries(item)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) addProblem(`${where}.${name}`, `is unknown; there are ${Object.keys(fields).join(", ")}`);
    else if (!isOfKind(given, kind)) addProblem(`${where}.${name}`, `must be ${kindTexts[kind]}`);
    else if (choices[name]?.includes(String(given)) === false)
      addProblem(`${where}.${name}`, `must be one of ${choices[name]?.join(", ")}`);
    else if (name === "probability" && Number(given) > 1) addProblem(`${where}.${name}`, "must be from 0 to 1");
  }
}

const kindTexts: Readonly<Record<Kind, string>> = {
  text: "a text",
  number: "a number from 0",
  flag: "true or false",
  texts: "a list of texts",
};

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === "text") return typeof value === "string";
  if (kind === "number") return typeof value === "number" && value >= 0;
  if (kind === "flag") return typeof value === "boolean";
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
