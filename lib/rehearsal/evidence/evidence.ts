import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../errors";
import { fileReason } from "../../files/file-reason";
import { makeFolder } from "../../files/make-folder";
import { quote } from "../../text/quote";
import type { RehearsalResult } from "../rehearsal";
import type { StageOptions } from "../stage";
import { digestsName, lineNames, readMeName, readMeTitle, resultName } from "./file-names";

/** Keeps what happened, so that anyone can check a verdict without trusting the program that gave it. */
interface Evidence extends Disposable {
  /** To be given to a rehearsal. */
  readonly hooks: Required<
    Pick<StageOptions, "onProbe" | "onDiscarded" | "onRequest" | "onAnswer" | "onCertificate" | "keepFile">
  >;
  /**
   * Aborted with an InputError `evidence-unwritable` as soon as something can't be kept, as where no space is left. Nothing is written any more after it: what is
   * there is what happened up to then, and has no verdict.
   */
  readonly broken: AbortSignal;
  /** Keeps the verdict, and a digest of every file: nothing is written any more after it. */
  readonly conclude: (result: RehearsalResult) => void;
}

/** What a verdict says beside the result: how many lines there are. */
export interface Verdict extends RehearsalResult {
  readonly lines: Readonly<Record<string, number>>;
}

const readMe = `${readMeTitle}

result.json             the verdict, step by step; times are those of the rehearsal's cloud
probes.jsonl            every handshake: time, hostname, address as DNS gave it, side, SHA-256 of the certificate that was presented;
                        "confirmed":false where the server said nothing after the handshake
discarded.jsonl         tries that timed out while the rehearsal's own process stood still: no verdict, and each was made again
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
tries thrown away       jq -c 'select(.waitedMs - .ranMs <= 1000)' discarded.jsonl (none: each waited for more than a second in which nothing ran)
by hostname             jq -r .hostname probes.jsonl | sort | uniq -c
a certificate's chain   jq -r .pemCertificate certificates.jsonl | head -n 1 | openssl verify -CAfile trust-bundle.pem -untrusted /dev/stdin
an empty second plan    jq '[.resource_changes[]?.change, .output_changes[]? | select(.actions != ["no-op"])] | length' terraform/plans/*-after.json

cert-migration rehearse --check-evidence FOLDER does all of that, and more.
`;

/** Writes JSON lines as things happen, into the files of {@link lineNames}; and what there is in the folder, into {@link readMeName}. */
export function keepEvidence(folder: string): Evidence {
  const breaking = new AbortController();
  const files = new Set<number>();
  const lines: Record<string, number> = {};
  let isOver = false;
  const close = () => {
    isOver = true;
    for (const file of files) closeSync(file);
    files.clear();
  };
  /** What comes after the verdict belongs to nothing that it tells of, and what comes after a gap proves nothing. */
  const unlessOver = (name: string, write: () => void) => {
    if (isOver) return;
    try {
      write();
    } catch (error) {
      close();
      rmSync(join(folder, resultName), { force: true });
      breaking.abort(unwritable(join(folder, name), folder, error));
    }
  };
  const writer = (name: string) => {
    let file: number | undefined;
    /** Bytes of the lines that are whole. */
    let length = 0;
    lines[name] = 0;
    unlessOver(name, () => {
      file = openSync(join(folder, name), "w");
      files.add(file);
    });
    return (item: object) =>
      unlessOver(name, () => {
        const line = `${JSON.stringify(item)}\n`;
        try {
          appendFileSync(file as number, line);
        } catch (error) {
          cutOff(file as number, length);
          throw error;
        }
        length += Buffer.byteLength(line);
        lines[name] = (lines[name] ?? 0) + 1;
      });
  };
  const keepFile: Evidence["hooks"]["keepFile"] = (name, text, how) =>
    unlessOver(name, () => {
      const file = join(folder, name);
      makeFolder(dirname(file));
      // Whoever may read the verdict may not read what Terraform knows.
      const access = name.startsWith("terraform/") ? { mode: 0o600 } : {};
      if (how === "added") return appendFileSync(file, text, access);
      try {
        writeFileSync(file, text, access);
      } catch (error) {
        rmSync(file, { force: true });
        throw error;
      }
    });
  makeFolder(folder);
  keepFile(readMeName, readMe);
  return {
    hooks: {
      onProbe: writer(lineNames.probes),
      onDiscarded: writer(lineNames.discarded),
      onRequest: writer(lineNames.requests),
      onAnswer: writer(lineNames.answers),
      onCertificate: writer(lineNames.certificates),
      keepFile,
    },
    broken: breaking.signal,
    conclude: (result) => {
      keepFile(resultName, `${JSON.stringify({ ...result, lines }, undefined, 2)}\n`);
      unlessOver(digestsName, () => {
        const digests = filesIn(folder).map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
        writeFileSync(join(folder, digestsName), digests.join(""));
      });
      close();
    },
    [Symbol.dispose]: close,
  };
}

/** Takes the begin of a line away that did not fit. */
function cutOff(file: number, length: number): void {
  try {
    ftruncateSync(file, length);
  } catch {
    // Why the line could not be written says more than this.
  }
}

function unwritable(file: string, folder: string, error: unknown): InputError {
  const what = `--evidence: ${quote(file)} can't be written: ${fileReason(error)}`;
  const left = `what is in ${quote(folder)} is what happened up to then, without a verdict`;
  const advice = "make room there or name another folder, and rehearse again";
  return new InputError("evidence-unwritable", `${what}; the rehearsal was stopped, and ${left}; ${advice}`);
}

/** Names of all files in a folder and below, sorted; without that of the digests. */
export function filesIn(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name !== digestsName)
    .sort();
}

export function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
