/** Reads evidence files. Their author is unknown, so all content is validated before use. */
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { quote } from "../../text/quote";

/** Result of one check of the evidence. */
export interface EvidenceCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was counted, or what is wrong. */
  readonly detail: string;
}

export function check(name: string, ok: boolean, detail: string): EvidenceCheck {
  return { name, ok, detail };
}

/** Returns a check that fails with the given problems. @param detail detail without problems */
export function checkWithout(problems: readonly string[], name: string, detail: string): EvidenceCheck {
  return check(name, problems.length === 0, problems.length === 0 ? detail : problems.join("; "));
}

/** Advice in messages about unreadable evidence. */
export const evidenceAdvice = "name a folder that 'rehearse --evidence' has filled";

/** Required members of an item, with their types. */
export type Shape<Item> = { readonly [Name in keyof Item & string]?: "boolean" | "list" | "number" | "string" };

/** Returns what an item lacks, for example `has no time, no ok`; undefined if the item has the shape. */
export function mismatchOf<Item>(item: unknown, shape: Shape<Item>): string | undefined {
  const members = (item ?? {}) as Readonly<Record<string, unknown>>;
  const wanted = Object.entries(shape) as readonly (readonly [string, string])[];
  const missing = wanted.filter(([name]) => members[name] === undefined).map(([name]) => name);
  if (missing.length > 0) return `has no ${missing.join(", no ")}`;
  const isOf = (value: unknown, kind: string) => (kind === "list" ? Array.isArray(value) : typeof value === kind);
  const unlike = wanted.filter(([name, kind]) => !isOf(members[name], kind));
  return unlike.length === 0 ? undefined : unlike.map(([name, kind]) => `'${name}' is not a ${kind}`).join(", ");
}

/**
 * Reads the items of a file, line by line.
 *
 * @throws InputError `evidence-unreadable` for a file that does not exist or can't be read, and for the first invalid
 * line
 */
export async function* linesOf<Item>(file: string, shape: Shape<Item>): AsyncGenerator<Item> {
  if (!existsSync(file)) throw new InputError("evidence-unreadable", `${quote(file)} is not there; ${evidenceAdvice}`);
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      const item = parsed(line);
      const mismatch = item === undefined ? "is not JSON" : mismatchOf(item, shape);
      if (mismatch !== undefined)
        throw new InputError("evidence-unreadable", `${quote(file)}, line ${number}: ${mismatch}`);
      yield item as Item;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = `${quote(file)} can't be read: ${fileReason(error)}; ${evidenceAdvice}`;
    throw new InputError("evidence-unreadable", message);
  }
}

/** Parses JSON. @returns undefined for invalid JSON; valid JSON never has this value */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the content of a file; an empty text if the file can't be read. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
