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

export function uploadPath(
  method: Method,
  kind: UploadKind,
): { readonly path: string } | { readonly problem: Problem } {
  const refuse = (message: string) => ({ problem: { code: "upload-unsupported", message } }) as const;
  if (!Object.hasOwn(uploadTypes, kind))
    return refuse(`invalid kind of upload ${quote(String(kind))}: use 'simple', 'multipart' or 'resumable'`);
  const protocols = method.document.mediaUpload?.protocols ?? {};
  const protocol = kind === "resumable" ? protocols.resumable : protocols.simple;
  const id = quote(method.id);
  if (protocol?.path === undefined) {
    const known = (["simple", "resumable"] as const).filter((name) => protocols[name]?.path !== undefined);
    const rule = known.length === 0 ? "it takes no media" : `it takes ${known.join(" and ")} uploads`;
    return refuse(`${id} has no ${kind} upload: ${rule}`);
  }
  return kind === "multipart" && protocol.multipart === false
    ? refuse(`${id} takes media alone: send them with kind 'simple'`)
    : { path: protocol.path };
}

export const uploadTypes: Readonly<Record<UploadKind, string>> = {
  simple: "media",
  multipart: "multipart",
  resumable: "resumable",
};

export function checkMedia(upload: MediaUploadDocument | undefined, media: Media): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (code: Problem["code"], message: string) => problems.push({ code, message });
  const { content, contentLength, contentType } = media;
  const accepted = upload?.accept ?? [];
  if (!/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\x20-\x7e]*)?$/.test(contentType)) {
    add("media-type", `the media type ${quote(contentType)} can't be read: write it as in image/png`);
  } else if (accepted.length > 0 && !accepted.some((range) => isInRange(contentType, range))) {
    const allowed = accepted.slice(0, 20).map(quote).join(", ");
    add("media-type", `media of type ${quote(contentType)} are not taken: send ${allowed}`);
  }
  const bytes = sizeOf(media);
  if (contentLength !== undefined && (!Number.isSafeInteger(contentLength) || contentLength < 0)) {
    const what = `the contentLength ${quote(String(contentLength))} is not a number of bytes`;
    add("media-length", `${what}: give a whole number from 0 on`);
  } else if (contentLength !== undefined && content !== undefined && bytes !== contentLength) {
    const what = `the contentLength is ${contentLength}, the content has ${bytes} bytes`;
    add("media-length", `${what}: leave contentLength out`);
  }
  const most = upload?.maxSize === undefined ? undefined : parseSize(upload.maxSize);
  if (most !== undefined && bytes !== undefined && bytes > most) {
    add("media-too-large", `the media have ${bytes} bytes: at most ${most} are taken`);
  }
  return problems;
}

export function sizeOf({ content, contentLength }: Media): number | undefined {
  if (content === undefined) return contentLength;
  return typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
}

/** @param mediaType a type, for example `image/png`, or a narrower range */
export function isInRange(mediaType: string, range: string): boolean {
  const [type, subtype] = (mediaType.split(";")[0] ?? "").trim().toLowerCase().split("/");
  const [rangeType, rangeSubtype] = range.trim().toLowerCase().split("/");
  return (rangeType === "*" || rangeType === type) && (rangeSubtype === "*" || rangeSubtype === subtype);
}

/** Parses `maxSize`: bytes, as published, or a number with a unit, as specified. Units are powers of 1,024. */
export function parseSize(text: string): number | undefined {
  const match = /^\s*(\d{1,16}(?:\.\d{1,16})?)\s*([KMGTP]?)i?B?\s*$/i.exec(text);
  if (match === null) return undefined;
  const factor = 1_024 ** ["", "K", "M", "G", "T", "P"].indexOf((match[2] ?? "").toUpperCase());
  return Math.floor(Number(match[1]) * factor);
}

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
