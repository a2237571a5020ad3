import { type CodeMeaning, error, warning } from "../../findings/codes";

/** Problems of a record, by code. */
export const recordCodes = {
  "record-missing": warning(
    "there is no record of that name, so that no certificate for the domain is issued or renewed",
    "publish the CNAME; where Terraform writes it, apply",
  ),
  "record-under-wildcard": warning(
    "a wildcard record of the zone answers in place of the record, which is not there",
    "publish the CNAME: a name of its own outweighs a wildcard",
  ),
  "record-doubled": error(
    "the record is there under a name that has the zone twice",
    "type the name relative to its zone where the zone is added by itself, or keep the trailing dot",
  ),
  "record-target-relative": error(
    "the record's target lacks its trailing dot, so that the zone was appended to it and it leads nowhere",
    "replace the record's target with that of the authorization, with its trailing dot",
  ),
  "record-wrong": error(
    "the record leads to another authorization than the migration's",
    "replace the record's target with that of the authorization",
  ),
  "record-conflicting-cname": error(
    "the name leads elsewhere: somebody else proves the domain by it, and it can have one CNAME alone",
    "use authorizationType PER_PROJECT_RECORD, which has a name of its own; or replace it once the other no longer renews by it",
  ),
  "record-conflicting-txt": error(
    "the name has a TXT record, left there by another authority, beside which no CNAME can be",
    "remove the TXT record, then publish the CNAME; or use authorizationType PER_PROJECT_RECORD",
  ),
  "record-unanswered": warning(
    "DNS did not say what there is",
    "ask again; where it stays so, mend the zone's delegation or name servers",
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/** `published`: the record exists and is correct. */
export type RecordVerdict = "published" | keyof typeof recordCodes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof recordCodes, true> {}
}
