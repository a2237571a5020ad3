import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { RehearsalResult } from "./rehearsal";
import type { StageOptions } from "./stage";

/** Keeps what happened, so that anyone can check a verdict without trusting the program that gave it. */
interface Evidence extends Disposable {
  /** To be given to a rehearsal. */
  readonly hooks: Required<Pick<StageOptions, "onProbe" | "onRequest" | "onAnswer" | "onCertificate" | "keepsPlans">>;
  /** Keeps the verdict. */
  readonly conclude: (result: RehearsalResult) => void;
}

/** The verdict, as JSON. */
export const resultName = "result.json";

const readMe = `Evidence of a rehearsal.

result.json             the verdict, step by step; times are those of the rehearsal's cloud
probes.jsonl            every handshake: time, hostname, address as DNS gave it, side, SHA-256 of the certificate that was presented
answers.jsonl           what DNS told the prober
requests.jsonl          every request to the cloud's API, as it was answered
certificates.jsonl      each certificate of Certificate Manager that was issued or uploaded, with its chain
trust-bundle.pem        roots of the cloud's authority
old-trust-bundle.pem    roots of the old provider's authority
old-certificates.pem    leaves and intermediates that the old provider presented
terraform/terraform.log every run of Terraform, and what it said
terraform/plans/        every plan, as Terraform's own file and as JSON: NN-apply was applied as it is, NN-after was made after it
terraform/states/       the state after each apply; it holds keys, as states do

To check it without the program that wrote it:

failed handshakes       grep -c '"ok":false' probes.jsonl
by hostname             jq -r .hostname probes.jsonl | sort | uniq -c
a certificate's chain   jq -r .pemCertificate certificates.jsonl | head -n 1 | openssl verify -CAfile trust-bundle.pem -untrusted /dev/stdin
an empty second plan    jq '[.resource_changes[]? | select(.change.actions != ["no-op"])] | length' terraform/plans/*-after.json

cert-migration rehearse --check-evidence FOLDER does all of that, and more.
`;

/**
 * Writes JSON lines as things happen: `probes.jsonl` (every handshake of the prober), `requests.jsonl` (every request to the cloud's API), `answers.jsonl`
 * (what DNS told the prober), `certificates.jsonl` (each certificate that was seen, with its chain); and what there is in the folder, in `README.txt`.
 */
export function keepEvidence(folder: string): Evidence {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "README.txt"), readMe);
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
      keepsPlans: true,
    },
    conclude: (result) => writeFileSync(join(folder, resultName), `${JSON.stringify(result, undefined, 2)}\n`),
    [Symbol.dispose]: () => files.splice(0).forEach(closeSync),
  };
}
