import { CloudError } from "../cloud-error";

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
    if (needed > totalBytes) {
      throw tooLarge(
        `all objects together would have ${needed} bytes; the rehearsal cloud keeps up to ${totalBytes} bytes: delete objects`,
      );
    }
    this.#takenBytes = needed;
  }

  release(bytes: number): void {
    this.#takenBytes -= bytes;
  }
}

function tooLarge(message: string): CloudError {
  return new CloudError("INVALID_ARGUMENT", message, { reason: "uploadTooLarge", httpStatus: 413 });
}
