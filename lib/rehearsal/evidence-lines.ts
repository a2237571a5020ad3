/** Reads the JSON lines of evidence. */
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { InputError } from "../errors";
import { quote } from "../quote";

/** What to do where evidence can't be read. */
export const evidenceAdvice = "name a folder that 'rehearse --evidence' has filled";

/**
 * The lines of a file, one after the other.
 *
 * @param fields those that a line can't be without
 * @throws InputError `evidence-unreadable` for a file that is not there, and for the first line that is none
 */
export async function* linesOf<Item>(file: string, ...fields: readonly (keyof Item & string)[]): AsyncGenerator<Item> {
  if (!existsSync(file)) throw new InputError("evidence-unreadable", `${quote(file)} is not there; ${evidenceAdvice}`);
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    let item: unknown;
    try {
      item = JSON.parse(line);
    } catch {
      throw new InputError("evidence-unreadable", `${quote(file)}, line ${number}: is not JSON`);
    }
    const lacking = fields.filter((field) => (item as Readonly<Record<string, unknown>> | null)?.[field] === undefined);
    if (lacking.length > 0) {
      throw new InputError("evidence-unreadable", `${quote(file)}, line ${number}: has no ${lacking.join(", no ")}`);
    }
    yield item as Item;
  }
}
