import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StageOptions } from "./stage";

/** Keeps what happened, so that anyone can check a verdict without trusting the program that gave it. */
export interface Evidence extends Disposable {
  /** To be given to a rehearsal. */
  readonly hooks: Required<Pick<StageOptions, "onProbe" | "onRequest" | "onAnswer" | "onCertificate">>;
}

/**
 * Writes JSON lines as things happen: `probes.jsonl` (every handshake of the prober), `requests.jsonl` (every request to the cloud's API), `answers.jsonl`
 * (what DNS told the prober), `certificates.jsonl` (each managed certificate that was seen, with its chain).
 */
export function keepEvidence(folder: string): Evidence {
  mkdirSync(folder, { recursive: true });
  const files: number[] = [];
  const writer = (name: string) => {
    const file = openSync(join(folder, name), "w");
    files.push(file);
    return (item: object) => void writeSync(file, `${JSON.stringify(item)}\n`);
  };
  return {
    hooks: {
      onProbe: writer("probes.jsonl"),
      onRequest: writer("requests.jsonl"),
      onAnswer: writer("answers.jsonl"),
      onCertificate: writer("certificates.jsonl"),
    },
    [Symbol.dispose]: () => files.splice(0).forEach(closeSync),
  };
}
