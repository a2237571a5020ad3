import { type CodeMeaning, error, warning } from "../../findings/codes";

/** Problems of a record, by code. */
export const recordCodes = {
  "record-missing": warning(
    "the record is missing: no certificate for the domain can be issued or renewed",
    "publish the CNAME; if Terraform manages it, apply",
  ),
  "record-proxied": error(
    "the name answers with addresses in place of the CNAME: a proxy of the DNS host, for example Cloudflare's, hides the record from the CA",
    "switch the proxy off for the record (Cloudflare: DNS only, 'proxied = false'), and publish the CNAME",
  ),
  "record-under-wildcard": warning(
    "the record is missing, and a wildcard record of the zone answers instead",
    "publish the CNAME: an exact name has precedence over a wildcard",
  ),
  "record-doubled": error(
    "the record exists under a name that contains the zone twice",
    "enter the name relative to its zone if the zone is appended automatically, or keep the trailing dot",
  ),
  "record-target-relative": error(
    "the record's target has no trailing dot: the zone was appended to it",
    "replace the record's target with the target of the authorization, with its trailing dot",
  ),
  "record-several-cnames": error(
    "the name has several CNAMEs, though DNS allows one: a CA may follow any of them",
    "remove every CNAME of the name except the CNAME of the authorization",
  ),
  "record-wrong": error(
    "the record points to another authorization",
    "replace the record's target with the target of the authorization",
  ),
  "record-conflicting-cname": error(
    "the name has a CNAME with another target: another service uses it to validate the domain, and a name can have only one CNAME",
    "use authorizationType PER_PROJECT_RECORD, which has another record name; or replace the CNAME when the other service no longer needs it",
  ),
  "record-conflicting-txt": error(
    "the name has a TXT record of another CA, and a CNAME can't have the same name",
    "remove the TXT record, then publish the CNAME; or use authorizationType PER_PROJECT_RECORD",
  ),
  "record-unanswered": warning(
    "the DNS look-up failed",
    "retry; if the look-up still fails, fix the zone's delegation or name servers",
  ),
} as const satisfies Readonly<Record<string, CodeMeaning>>;

/** `published`: the record exists and is correct. */
export type RecordVerdict = "published" | keyof typeof recordCodes;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof recordCodes, true> {}
}
