import { parseSize } from "../../../lib/discovery/requests/media-upload";
import { codesOf, problemsOf, withMethod } from "../../support/descriptions";

const api = withMethod(
  {
    httpMethod: "POST",
    path: "v1/b/{bucket}/o",
    parameters: {
      bucket: { type: "string", location: "path", required: true },
      name: { type: "string", location: "query" },
    },
    request: { $ref: "Animal" },
    supportsMediaUpload: true,
    mediaUpload: {
      accept: ["image/*", "text/plain"],
      maxSize: "1KB",
      protocols: {
        simple: { multipart: true, path: "/upload/v1/b/{bucket}/o" },
        resumable: { multipart: true, path: "/resumable/upload/v1/b/{bucket}/o" },
      },
    },
  },
  {
    schemas: { Animal: { type: "object", properties: { name: { type: "string" } } } },
    rootUrl: "https://zoo.example/root/",
  },
);
const parameters = { bucket: "a/b", name: "lion" };
const media = { contentType: "image/png", content: new Uint8Array([1, 2, 3]) };

test("an upload is simple without metadata: the media are the body", () => {
  expect(api.request("zoo.get", { parameters, media })).toEqual({
    method: "POST",
    url: "https://zoo.example/root/upload/v1/b/a%2Fb/o?name=lion&uploadType=media",
    headers: { accept: "application/json", "content-type": "image/png" },
    body: media.content,
    findings: [],
  });
});

test("an upload is multipart with metadata: metadata first, then media, between boundaries that occur in neither", () => {
  const request = api.request("zoo.get", {
    parameters,
    media: { ...media, content: "--part_é" },
    body: { name: "x" },
  });
  const boundary = /^multipart\/related; boundary=(part_[0-9a-f]{32})$/.exec(
    request.headers["content-type"] ?? "",
  )?.[1];

  expect(request.url).toBe("https://zoo.example/root/upload/v1/b/a%2Fb/o?name=lion&uploadType=multipart");
  expect(Buffer.from(request.body ?? "").toString()).toBe(
    [
      `--${boundary}`,
      "content-type: application/json",
      "",
      '{"name":"x"}',
      `--${boundary}`,
      "content-type: image/png",
      "",
      "--part_é",
      `--${boundary}--`,
      "",
    ].join("\r\n"),
  );
});

test("an upload that is resumable begins with the metadata, and announces the media", () => {
  const begin = (given: object) => api.request("zoo.get", { parameters, ...given });

  expect(begin({ media: { ...media, kind: "resumable" }, body: { name: "x" } })).toMatchObject({
    url: "https://zoo.example/root/resumable/upload/v1/b/a%2Fb/o?name=lion&uploadType=resumable",
    headers: {
      "content-type": "application/json",
      "x-upload-content-type": "image/png",
      "x-upload-content-length": "3",
    },
    body: '{"name":"x"}',
  });
  expect(begin({ media: { kind: "resumable", contentType: "image/png", contentLength: 9 } })).toMatchObject({
    headers: { "x-upload-content-length": "9" },
    body: undefined,
  });
  expect(begin({ media: { kind: "resumable", contentType: "image/png" } }).headers).not.toHaveProperty(
    "x-upload-content-length",
  );
});

test("an upload has an address, with parameters or as a template", () => {
  expect(api.uploadUrl("zoo.get", "multipart", parameters)).toBe(
    "https://zoo.example/root/upload/v1/b/a%2Fb/o?uploadType=multipart",
  );
  expect(api.uploadUrl("zoo.get", "resumable")).toBe(
    "https://zoo.example/root/resumable/upload/v1/b/{bucket}/o?uploadType=resumable",
  );
  expect(codesOf(() => api.uploadUrl("zoo.get", "simple", {}))).toEqual(["parameter-required"]);
});

test("an upload is recognized by its uploadType, or else by its path", () => {
  const read = (url: string) => api.match("POST", url)?.upload;

  expect(read("/root/upload/v1/b/x/o?uploadType=resumable&upload_id=1")).toBe("resumable");
  expect(read("/root/upload/v1/b/x/o?uploadType=multipart")).toBe("simple");
  expect(read("/root/resumable/upload/v1/b/x/o?uploadType=media")).toBe("simple");
  expect(read("/root/resumable/upload/v1/b/x/o?uploadType=odd")).toBe("resumable");
  expect(read("/root/upload/v1/b/x/o")).toBe("simple");
  expect(read("/root/v1/b/x/o?uploadType=resumable")).toBeUndefined();
});

test("an upload keeps the caller's uploadType", () => {
  const declared = withMethod(
    { httpMethod: "POST", mediaUpload: { protocols: { simple: { path: "/u" } } } },
    { parameters: { uploadType: { type: "string", location: "query" } } },
  );

  expect(declared.request("zoo.get", { parameters: { uploadType: "raw" }, media }).url).toBe(
    "https://zoo.example/u?uploadType=raw",
  );
  expect(declared.request("zoo.get", { parameters: { uploadType: "media" }, media }).url).toBe(
    "https://zoo.example/u?uploadType=media",
  );
});

test.each([
  ["resumable", undefined],
  ["multipart", "simple" as const],
  ["raw", "simple" as const],
])("an upload refuses an uploadType %s for media of kind %s", (uploadType, kind) => {
  const declared = withMethod(
    { httpMethod: "POST", mediaUpload: { protocols: { simple: { path: "/u" } } } },
    { parameters: { uploadType: { type: "string", location: "query" } } },
  );
  const given = { parameters: { uploadType }, media: { ...media, ...(kind === undefined ? {} : { kind }) } };

  expect(problemsOf(() => declared.request("zoo.get", given))).toEqual([
    {
      code: "upload-type",
      message: `parameter 'uploadType' can't be '${uploadType}': the media are sent as 'media'; leave it out, or give the media another kind`,
    },
  ]);
});

const refused = (given: object) =>
  problemsOf(() => api.request("zoo.get", { parameters, ...given })).map(({ message }) => message);

test.each([
  [
    "of another type",
    { media: { ...media, contentType: "video/mp4" } },
    "media of type 'video/mp4' are not taken: send 'image/*', 'text/plain'",
  ],
  [
    "of no type",
    { media: { ...media, contentType: "png" } },
    "the media type 'png' can't be read: write it as in image/png",
  ],
  [
    "whose type breaks out of its header",
    { media: { ...media, contentType: "image/png; a=\r\nx: 1" } },
    expect.stringMatching(/can't be read: write it as in image\/png$/),
  ],
  [
    "that is too large",
    { media: { ...media, content: "x".repeat(1025) } },
    "the media have 1025 bytes: at most 1024 are taken",
  ],
  [
    "that is declared as too large",
    { media: { kind: "resumable", contentType: "image/png", contentLength: 2000 } },
    "the media have 2000 bytes: at most 1024 are taken",
  ],
  [
    "with an invalid length",
    { media: { kind: "resumable", contentType: "image/png", contentLength: -5 } },
    "the contentLength '-5' is not a number of bytes: give a whole number from 0 on",
  ],
  [
    "whose length is text",
    { media: { kind: "resumable", contentType: "image/png", contentLength: "5\r\nx: 1" } },
    "the contentLength '5\\u{d}\\u{a}x: 1' is not a number of bytes: give a whole number from 0 on",
  ],
  [
    "whose length is that of something else",
    { media: { ...media, contentLength: 4 } },
    "the contentLength is 4, the content has 3 bytes: leave contentLength out",
  ],
  [
    "of a kind that there isn't",
    { media: { ...media, kind: "bogus" } },
    "invalid kind of upload 'bogus': use 'simple', 'multipart' or 'resumable'",
  ],
  ["without content", { media: { contentType: "image/png" } }, "the content is missing: a simple upload carries it"],
  [
    "of media alone with metadata",
    { media: { ...media, kind: "simple" }, body: {} },
    "a simple upload carries the media alone: use kind 'multipart' or 'resumable' for metadata",
  ],
])("refuses an upload %s", (_, given, message) => {
  expect(refused(given)).toEqual([message]);
});

test("refuses an upload with all mistakes at once", () => {
  expect(
    codesOf(() =>
      api.request("zoo.get", { media: { contentType: "x/y", content: "x".repeat(2000) }, body: { name: 1 } }),
    ),
  ).toEqual(["parameter-required", "media-type", "media-too-large", "body-type"]);
});

test("refuses an upload for a method that accepts none, or not in this form", () => {
  const without = withMethod({ httpMethod: "POST" });
  const simple = withMethod({
    httpMethod: "POST",
    mediaUpload: { protocols: { simple: { path: "/u", multipart: false } } },
  });

  expect(problemsOf(() => without.request("zoo.get", { media }))).toEqual([
    { code: "upload-unsupported", message: "'zoo.get' has no simple upload: it takes no media" },
  ]);
  expect(problemsOf(() => simple.uploadUrl("zoo.get", "resumable"))).toEqual([
    { code: "upload-unsupported", message: "'zoo.get' has no resumable upload: it takes simple uploads" },
  ]);
  expect(problemsOf(() => simple.uploadUrl("zoo.get", "multipart"))).toEqual([
    { code: "upload-unsupported", message: "'zoo.get' takes media alone: send them with kind 'simple'" },
  ]);
});

test("refuses an upload of an unknown kind", () => {
  for (const kind of ["bogus", "__proto__"]) {
    expect(problemsOf(() => api.uploadUrl("zoo.get", kind as "simple"))).toEqual([
      {
        code: "upload-unsupported",
        message: `invalid kind of upload '${kind}': use 'simple', 'multipart' or 'resumable'`,
      },
    ]);
  }
});

test("refuses an upload to an address on another host", () => {
  const odd = withMethod({ httpMethod: "POST", mediaUpload: { protocols: { simple: { path: "/u/../x" } } } });

  expect(codesOf(() => odd.request("zoo.get", { media }))).toEqual(["path-unsupported"]);
  expect(codesOf(() => odd.uploadUrl("zoo.get", "simple", {}))).toEqual(["path-unsupported"]);
});

test("refuses an upload to an address with a variable that is not a parameter", () => {
  const odd = withMethod({ httpMethod: "POST", mediaUpload: { protocols: { simple: { path: "/u/{z}" } } } });

  expect(problemsOf(() => odd.request("zoo.get", { media }))).toEqual([
    {
      code: "path-unsupported",
      message: "the path '/u/{z}' of 'zoo.get' can't be filled: there is no parameter 'z'",
    },
  ]);
});

test.each([
  ["5368709120", 5_368_709_120],
  ["0", 0],
  ["1B", 1],
  ["20MB", 20 * 2 ** 20],
  ["10 gb", 10 * 2 ** 30],
  ["5TiB", 5 * 2 ** 40],
  ["3K", 3 * 1024],
  ["1.5GB", 1_610_612_736],
  ["0.0001KB", 0],
  ["1.GB", undefined],
  ["many", undefined],
  ["", undefined],
  ["10XB", undefined],
  ["__proto__", undefined],
])("parses a size of %p to %p bytes", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});
