/** Reads evidence that builds before the names of today wrote: `old` and `new` sides, `struck`, other file names. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFields } from "../../json/fields";
import { previousBundleName, previousCertificatesName } from "../folder";
import type { Probe } from "../probe";

/** Names of files in the evidence of former builds. */
const formerFileNames: Readonly<Record<string, string>> = {
  [previousBundleName]: "old-trust-bundle.pem",
  [previousCertificatesName]: "old-certificates.pem",
};

const formerSides: Readonly<Record<string, Probe["side"]>> = { old: "previous", new: "loadBalancer" };

/** Returns the name of an evidence file, or its former name if only that exists. */
export function presentName(folder: string, name: string): string {
  const former = formerFileNames[name];
  return former !== undefined && !existsSync(join(folder, name)) && existsSync(join(folder, former)) ? former : name;
}

/** Returns a probe or a discarded try with the present name of its side. */
export function withPresentSide<Item extends Pick<Probe, "side">>(item: Item): Item {
  const side = formerSides[String(item.side)];
  return side === undefined ? item : { ...item, side };
}

/** Returns a result with the present names of its members; other values unchanged. */
export function withPresentNames(result: unknown): unknown {
  if (!isFields(result) || !("struck" in result || "playedUntil" in result)) return result;
  const { struck, playedUntil, ...members } = result;
  return { faultCounts: struck, partsEndedAt: playedUntil, ...members };
}
