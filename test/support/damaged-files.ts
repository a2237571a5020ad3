import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const files = join(__dirname, "..", "fixtures", "inventory", "files");

/** Certificate files of every kind with changed or truncated octets, and files of other types. */
export function damagedFile(names: readonly string[]): fc.Arbitrary<Uint8Array> {
  const samples = names.map((name) => readFileSync(join(files, name)));
  const change = fc.tuple(fc.nat(4_000), fc.nat(255));
  const damaged = fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { maxLength: 6 }), fc.nat(3_000))
    .map(([sample, changes, end]) => {
      const bytes = Buffer.from(sample.subarray(0, end % 3 === 0 ? end : sample.length));
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      return bytes;
    });
  return fc.oneof(damaged, fc.uint8Array({ maxLength: 200 }));
}
