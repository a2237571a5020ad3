import { quote } from "../../text/quote";
import type { DescriptionDocument, EndpointDocument } from "../document";
import { ownOf } from "../own-of";
import { type ChangeClass, type ChangeKind, changeOf, type ReportChange } from "./changes";
import { missingFrom, namesOfBoth, reportOtherFields } from "./fields";
import { addressShape, type CommonMethod } from "./methods";

const comparedFields: ReadonlySet<string> = new Set(
  (
    "kind description title revision rootUrl mtlsRootUrl servicePath batchPath protocol fullyEncodeReservedExpansion labels features endpoints " +
    "auth parameters schemas methods resources"
  ).split(" "),
);

type ReportField = (
  kind: ChangeKind,
  inClass: ChangeClass,
  subject: string,
  text: string,
  before?: unknown,
  after?: unknown,
) => void;

export function compareDocuments(
  old: DescriptionDocument,
  now: DescriptionDocument,
  common: readonly CommonMethod[],
  report: ReportChange,
): void {
  const say: ReportField = (kind, inClass, subject, text, before, after) =>
    report(changeOf({ kind, class: inClass, subject, text, before, after }));
  compareTexts(old, now, say);
  compareAddresses(old, now, common, say);
  compareFlags(old, now, say);
  compareLabels(old.labels ?? [], now.labels ?? [], say);
  compareEndpoints(old.endpoints ?? [], now.endpoints ?? [], say);
  compareAuth(old, now, say);
  reportOtherFields(old, now, comparedFields, undefined, report);
}

function compareTexts(old: DescriptionDocument, now: DescriptionDocument, say: ReportField): void {
  for (const field of ["title", "description"] as const) {
    if ((old[field] ?? "") === (now[field] ?? "")) continue;
    say("description-changed", "noise", field, "has other words", old[field], now[field]);
  }
  if (old.revision !== now.revision) {
    const text = `is ${quote(now.revision ?? "")} instead of ${quote(old.revision ?? "")}`;
    say("revision-changed", "noise", "revision", text, old.revision, now.revision);
  }
}

function compareAddresses(
  old: DescriptionDocument,
  now: DescriptionDocument,
  common: readonly CommonMethod[],
  say: ReportField,
): void {
  compareAddress("root-url-changed", "rootUrl", old.rootUrl, now.rootUrl, say);
  compareAddress("mtls-root-url-changed", "mtlsRootUrl", old.mtlsRootUrl, now.mtlsRootUrl, say);
  compareAddress("batch-path-changed", "batchPath", old.batchPath ?? "batch", now.batchPath ?? "batch", say);
  const [before, after] = [old.servicePath ?? "", now.servicePath ?? ""];
  if (before === after) return;
  const isSame = common.every(([a, b]) => addressShape(old, a.path) === addressShape(now, b.path));
  const text = `is ${quote(after)} instead of ${quote(before)}${isSame ? ", and the methods' paths make up for it" : ""}`;
  say("service-path-changed", isSame ? "noise" : "breaking", "servicePath", text, before, after);
}

function compareAddress(
  kind: ChangeKind,
  field: string,
  before: string | undefined,
  after: string | undefined,
  say: ReportField,
): void {
  if (before === after) return;
  const isSame = before !== undefined && after !== undefined && withoutSlashes(before) === withoutSlashes(after);
  const inClass = isSame ? "noise" : before === undefined ? "compatible" : "breaking";
  const text =
    before === undefined
      ? `is ${quote(after ?? "")}, and was not set before`
      : after === undefined
        ? `was removed; it was ${quote(before)}`
        : `is ${quote(after)} instead of ${quote(before)}`;
  say(kind, inClass, field, text, before, after);
}

function withoutSlashes(address: string): string {
  let [from, to] = [0, address.length];
  while (address[from] === "/") from++;
  while (to > from && address[to - 1] === "/") to--;
  return address.slice(from, to);
}

function compareFlags(old: DescriptionDocument, now: DescriptionDocument, say: ReportField): void {
  const [protocol, newProtocol] = [old.protocol ?? "rest", now.protocol ?? "rest"];
  if (protocol !== newProtocol) {
    const text = `is ${quote(newProtocol)} instead of ${quote(protocol)}`;
    say("protocol-changed", "breaking", "protocol", text, protocol, newProtocol);
  }
  const [before, after] = [old.fullyEncodeReservedExpansion === true, now.fullyEncodeReservedExpansion === true];
  if (before !== after) {
    const text = `requires clients to encode ${after ? "all" : "no"} reserved characters in paths`;
    say("reserved-expansion-changed", "compatible", "fullyEncodeReservedExpansion", text, before, after);
  }
  // The only known feature wraps every body in an envelope.
  compareNames("feature", "breaking", old.features, now.features, say);
}

function compareNames(
  kind: "feature" | "label",
  inClass: ChangeClass,
  old: readonly string[] = [],
  now: readonly string[] = [],
  say: ReportField,
): void {
  for (const name of missingFrom(old, now))
    say(`${kind}-removed`, inClass, `${kind}s`, `has no ${quote(name)} any longer`, name);
  for (const name of missingFrom(now, old))
    say(`${kind}-added`, inClass, `${kind}s`, `has ${quote(name)} now`, undefined, name);
}

function compareLabels(old: readonly string[], now: readonly string[], say: ReportField): void {
  const [was, is] = [old, now].map((labels) => labels.includes("deprecated"));
  if (was && !is) say("deprecation-lost", "compatible", "labels", "has the API not deprecated any longer");
  if (is && !was) say("deprecation-gained", "compatible", "labels", "has the API deprecated now");
  const [before, after] = [old, now].map((labels) => labels.filter((label) => label !== "deprecated"));
  compareNames("label", "compatible", before, after, say);
}

/** Compares endpoints. An endpoint is identified by its URL and its location, because clients look it up by either. */
function compareEndpoints(old: readonly EndpointDocument[], now: readonly EndpointDocument[], say: ReportField): void {
  const [before, after] = [endpointsByAddress(old), endpointsByAddress(now)];
  for (const [address, endpoint] of before) {
    const otherEndpoint = after.get(address);
    const subject = `endpoints ${endpoint.location ?? endpoint.endpointUrl ?? ""}`;
    if (otherEndpoint === undefined) {
      say("endpoint-removed", "breaking", subject, "was removed", endpoint.endpointUrl);
      continue;
    }
    if ((endpoint.deprecated === true) !== (otherEndpoint.deprecated === true)) {
      if (otherEndpoint.deprecated) say("deprecation-gained", "compatible", subject, "is deprecated now");
      else say("deprecation-lost", "compatible", subject, "is not deprecated any longer");
    }
    if ((endpoint.description ?? "") !== (otherEndpoint.description ?? "")) {
      const text = "is described in other words";
      say("description-changed", "noise", subject, text, endpoint.description, otherEndpoint.description);
    }
  }
  for (const [address, endpoint] of after) {
    if (before.has(address)) continue;
    const subject = `endpoints ${endpoint.location ?? endpoint.endpointUrl ?? ""}`;
    say("endpoint-added", "compatible", subject, "is new", undefined, endpoint.endpointUrl);
  }
}

function endpointsByAddress(endpoints: readonly EndpointDocument[]): ReadonlyMap<string, EndpointDocument> {
  return new Map(
    endpoints.map((endpoint) => [JSON.stringify([endpoint.location, endpoint.endpointUrl]), endpoint] as const),
  );
}

const authField = "auth.oauth2.scopes";

function compareAuth(old: DescriptionDocument, now: DescriptionDocument, say: ReportField): void {
  const [before, after] = [old.auth?.oauth2?.scopes, now.auth?.oauth2?.scopes];
  for (const scope of namesOfBoth(before, after)) {
    const [was, is] = [ownOf(before, scope), ownOf(after, scope)];
    if (is === undefined) say("auth-scope-removed", "breaking", authField, `has no ${quote(scope)} any longer`, scope);
    else if (was === undefined) {
      say("auth-scope-added", "compatible", authField, `has ${quote(scope)} now`, undefined, scope);
    } else if ((was.description ?? "") !== (is.description ?? "")) {
      const text = `describes ${quote(scope)} in other words`;
      say("description-changed", "noise", authField, text, was.description, is.description);
    }
  }
}
