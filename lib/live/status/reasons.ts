import { countOf } from "../../text/words";
import type { RecordCheck, RecordVerdict } from "../records";
import { verifyCodes } from "../verify";
import { describeReason, type ResourceState } from "../wait";
import type { VerifiedServing } from "./verification";

/** Sentences by the verdict on a record; names are without their trailing dot. */
const recordSentences: Readonly<Record<Exclude<RecordVerdict, "published">, (name: string, found: string) => string>> =
  {
    "record-missing": (name) => `The CNAME record ${name} is missing.`,
    "record-under-wildcard": (name, found) =>
      `A wildcard record answers in place of the CNAME record ${name}: ${found}.`,
    "record-proxied": (name, found) =>
      `A proxy of the DNS host answers in place of the CNAME record ${name}: ${found}.`,
    "record-doubled": (_, found) => `The CNAME record is published as ${found}, which has the zone twice.`,
    "record-target-relative": (name, found) =>
      `A target for ${name} lacks its trailing dot, so the zone was appended to it: ${found}.`,
    "record-several-cnames": (name, found) => `The name ${name} has several CNAME records: ${found}.`,
    "record-wrong": (name, found) => `The CNAME record ${name} leads to another authorization: ${found}.`,
    "record-conflicting-cname": (name, found) => `The CNAME record ${name} leads elsewhere: ${found}.`,
    "record-conflicting-txt": (name, found) =>
      `The name ${name} has a TXT record, so it can't have a CNAME record: ${found}.`,
    "record-unanswered": (name, found) => `DNS did not answer for ${name}: ${found}.`,
  };

export function recordReason({ record, verdict, found }: RecordCheck): string {
  if (verdict === "published") return "";
  return recordSentences[verdict](bare(record.name), found.map(bare).join(", ") || "no reason was given");
}

export function certificateReason({ state, findings: [worst, ...others] }: ResourceState): string {
  if (worst === undefined) return `The certificate is ${state}.`;
  const more =
    others.length === 0 ? "" : ` There ${others.length === 1 ? "is" : "are"} ${countOf(others.length, "more reason")}.`;
  return `The certificate is ${state}: ${describeReason(worst)}.${more}`;
}

export function servingReason({ code, address, message }: VerifiedServing): string {
  const meaning = (verifyCodes as Readonly<Record<string, { readonly meaning: string } | undefined>>)[code ?? ""]
    ?.meaning;
  const what = meaning ?? (code === undefined ? "the handshake failed" : `the handshake ended with ${code}`);
  return `At ${address}, ${what}${message === undefined ? "" : ` (${message})`}.`;
}

function bare(name: string): string {
  return name.replace(/\.$/, "");
}
