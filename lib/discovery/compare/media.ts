import { quote } from "../../text/quote";
import type { MediaUploadDocument, UploadProtocolDocument } from "../document";
import type { Method } from "../method";
import { isInRange, parseSize } from "../requests";
import type { ReportOfSubject } from "./changes";
import { missingFrom } from "./fields";

export function compareMedia(old: Method, now: Method, say: ReportOfSubject): void {
  compareSupport("media-download", "gives media", ({ document }) => document.supportsMediaDownload === true);
  compareSupport("media-upload", "takes media", (method) => uploadOf(method) !== undefined);
  const [before, after] = [uploadOf(old), uploadOf(now)];
  if (before !== undefined && after !== undefined) compareUpload(before, after, say);

  function compareSupport(
    what: "media-download" | "media-upload",
    text: string,
    has: (method: Method) => boolean,
  ): void {
    if (has(old) && !has(now)) say(`${what}-removed`, "breaking", `no longer ${text}`);
    else if (has(now) && !has(old)) say(`${what}-added`, "compatible", `${text} now`);
  }
}

function uploadOf({ document }: Method): MediaUploadDocument | undefined {
  return document.mediaUpload ?? (document.supportsMediaUpload === true ? {} : undefined);
}

function compareUpload(old: MediaUploadDocument, now: MediaUploadDocument, say: ReportOfSubject): void {
  compareTypes(old.accept ?? [], now.accept ?? [], say);
  compareSize(old.maxSize, now.maxSize, say);
  for (const name of ["simple", "resumable"] as const) {
    compareProtocol(name, old.protocols?.[name], now.protocols?.[name], say);
  }
}

/** Compares the accepted media types. Without a list, all types are accepted. */
function compareTypes(old: readonly string[], now: readonly string[], say: ReportOfSubject): void {
  for (const range of missingFrom(old, now)) {
    const isAccepted = now.length === 0 || now.some((acceptedRange) => isInRange(range, acceptedRange));
    const text = `does not list media of type ${quote(range)} any longer`;
    say("media-type-removed", isAccepted ? "compatible" : "breaking", text, range);
  }
  for (const range of missingFrom(now, old)) {
    const restricts = old.length === 0 && range !== "*/*";
    const text = `lists media of type ${quote(range)} now`;
    say("media-type-added", restricts ? "breaking" : "compatible", text, undefined, range);
  }
}

function compareSize(before: string | undefined, after: string | undefined, say: ReportOfSubject): void {
  if (before === after) return;
  const [old, now] = [sizeOf(before), sizeOf(after)];
  const text =
    after === undefined ? "has no largest size of media any longer" : `takes media of at most ${quote(after)}`;
  if (old === undefined || now === undefined) say("media-size-changed", "breaking", text, before, after);
  else if (old === now) say("media-size-changed", "noise", text, before, after);
  else if (now < old) say("media-size-narrowed", "breaking", text, before, after);
  else say("media-size-widened", "compatible", text, before, after);
}

function sizeOf(text: string | undefined): number | undefined {
  return text === undefined ? Number.POSITIVE_INFINITY : parseSize(text);
}

function compareProtocol(
  name: "simple" | "resumable",
  old: UploadProtocolDocument | undefined,
  now: UploadProtocolDocument | undefined,
  say: ReportOfSubject,
): void {
  if (old === undefined || now === undefined) {
    if (old !== undefined) say("upload-protocol-removed", "breaking", `takes no ${name} uploads any longer`, name);
    if (now !== undefined) say("upload-protocol-added", "compatible", `takes ${name} uploads now`, undefined, name);
    return;
  }
  if (old.path !== now.path) {
    const text = `takes ${name} uploads at ${quote(now.path ?? "")} instead of ${quote(old.path ?? "")}`;
    say("upload-path-changed", "breaking", text, old.path, now.path);
  }
  // Only an explicit `false` prevents clients from sending both in one body.
  if (old.multipart !== false && now.multipart === false) {
    say("upload-multipart-removed", "breaking", `takes no metadata with ${name} uploads any longer`, name);
  } else if (old.multipart === false && now.multipart !== false) {
    say("upload-multipart-added", "compatible", `takes metadata with ${name} uploads now`, undefined, name);
  }
}
