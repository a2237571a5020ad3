import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../lib/cloud/certificate-authority";
import { inTurns, type Measurement, medianOf, ratiosOf, type Side } from "./measurement";

/** Measures processes from start to exit and prints JSON. */
async function main(): Promise<void> {
  const rounds = process.argv.includes("--short") ? 5 : 15;
  const folder = mkdtempSync(join(tmpdir(), "bench-inventory-"));
  try {
    await writeCertificates(folder, fileCount);
    const program = join(__dirname, "..", "lib", "cli", "main.js");
    const measurements: readonly Measurement[] = [
      await compare("cert-migration --help, time against node -e 0", rounds, {
        own: [program, "--help"],
        peer: ["-e", "0"],
      }),
      await compare(
        `inventory of ${fileCount} PEM files, time against reading and parsing them with node:crypto`,
        rounds,
        { own: [program, "inventory", folder, "--json"], peer: [join(__dirname, "inventory-peer-run.js"), folder] },
      ),
    ];
    process.stdout.write(JSON.stringify(measurements));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fileCount = 1_000;

/** Compares the time of two programs; the goal is twice the time of the peer. */
async function compare(
  what: string,
  rounds: number,
  programs: Readonly<Record<Side, readonly string[]>>,
): Promise<Measurement> {
  const runs = await inTurns(rounds, (side) => millisecondsOf(programs[side]));
  const [own, peer] = [medianOf(runs, "own", Number), medianOf(runs, "peer", Number)];
  const detail = `${own.toFixed(0)} ms and ${peer.toFixed(0)} ms`;
  return { what, goal: 2, ratios: ratiosOf(runs, Number), detail };
}

function millisecondsOf(program: readonly string[]): number {
  const started = process.hrtime.bigint();
  const { status } = spawnSync(process.execPath, program, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${program.join(" ")} ended with ${status}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/**
 * Makes certificates with two names each, half with RSA and half with ECDSA keys. The signatures are not valid, because
 * neither side validates them.
 */
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
