import { createHash } from "node:crypto";
import { defined } from "../../json/defined";
import { CloudError } from "../cloud-error";
import { type Call, invalidField, type Json, textParameter } from "../front";
import type { Clock } from "../state";
import { crc32cOf } from "./crc32c";

export interface StorageLimits {
  /** Maximum length of one object, in bytes. */
  readonly objectBytes: number;
  /** Maximum length of all objects and unfinished uploads together, with their metadata, in bytes. */
  readonly totalBytes: number;
  /** Maximum number of unfinished uploads. */
  readonly openUploads: number;
}

/** Default limits: 64 MiB per object, 256 MiB for all objects, 100 unfinished uploads. */
export const usualLimits: StorageLimits = {
  objectBytes: 64 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
  openUploads: 100,
};

/** Counts the bytes that the object storage keeps in memory, and rejects bytes beyond its limits. */
export class ByteBudget {
  readonly limits: StorageLimits;
  #takenBytes = 0;

  constructor(limits: StorageLimits) {
    this.limits = limits;
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Checks the length of an object. @throws CloudError with HTTP status 413 */
  checkObject(bytes: number): void {
    const { objectBytes } = this.limits;
    if (bytes > objectBytes)
      throw tooLarge(`the object has ${bytes} bytes; the rehearsal cloud keeps up to ${objectBytes} bytes per object`);
  }

  /** Reserves bytes. @throws CloudError with HTTP status 413; reserves nothing then */
  take(bytes: number): void {
    const { totalBytes } = this.limits;
    const needed = this.#takenBytes + bytes;
    if (needed > totalBytes)
      throw tooLarge(
        `all objects together would have ${needed} bytes; the rehearsal cloud keeps up to ${totalBytes} bytes: delete objects`,
      );
    this.#takenBytes = needed;
  }

  release(bytes: number): void {
    this.#takenBytes -= bytes;
  }
}

function tooLarge(message: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", message, { reason: "uploadTooLarge", httpStatus: 413 });
}

export interface StoredObject {
  readonly resource: ObjectResource;
  readonly content: Uint8Array;
}

/** Metadata of an object; fields that clients set are stored next to these fields. */
interface ObjectResource extends Json {
  readonly bucket: string;
  readonly name: string;
  readonly generation: string;
  readonly metageneration: string;
  readonly contentType: string;
  readonly etag: string;
  readonly md5Hash: string;
  readonly crc32c: string;
}

/** Data of an upload before the content has arrived. */
export interface ObjectPlan {
  readonly bucket: string;
  readonly name: string;
  readonly contentType: string;
  readonly settings: Json;
  /** Hashes that the client has stated. */
  readonly hashes: Partial<Hashes>;
  readonly preconditions: Preconditions;
}

type Hashes = Pick<ObjectResource, "md5Hash" | "crc32c">;

type Preconditions = Pick<Call, "parameters">;

/** Maximum length of custom metadata in the service: 8 KiB. */
const mostMetadataBytes = 8 * 1024;
const settable = [
  "cacheControl",
  "contentDisposition",
  "contentEncoding",
  "contentLanguage",
  "metadata",
  "storageClass",
] as const;

/** Reads an upload's parameters and metadata. @param mediaType type of the content if the metadata have none */
export function readPlan(call: Call, mediaType: string | undefined): ObjectPlan {
  const { body } = call;
  const bucket = textParameter(call, "bucket");
  const name = textParameter(call, "name") || textOf(body.name);
  if (!/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket))
    throw invalidField("bucket", "give lower-case letters, digits, '-', '_' and '.', at least 3 characters");
  const bytes = Buffer.byteLength(name);
  if (bytes === 0 || bytes > 1_024 || /[\r\n\p{Surrogate}]/u.test(name) || name === "." || name === "..")
    throw invalidField("name", "give 1 to 1024 bytes of UTF-8 without line breaks, and neither '.' nor '..'");
  const settings = Object.fromEntries(settable.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])));
  const contentEncoding = textParameter(call, "contentEncoding");
  const all = contentEncoding === "" ? settings : { ...settings, contentEncoding };
  const contentType = textOf(body.contentType) || (mediaType ?? "application/octet-stream");
  const metadataBytes = Buffer.byteLength(JSON.stringify([all, contentType]));
  if (metadataBytes > mostMetadataBytes)
    throw invalidField("metadata", `the metadata have ${metadataBytes} bytes, at most ${mostMetadataBytes} are kept`);
  return {
    bucket,
    name,
    contentType,
    settings: all,
    hashes: defined({ md5Hash: textOf(body.md5Hash) || undefined, crc32c: textOf(body.crc32c) || undefined }),
    preconditions: { parameters: call.parameters },
  };
}

/** Objects of all buckets, in memory. Every bucket exists. An upload replaces an object; generations are not kept. */
export class Objects {
  readonly #clock: Clock;
  readonly #budget: ByteBudget;
  readonly #objects = new Map<string, StoredObject>();
  #lastGeneration = 0;

  constructor(clock: Clock, budget: ByteBudget) {
    this.#clock = clock;
    this.#budget = budget;
  }

  /** Returns an object. @throws CloudError 404 for an unknown object or generation, 412 for a failed precondition */
  get(call: Call): StoredObject {
    const bucket = textParameter(call, "bucket");
    const name = textParameter(call, "object");
    const object = this.#objects.get(keyOf(bucket, name));
    const generation = textParameter(call, "generation");
    if (object === undefined || (generation !== "" && generation !== object.resource.generation)) {
      const version = generation === "" ? "" : `#${generation}`;
      throw new CloudError("NOT_FOUND", `No such object: ${bucket}/${name}${version}`);
    }
    checkPreconditions(call, object.resource);
    return object;
  }

  /** Checks the preconditions of an upload. @throws CloudError 412 for a failed precondition */
  checkPlan({ bucket, name, preconditions }: ObjectPlan): void {
    checkPreconditions(preconditions, this.#objects.get(keyOf(bucket, name))?.resource);
  }

  /** Stores an object. @throws CloudError 400 for content whose hash differs from the stated hash, 412, 413 */
  put(plan: ObjectPlan, content: Uint8Array, rootUrl: string): ObjectResource {
    this.checkPlan(plan);
    this.#budget.checkObject(content.byteLength);
    const hashes = { md5Hash: createHash("md5").update(content).digest("base64"), crc32c: crc32cOf(content) };
    checkHashes(plan.hashes, hashes);
    const { bucket, name } = plan;
    const key = keyOf(bucket, name);
    const resource = this.#describe(plan, content.byteLength, hashes, rootUrl);
    const previous = this.#objects.get(key);
    this.#budget.take(sizeOf({ resource, content }) - (previous === undefined ? 0 : sizeOf(previous)));
    this.#objects.set(key, { resource, content });
    return resource;
  }

  delete(object: StoredObject): undefined {
    const { bucket, name } = object.resource;
    if (this.#objects.delete(keyOf(bucket, name))) this.#budget.release(sizeOf(object));
  }

  clear(): void {
    for (const object of [...this.#objects.values()]) this.delete(object);
  }

  #describe(plan: ObjectPlan, bytes: number, hashes: Hashes, rootUrl: string): ObjectResource {
    const { bucket, name, settings, contentType } = plan;
    const now = this.#clock.now();
    // Microseconds, as in the service; the step is needed while the clock stands still.
    this.#lastGeneration = Math.max(this.#lastGeneration + 1, now.getTime() * 1_000);
    const generation = String(this.#lastGeneration);
    const selfLink = `${rootUrl}storage/v1/b/${bucket}/o/${encodeURIComponent(name)}`;
    const time = now.toISOString();
    return {
      kind: "storage#object",
      id: `${bucket}/${name}/${generation}`,
      selfLink,
      mediaLink: `${selfLink}?generation=${generation}&alt=media`,
      bucket,
      name,
      generation,
      metageneration: "1",
      contentType,
      storageClass: "STANDARD",
      ...settings,
      size: String(bytes),
      ...hashes,
      etag: Buffer.from(generation).toString("base64"),
      timeCreated: time,
      updated: time,
    };
  }
}

/** Compares the stated hashes with those of the content. @throws CloudError */
function checkHashes(stated: Partial<Hashes>, { md5Hash, crc32c }: Hashes): void {
  if (stated.md5Hash !== undefined && stated.md5Hash !== md5Hash)
    throw invalidField("md5Hash", `the content has the MD5 hash ${md5Hash}, not the stated hash: send it again`);
  if (stated.crc32c !== undefined && stated.crc32c !== crc32c)
    throw invalidField("crc32c", `the content has the CRC32C checksum ${crc32c}, not the stated one: send it again`);
}

function checkPreconditions({ parameters }: Preconditions, found: ObjectResource | undefined): void {
  const rules = [
    ["ifGenerationMatch", found?.generation ?? "0", true],
    ["ifGenerationNotMatch", found?.generation ?? "0", false],
    ["ifMetagenerationMatch", found?.metageneration ?? "0", true],
    ["ifMetagenerationNotMatch", found?.metageneration ?? "0", false],
  ] as const;
  for (const [name, actual, wanted] of rules) {
    const given = parameters[name];
    if (given === undefined || (String(given) === actual) === wanted) continue;
    const message = `At least one of the pre-conditions you specified did not hold: ${name}=${given}, the object has ${actual}.`;
    throw new CloudError("CONDITION_NOT_MET", message);
  }
}

/** Returns the length of an object with its metadata, in bytes. */
function sizeOf({ resource, content }: StoredObject): number {
  return content.byteLength + JSON.stringify(resource).length;
}

function keyOf(bucket: string, name: string): string {
  return `${bucket}/${name}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
