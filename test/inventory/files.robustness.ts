import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { takeInventory } from "../../lib/inventory";
import { damagedFile } from "../support/damaged-files";

const names = ["binary.cer", "bundle-der.p7c", "no-password.p12", "plain.pem", "legacy-3des.pfx"];

test(
  "reads 3,000 files with any bytes to the end without throwing",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "inventory-"));
    const file = join(folder, "fuzz");
    try {
      fc.assert(
        fc.property(damagedFile(names), (bytes) => {
          writeFileSync(file, bytes);
          const { certificates, errors } = takeInventory([file], { now: new Date(), passwords: ["sesame"] });
          expect(certificates.length + errors.length).toBeGreaterThan(0);
        }),
        { numRuns: 3_000 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  10 * 60_000,
);
