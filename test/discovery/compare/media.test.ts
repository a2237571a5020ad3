import type { MediaUploadDocument, MethodDocument } from "../../../lib/discovery";
import { differences, withMethod } from "./description";

const taking = (mediaUpload: MediaUploadDocument): MethodDocument => ({ supportsMediaUpload: true, mediaUpload });
const simple = (multipart?: boolean) =>
  taking({ protocols: { simple: { path: "/upload/a", ...(multipart === undefined ? {} : { multipart }) } } });

test.each<[string, MethodDocument, MethodDocument, readonly string[]]>([
  ["download", {}, { supportsMediaDownload: true }, ["compatible media-download-added"]],
  [
    "no download",
    { supportsMediaDownload: true },
    { supportsMediaDownload: false },
    ["breaking media-download-removed"],
  ],
  ["upload", {}, taking({}), ["compatible media-upload-added"]],
  ["no upload", taking({}), {}, ["breaking media-upload-removed"]],
  ["upload that is only announced", { supportsMediaUpload: true }, taking({}), []],
  [
    "a media type more",
    taking({ accept: ["image/png"] }),
    taking({ accept: ["image/png", "image/gif"] }),
    ["compatible media-type-added"],
  ],
  [
    "a media type less",
    taking({ accept: ["image/png", "image/gif"] }),
    taking({ accept: ["image/png"] }),
    ["breaking media-type-removed"],
  ],
  [
    "one media range for all its types",
    taking({ accept: ["image/png"] }),
    taking({ accept: ["image/*"] }),
    ["compatible media-type-added", "compatible media-type-removed"],
  ],
  ["media types where all were taken", taking({}), taking({ accept: ["image/png"] }), ["breaking media-type-added"]],
  [
    "all media types, which were taken anyway",
    taking({}),
    taking({ accept: ["*/*"] }),
    ["compatible media-type-added"],
  ],
  ["all media types", taking({ accept: ["image/png"] }), taking({}), ["compatible media-type-removed"]],
  ["smaller media", taking({ maxSize: "1GB" }), taking({ maxSize: "100MB" }), ["breaking media-size-narrowed"]],
  ["larger media", taking({ maxSize: "1GB" }), taking({ maxSize: "1073741825" }), ["compatible media-size-widened"]],
  [
    "the same size in bytes",
    taking({ maxSize: "1GB" }),
    taking({ maxSize: "1073741824" }),
    ["noise media-size-changed"],
  ],
  ["a largest size", taking({}), taking({ maxSize: "1GB" }), ["breaking media-size-narrowed"]],
  ["no largest size", taking({ maxSize: "1GB" }), taking({}), ["compatible media-size-widened"]],
  [
    "a size that can't be read",
    taking({ maxSize: "1GB" }),
    taking({ maxSize: "lots" }),
    ["breaking media-size-changed"],
  ],
  ["a protocol more", taking({}), simple(), ["compatible upload-protocol-added"]],
  ["a protocol less", simple(), taking({}), ["breaking upload-protocol-removed"]],
  [
    "another path",
    simple(),
    taking({ protocols: { simple: { path: "/upload/b" } } }),
    ["breaking upload-path-changed"],
  ],
  ["no metadata with the media", simple(true), simple(false), ["breaking upload-multipart-removed"]],
  ["metadata with the media", simple(false), simple(true), ["compatible upload-multipart-added"]],
  ["metadata with the media, stated explicitly", simple(), simple(true), []],
])("%s", (_, before, after, expected) => {
  const lines = expected.map((line) => `${line} shop.carts.get`);

  expect(differences(withMethod(before), withMethod(after))).toEqual(lines);
});
