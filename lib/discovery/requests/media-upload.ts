import { createHash } from "node:crypto";
import type { Problem } from "../../errors";
import { quote } from "../../text/quote";
import type { MediaUploadDocument } from "../document";
import type { Method } from "../method";

/**
 * Kind of an upload. `simple`: the media alone, in one request. `multipart`: metadata and media in one request.
 * `resumable`: a first request sends the metadata, and the `Location` of its response receives the media, optionally in
 * chunks.
 */
export type UploadKind = "simple" | "multipart" | "resumable";

/** Media to upload with a request. */
export interface Media {
  /** Kind of the upload. @default "multipart" where there is a body, else "simple" */
  readonly kind?: UploadKind;
  /** Media type, for example `image/png`. */
  readonly contentType: string;
  /** The media. For a resumable upload only its length is used, and `contentLength` may replace it. */
  readonly content?: string | Uint8Array;
  /** Length in bytes, if it is known before the content. */
  readonly contentLength?: number;
}

/** Returns the upload path of a method, or the reason why it has none. */
export function uploadPath(
  method: Method,
  kind: UploadKind,
): { readonly path: string } | { readonly problem: Problem } {
  if (!Object.hasOwn(uploadTypes, kind)) {
    const message = `invalid kind of upload ${quote(String(kind))}: use 'simple', 'multipart' or 'resumable'`;
    return { problem: { code: "upload-unsupported", message } };
  }
  const protocols = method.document.mediaUpload?.protocols ?? {};
  const protocol = kind === "resumable" ? protocols.resumable : protocols.simple;
  const id = quote(method.id);
  if (protocol?.path === undefined) {
    const known = (["simple", "resumable"] as const)
      .filter((name) => protocols[name]?.path !== undefined)
      .join(" and ");
    const rule = known === "" ? "it takes no media" : `it takes ${known} uploads`;
    return { problem: { code: "upload-unsupported", message: `${id} has no ${kind} upload: ${rule}` } };
  }
  if (kind === "multipart" && protocol.multipart === false) {
    return {
      problem: { code: "upload-unsupported", message: `${id} takes media alone: send them with kind 'simple'` },
    };
  }
  return { path: protocol.path };
}

/** Values of `uploadType` in the query. */
export const uploadTypes: Readonly<Record<UploadKind, string>> = {
  simple: "media",
  multipart: "multipart",
  resumable: "resumable",
};

/** Returns the problems of the media's type and size, according to the description. */
export function checkMedia(upload: MediaUploadDocument | undefined, media: Media): readonly Problem[] {
  const problems: Problem[] = [];
  const accepted = upload?.accept ?? [];
  if (!/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\x20-\x7e]*)?$/.test(media.contentType)) {
    problems.push({
      code: "media-type",
      message: `the media type ${quote(media.contentType)} can't be read: write it as in image/png`,
    });
  } else if (accepted.length > 0 && !accepted.some((range) => isInRange(media.contentType, range))) {
    const allowed = accepted.slice(0, 20).map(quote).join(", ");
    problems.push({
      code: "media-type",
      message: `media of type ${quote(media.contentType)} are not taken: send ${allowed}`,
    });
  }
  if (media.contentLength !== undefined) problems.push(...lengthProblems(media.content, media.contentLength));
  const most = upload?.maxSize === undefined ? undefined : parseSize(upload.maxSize);
  const bytes = sizeOf(media);
  if (most !== undefined && bytes !== undefined && bytes > most) {
    problems.push({ code: "media-too-large", message: `the media have ${bytes} bytes: at most ${most} are taken` });
  }
  return problems;
}

function lengthProblems(content: Media["content"], contentLength: number): readonly Problem[] {
  if (!Number.isSafeInteger(contentLength) || contentLength < 0) {
    const message = `the contentLength ${quote(String(contentLength))} is not a number of bytes: give a whole number from 0 on`;
    return [{ code: "media-length", message }];
  }
  const bytes = content === undefined ? contentLength : byteLengthOf(content);
  if (bytes === contentLength) return [];
  const message = `the contentLength is ${contentLength}, the content has ${bytes} bytes: leave contentLength out`;
  return [{ code: "media-length", message }];
}

/** Returns the size in bytes; undefined if it is unknown. */
export function sizeOf({ content, contentLength }: Media): number | undefined {
  return content === undefined ? contentLength : byteLengthOf(content);
}

function byteLengthOf(content: string | Uint8Array): number {
  return typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
}

/** @param mediaType a type, for example `image/png`, or a narrower range */
export function isInRange(mediaType: string, range: string): boolean {
  const [type, subtype] = (mediaType.split(";")[0] ?? "").trim().toLowerCase().split("/");
  const [rangeType, rangeSubtype] = range.trim().toLowerCase().split("/");
  return (rangeType === "*" || rangeType === type) && (rangeSubtype === "*" || rangeSubtype === subtype);
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  B: 1,
  KB: 2 ** 10,
  MB: 2 ** 20,
  GB: 2 ** 30,
  TB: 2 ** 40,
  PB: 2 ** 50,
};

/** Parses `maxSize`: bytes, as published, or a number with a unit, as specified. Units are powers of 1,024. */
export function parseSize(text: string): number | undefined {
  const match = /^\s*(\d{1,16}(?:\.\d{1,16})?)\s*([KMGTP]?i?B?)\s*$/i.exec(text);
  const unit = (match?.[2] ?? "").toUpperCase().replace("I", "");
  const factor = units[unit] ?? units[`${unit}B`];
  return match === null || factor === undefined ? undefined : Math.floor(Number(match[1]) * factor);
}

/** Returns metadata and media as one multipart/related body. */
export function multipartRelated(
  json: string,
  media: Media,
): { readonly contentType: string; readonly body: Uint8Array } {
  const content = typeof media.content === "string" ? Buffer.from(media.content) : Buffer.from(media.content ?? "");
  const boundary = boundaryFor([Buffer.from(json), content]);
  const head = `--${boundary}\r\ncontent-type: application/json\r\n\r\n${json}\r\n--${boundary}\r\ncontent-type: ${media.contentType}\r\n\r\n`;
  return {
    contentType: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Returns a boundary that no part contains, derived from the parts: the same request has the same bytes. */
export function boundaryFor(parts: readonly Uint8Array[]): string {
  for (let round = 0; ; round++) {
    const hash = createHash("sha256").update(String(round));
    for (const part of parts) hash.update(part);
    const boundary = `part_${hash.digest("hex").slice(0, 32)}`;
    if (!parts.some((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes(boundary)))
      return boundary;
  }
}
