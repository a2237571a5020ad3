import { isIP } from "node:net";
import { InputError } from "../errors";
import type { Code } from "../findings/codes";
import type { NameServerAddress } from "../live/doctor";
import { isProjectId, projectIdForm } from "../resource-names";
import { quote } from "../text/quote";
import type { ValueType } from "./declare";
import { type DurationLimits, readCount, readDuration } from "./duration";
import * as load from "./load";

/** A duration such as `90s`, in milliseconds. */
export function duration(limits: DurationLimits = {}): ValueType<number> {
  return { read: (given, option) => readDuration(given, option, limits), refuses: ["soon", "duration-malformed"] };
}

/** A whole number from 1. */
export function count(most: number): ValueType<number> {
  return { read: (given, option) => readCount(given, option, most), refuses: ["0", "number-malformed"] };
}

/** One of several words. */
export function oneOf<const Word extends string>(...choices: readonly Word[]): ValueType<Word> {
  return {
    choices,
    read: (given, option) => {
      const found = choices.find((choice) => choice === given);
      if (found !== undefined) return found;
      const allowed = choices.join(", ").replace(/, ([^,]*)$/, " or $1");
      throw new InputError("value-not-allowed", `${option} ${quote(given)} is not allowed; use ${allowed}`);
    },
    refuses: ["none of these", "value-not-allowed"],
  };
}

/** Id or number of a Google Cloud project. */
export const projectId = checked(
  "project-id-malformed",
  (given) => (isProjectId(given) ? given : undefined),
  `is not a project id; expected ${projectIdForm}, for example my-project-123456`,
);

/** IP address, in its canonical form. */
export const ipAddress = checked(
  "address-malformed",
  (given) => (isIP(given) === 0 ? undefined : load.hostnames().canonicalAddress(given)),
  "is not an IP address; use one as in 203.0.113.7 or 2001:db8::7",
);

/** Port to listen on; 0 for any free port. */
export const freePort = checked(
  "port-malformed",
  (given) => (/^\d{1,5}$/.test(given) && Number(given) < 65_536 ? Number(given) : undefined),
  "is not a port; use 0 to 65535",
);

/** Name server as an address or `HOST:PORT`. */
export const nameServer: ValueType<NameServerAddress> = {
  read: (given, option) => load.doctor().readNameServer(given, option),
  refuses: ["dns.example.com:99999", "dns-server-malformed"],
};

/**
 * A text that a pattern or a function accepts.
 *
 * @param expected end of the message about any other text, as in `is not a port; use 0 to 65535`
 */
export function checked<Value>(
  code: Code,
  read: (given: string) => Value | undefined,
  expected: string,
): ValueType<Value> {
  return {
    read: (given, option) => {
      const found = read(given);
      if (found === undefined) throw new InputError(code, `${option} ${quote(given)} ${expected}`);
      return found;
    },
    refuses: ["\u0000", code],
  };
}
