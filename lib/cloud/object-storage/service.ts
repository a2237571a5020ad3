import { randomBytes } from "node:crypto";
import { ownDescription } from "../../discovery";
import { CloudError } from "../cloud-error";
import { type CloudService, invalidField, type MediaCall, type WireAnswer, type WireRequest } from "../front";
import type { Clock } from "../state";
import { ByteBudget, Objects, readPlan, type StorageLimits, type StoredObject, usualLimits } from "./objects";
import { readRange, splitRelated } from "./upload-format";
import { UploadSessions } from "./upload-sessions";

interface ObjectStorageOptions {
  readonly clock: Clock;
  /** Limits of the storage. @default - 64 MiB per object, 256 MiB in all, 100 unfinished uploads */
  readonly limits?: StorageLimits;
  /** Returns the id of a new upload session. @default - random */
  readonly makeId?: () => string;
  /** Returns the base URL of the service, for example `http://127.0.0.1:8080/`. */
  readonly rootUrl: () => string;
}

/** Uploads, downloads and deletion of Cloud Storage. Objects are in memory only and end with the process. */
export class ObjectStorage {
  readonly service: CloudService;
  readonly #options: ObjectStorageOptions;
  readonly #objects: Objects;
  readonly #sessions: UploadSessions;

  constructor(options: ObjectStorageOptions) {
    const { clock, limits = usualLimits, makeId = () => randomBytes(24).toString("base64url"), rootUrl } = options;
    const budget = new ByteBudget(limits);
    this.#options = options;
    this.#objects = new Objects(clock, budget);
    this.#sessions = new UploadSessions({
      clock,
      budget,
      makeId,
      finish: (plan, content) => this.#objects.put(plan, content, rootUrl()),
    });
    this.service = {
      description: ownDescription("storage:v1"),
      errors: "errors",
      handlers: {
        "storage.objects.get": (call) => this.#objects.get(call).resource,
        "storage.objects.delete": (call) => this.#objects.delete(this.#objects.get(call)),
        "storage.objects.insert": refuseWithoutMedia,
      },
      media: (call) => (call.match.upload === undefined ? this.#download(call) : this.#upload(call)),
    };
  }

  clear(): void {
    this.#sessions.clear();
    this.#objects.clear();
  }

  #upload(call: MediaCall): WireAnswer {
    const { request, octets, match } = call;
    const { headers, httpMethod } = request;
    const session = sessionOf(request);
    if (session !== undefined && httpMethod === "DELETE") {
      this.#sessions.cancel(session);
      // The service's status for a cancelled upload.
      return { status: 499, headers: {}, body: "" };
    }
    if (session !== undefined) return this.#sessions.receive(session, octets, headers["content-range"]);
    const { uploadType = match.upload === "resumable" ? "resumable" : "media" } = match.parameters;
    if (!/^(?:media|multipart|resumable)$/.test(String(uploadType)))
      throw invalidField("uploadType", "give media, multipart or resumable");
    if (uploadType === "resumable") return this.#begin(call);
    const isMultipart = uploadType === "multipart";
    const parts = isMultipart
      ? splitRelated(headers["content-type"], octets)
      : { metadata: "", contentType: headers["content-type"], content: octets };
    const plan = readPlan(call.read(parts.metadata), parts.contentType);
    // Copies the content: a slice would keep the whole request body in memory.
    return call.answer(
      this.#objects.put(plan, isMultipart ? new Uint8Array(parts.content) : parts.content, this.#options.rootUrl()),
    );
  }

  #begin({ request, read, answer }: MediaCall): WireAnswer {
    const { headers, target, body } = request;
    const plan = readPlan(read(body), headers["x-upload-content-type"]);
    this.#objects.checkPlan(plan);
    const stated = headers["x-upload-content-length"];
    if (stated !== undefined && !/^\d{1,15}$/.test(stated))
      throw new CloudError("INVALID_ARGUMENT", "X-Upload-Content-Length is not a number of bytes");
    const id = this.#sessions.begin({ plan, total: stated === undefined ? undefined : Number(stated), answer });
    const [path = ""] = target.split("?");
    // Clients reach the cloud by several addresses, and trust a session only at the address where they started it.
    const { host = "" } = headers;
    const root = /^[\w.:[\]-]+$/.test(host) ? `http://${host}` : this.#options.rootUrl().slice(0, -1);
    const location = `${root}${path}?uploadType=resumable&name=${encodeURIComponent(plan.name)}&upload_id=${id}`;
    return { status: 200, headers: { location, "x-guploader-uploadid": id }, body: "" };
  }

  #download({ request, read }: MediaCall): WireAnswer {
    const object = this.#objects.get(read(""));
    const { content } = object;
    const range = readRange(request.headers.range, content.byteLength);
    if (range === "unsatisfiable") {
      const message = `the object has ${content.byteLength} bytes, none of them in the Range`;
      throw new CloudError("INVALID_ARGUMENT", message, { reason: "requestedRangeNotSatisfiable", httpStatus: 416 });
    }
    const headers = headersOf(object);
    if (range === undefined) return { status: 200, headers, body: content };
    const contentRange = `bytes ${range.from}-${range.end - 1}/${content.byteLength}`;
    return {
      status: 206,
      headers: { ...headers, "content-range": contentRange },
      body: content.subarray(range.from, range.end),
    };
  }
}

function refuseWithoutMedia(): never {
  throw new CloudError("INVALID_ARGUMENT", "Uploads must be sent to the upload URL: begin the path with /upload/", {
    reason: "wrongUrlForUpload",
  });
}

function sessionOf({ httpMethod, target }: WireRequest): string | undefined {
  if (httpMethod === "POST") return undefined;
  return new URLSearchParams(target.slice(target.indexOf("?") + 1)).get("upload_id") ?? undefined;
}

/** Returns the headers of a download. Omits metadata of clients that a header can't contain. */
function headersOf({ resource }: StoredObject): Readonly<Record<string, string>> {
  const fields = {
    "content-type": resource.contentType,
    "cache-control": resource.cacheControl,
    "content-disposition": resource.contentDisposition,
    "content-encoding": resource.contentEncoding,
    "content-language": resource.contentLanguage,
  };
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === "string" && /^[\x20-\x7e]+$/.test(field[1]),
  );
  return {
    ...Object.fromEntries(given),
    "accept-ranges": "bytes",
    etag: `"${resource.etag}"`,
    "x-goog-generation": resource.generation,
    "x-goog-metageneration": resource.metageneration,
    "x-goog-hash": `crc32c=${resource.crc32c},md5=${resource.md5Hash}`,
  };
}
