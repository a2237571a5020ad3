import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../lib/cloud/authority";
import type { Measurement } from "./measurement";

/** Measures whole processes, from their start to their end, and prints JSON. */
async function main(): Promise<void> {
  const rounds = process.argv.includes("--short") ? 5 : 15;
  const folder = mkdtempSync(join(tmpdir(), "bench-inventory-"));
  try {
    await writeCertificates(folder, fileCount);
    const program = join(__dirname, "..", "lib", "cli", "main.js");
    const measured = fastest(rounds, {
      bare: ["-e", "0"],
      help: [program, "--help"],
      peer: [join(__dirname, "inventory-peer-run.js"), folder],
      inventory: [program, "inventory", folder, "--json"],
    });
    const { bare, help, peer, inventory } = measured;
    const measurements: readonly Measurement[] = [
      {
        what: "cert-migration --help, time against node -e 0",
        goal: 2,
        ratio: help / bare,
        detail: `${help.toFixed(0)} ms and ${bare.toFixed(0)} ms`,
      },
      {
        what: `inventory of ${fileCount} PEM files, time against reading and parsing them with node:crypto`,
        goal: 2,
        ratio: inventory / peer,
        detail: `${inventory.toFixed(0)} ms and ${peer.toFixed(0)} ms`,
      },
    ];
    process.stdout.write(JSON.stringify(measurements));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fileCount = 1_000;

/**
 * Milliseconds that each program takes at best. They take turns, so that all of them meet the same machine; and whatever else is done there only
 * makes a run longer.
 */
function fastest<Name extends string>(
  rounds: number,
  programs: Readonly<Record<Name, readonly string[]>>,
): Readonly<Record<Name, number>> {
  const names = Object.keys(programs) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const started = process.hrtime.bigint();
      const { status } = spawnSync(process.execPath, programs[name], { stdio: ["ignore", "ignore", "inherit"] });
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      best[name] = Math.min(best[name], Number(process.hrtime.bigint() - started) / 1e6);
    }
  }
  return best;
}

/** Half with keys of RSA and half of ECDSA, each with two names of its own. Their signatures don't count: nobody looks at them here. */
async function writeCertificates(folder: string, count: number): Promise<void> {
  const authority = await createAuthority({ commonName: "Benchmark", now: () => new Date() });
  const patterns = await Promise.all(
    (["rsa-2048", "ecdsa-p256"] as const).map(async (publicKeyAlgorithm) => {
      const names = ["host0000.example.com", "www.host0000.example.com"];
      const { certificatePem } = await authority.issue({ names, publicKeyAlgorithm, validDays: 90 });
      return Buffer.from(certificatePem.replace(/-----.*-----/g, ""), "base64").toString("latin1");
    }),
  );
  for (let number = 0; number < count; number += 1) {
    const pattern = patterns[number % patterns.length] ?? "";
    const own = pattern.replaceAll("host0000", `host${String(number).padStart(4, "0")}`);
    const base64 = Buffer.from(own, "latin1").toString("base64");
    const pem = ["-----BEGIN CERTIFICATE-----", ...(base64.match(/.{1,64}/g) ?? []), "-----END CERTIFICATE-----", ""];
    writeFileSync(join(folder, `${number}.pem`), pem.join("\n"));
  }
}

void main();
