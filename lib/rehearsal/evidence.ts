import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../make-folder";
import type { RehearsalResult } from "./rehearsal";
import type { StageOptions } from "./stage";

/** Keeps what happened, so that anyone can check a verdict without trusting the program that gave it. */
interface Evidence extends Disposable {
  /** To be given to a rehearsal. */
  readonly hooks: Required<Pick<StageOptions, "onProbe" | "onRequest" | "onAnswer" | "onCertificate" | "evidence">>;
  /** Keeps the verdict, and a digest of every file: nothing is written any more after it. */
  readonly conclude: (result: RehearsalResult) => void;
}

/** The verdict, as JSON. */
export const resultName = "result.json";
/** What there is, and how to check it: the first that is written. */
export const readMeName = "EVIDENCE.txt";
/** SHA-256 of every other file, as `sha256sum` writes it. */
export const digestsName = "SHA256SUMS";

/** What a verdict says beside the result: how many lines there are. */
export interface Verdict extends RehearsalResult {
  readonly lines: Readonly<Record<string, number>>;
}

const readMe = `Evidence of a rehearsal.

result.json             the verdict, step by step; times are those of the rehearsal's cloud
probes.jsonl            every handshake: time, hostname, address as DNS gave it, side, SHA-256 of the certificate that was presented
answers.jsonl           what DNS told the prober
requests.jsonl          every request to the cloud's API, as it was answered, numbered
certificates.jsonl      each certificate of Certificate Manager that was issued or uploaded, with its chain
trust-bundle.pem        roots of the cloud's authority
old-trust-bundle.pem    roots of the old provider's authority
old-certificates.pem    leaves and intermediates that the old provider presented
uploaded.pem            chains that the stack uploads itself, which clients of the rehearsal trust
terraform/terraform.log every run of Terraform, and what it said
terraform/plans/        every plan as JSON: NN-apply was applied as it is, NN-after was made after it
terraform/states/       the state after each apply
SHA256SUMS              digests of all of these

No private key and no token is in any of them: '(secret, left out)' stands where Terraform has one.

To check it without the program that wrote it:

nothing was changed     sha256sum -c SHA256SUMS
failed handshakes       grep -c '"ok":false' probes.jsonl
by hostname             jq -r .hostname probes.jsonl | sort | uniq -c
a certificate's chain   jq -r .pemCertificate certificates.jsonl | head -n 1 | openssl verify -CAfile trust-bundle.pem -untrusted /dev/stdin
an empty second plan    jq '[.resource_changes[]? | select(.change.actions != ["no-op"])] | length' terraform/plans/*-after.json

cert-migration rehearse --check-evidence FOLDER does all of that, and more.
`;

/**
 * Writes JSON lines as things happen: `probes.jsonl` (every handshake of the prober), `requests.jsonl` (every request to the cloud's API), `answers.jsonl`
 * (what DNS told the prober), `certificates.jsonl` (each certificate that was seen, with its chain); and what there is in the folder, in {@link readMeName}.
 */
export function keepEvidence(folder: string): Evidence {
  makeFolder(folder);
  writeFileSync(join(folder, readMeName), readMe);
  const files: number[] = [];
  const lines: Record<string, number> = {};
  const writer = (name: string) => {
    const file = openSync(join(folder, name), "w");
    files.push(file);
    lines[name] = 0;
    return (item: object) => {
      // What comes after the verdict belongs to nothing that it tells of.
      if (files.length === 0) return;
      lines[name] = (lines[name] ?? 0) + 1;
      writeSync(file, `${JSON.stringify(item)}\n`);
    };
  };
  const close = () => files.splice(0).forEach(closeSync);
  return {
    hooks: {
      onProbe: writer("probes.jsonl"),
      onRequest: writer("requests.jsonl"),
      onAnswer: writer("answers.jsonl"),
      onCertificate: writer("certificates.jsonl"),
      evidence: folder,
    },
    conclude: (result) => {
      close();
      writeFileSync(join(folder, resultName), `${JSON.stringify({ ...result, lines }, undefined, 2)}\n`);
      const digests = filesIn(folder).map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
      writeFileSync(join(folder, digestsName), digests.join(""));
    },
    [Symbol.dispose]: close,
  };
}

/** Names of all files in a folder and below, sorted; without that of the digests. */
export function filesIn(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name !== digestsName)
    .sort();
}

export function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
