import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { isObject } from "../front";

/** When a fault strikes. */
interface Chance {
  /** From 0 to 1. @default 1 */
  readonly probability?: number;
  /** How often at most. @default - always */
  readonly times?: number;
}

/** What goes wrong, and when. Names may hold `*` for any text. */
export interface FaultPlan {
  /**
   * The same plan with the same seed is the same run: what strikes by `probability` depends on what is asked and how often that has been asked
   * before, not on the order among others. Only what `times` and `requestsPerMinute` leave over depends on what arrives first.
   * So it is with a clock that is stepped; where it runs, proofs of several certificates that ask for one name, such as a CAA record of a domain that
   * they share, come to it in whichever order they are due.
   *
   * A whole number from 0 to 4294967295.
   *
   * @default 1
   */
  readonly seed?: number;
  /** Requests of the API that are refused, slow, or cut off. */
  readonly requests?: readonly (Chance & {
    /** Method ids, as in `certificatemanager.*.create`. */
    readonly method: string;
    /** In milliseconds of the machine. */
    readonly delayMs?: number;
    /** As in `UNAVAILABLE`, `RESOURCE_EXHAUSTED`. */
    readonly status?: string;
    /** The connection is cut. */
    readonly cut?: boolean;
  })[];
  /** Requests beyond this number in a minute of the cloud's time are refused with RESOURCE_EXHAUSTED. @default - no limit */
  readonly requestsPerMinute?: number;
  /** Mutations that are begun and fail, after which nothing has changed. */
  readonly operations?: readonly (Chance & { readonly method: string; readonly message?: string })[];
  /** DNS answers that are slow, wrong or missing. */
  readonly dns?: readonly (Chance & {
    /** As in `_acme-challenge.*`; with or without trailing dot. */
    readonly name: string;
    /** @default - every type */
    readonly type?: string;
    readonly delayMs?: number;
    /** As in `SERVFAIL`, `NXDOMAIN`, `REFUSED`. */
    readonly rcode?: string;
    readonly drop?: boolean;
    readonly truncate?: boolean;
    /** Data in place of the true one, each as in a zone file; none stands for no records. */
    readonly rrdatas?: readonly string[];
  })[];
  /** Proofs that fail for a reason of the authority's. */
  readonly issuance?: readonly (Chance & {
    /** As in `*.example.com`, where the star is any text. */
    readonly domain: string;
    readonly failureReason: string;
    readonly details?: string;
  })[];
  /** How long a change takes to reach load balancers, in the cloud's time. @default - that of the cloud */
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
};
const required: Readonly<Record<string, readonly string[]>> = {
  requests: ["method"],
  operations: ["method"],
  dns: ["name"],
  issuance: ["domain", "failureReason"],
};
const numbers = ["seed", "requestsPerMinute", "propagationMs"];
/** Beyond it seeds would repeat those from 0. */
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

/** @throws {@link InputError} with every mistake: `faults-malformed` */
export function readFaultPlan(value: unknown): FaultPlan {
  const problems: Problem[] = [];
  const say = (where: string, what: string) =>
    problems.push({ code: "faults-malformed", message: `faults: ${quote(where)} ${what}` });
  if (!isObject(value)) {
    throw new InputError("faults-malformed", "faults: the plan must be an object");
  }
  for (const [key, given] of Object.entries(value)) {
    if (numbers.includes(key)) {
      if (typeof given !== "number" || !(given >= 0)) say(key, "must be a number from 0");
      else if (key === "seed" && !(Number.isInteger(given) && given <= largestSeed))
        say(key, `must be a whole number from 0 to ${largestSeed}`);
    } else if (Object.hasOwn(lists, key)) {
      if (Array.isArray(given))
        for (const [index, item] of given.entries()) checkItem(key, item, `${key}[${index}]`, say);
      else say(key, "must be a list");
    } else {
      say(key, `is unknown; there are ${[...numbers, ...Object.keys(lists)].join(", ")}`);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return value as FaultPlan;
}

function checkItem(list: string, item: unknown, where: string, say: (where: string, what: string) => void): void {
  if (!isObject(item)) {
    say(where, "must be an object");
    return;
  }
  const fields = lists[list] ?? {};
  for (const name of required[list] ?? []) if (!Object.hasOwn(item, name)) say(`${where}.${name}`, "is missing");
  for (const [name, given] of Object.entries(item)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) say(`${where}.${name}`, `is unknown; there are ${Object.keys(fields).join(", ")}`);
    else if (!isOfKind(given, kind)) say(`${where}.${name}`, `must be ${told[kind]}`);
    else if (choices[name]?.includes(String(given)) === false)
      say(`${where}.${name}`, `must be one of ${choices[name]?.join(", ")}`);
    else if (name === "probability" && Number(given) > 1) say(`${where}.${name}`, "must be from 0 to 1");
  }
}

const told: Readonly<Record<Kind, string>> = {
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
