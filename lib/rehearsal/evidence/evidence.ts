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
import { digestsName, lineNames, readMeName, readMeTitle, resultName } from "../folder";
import type { RehearsalResult } from "../rehearsal";
import type { StageOptions } from "../stage";

/** Records what happened, so that anyone can check a verdict without trusting the program that produced it. */
interface Evidence extends Disposable {
  /** Hooks to pass to a rehearsal. */
  readonly hooks: Required<
    Pick<StageOptions, "onProbe" | "onDiscarded" | "onRequest" | "onAnswer" | "onCertificate" | "keepFile">
  >;
  /**
   * Aborted with an InputError `evidence-unwritable` as soon as a file can't be written, for example because the disk
   * is full. Nothing is written after that. The existing files show what happened until then, without a verdict.
   */
  readonly broken: AbortSignal;
  /**
   * Writes the verdict and a digest of every file. Nothing is written after that.
   *
   * @returns the SHA-256 of the file of digests, in hexadecimal; undefined if it could not be written
   */
  readonly conclude: (result: RehearsalResult) => string | undefined;
}

/** The result with the number of lines of each file. */
export interface Verdict extends RehearsalResult {
  readonly lines: Readonly<Record<string, number>>;
}

const readMe = `${readMeTitle}

result.json             the verdict, step by step; times are those of the rehearsal's cloud
probes.jsonl            every handshake: time, hostname, address as DNS gave it, side, SHA-256 of the certificate that was presented;
                        "confirmed":false if the server sent nothing after the handshake;
                        with mutual TLS "clientCertificate", and "refused":true for a client that had to be refused
discarded.jsonl         attempts that timed out while the process of the rehearsal was suspended; each was repeated
answers.jsonl           DNS answers to the prober
requests.jsonl          every request to the cloud's API, as it was answered, numbered
certificates.jsonl      each certificate of Certificate Manager that was issued or uploaded, with its chain
trust-bundle.pem        roots of the cloud's CA
old-trust-bundle.pem    roots of the previous provider's CA
old-certificates.pem    leaf and intermediate certificates of the previous provider
uploaded.pem            chains that the stack uploads itself, which clients of the rehearsal trust
client-certificate.pem  certificate of the clients, in a rehearsal with mutual TLS
terraform/terraform.log each run of Terraform with its output
terraform/plans/        every plan as JSON: NN-apply was applied as it is, NN-after was made after it
terraform/states/       the state after each apply
SHA256SUMS              digests of all of these

No private key and no token is in any of them: '(secret, left out)' stands where Terraform has one.

To check it without the program that wrote it:

nothing was changed     sha256sum -c SHA256SUMS
the report's evidence   sha256sum SHA256SUMS (the report of the rehearsal shows the same digest)
failed handshakes       grep -c '"ok":false' probes.jsonl
discarded probes        jq -c 'select(.waitedMs - .ranMs <= 1000)' discarded.jsonl (none: each waited for more than a second in which nothing ran)
by hostname             jq -r .hostname probes.jsonl | sort | uniq -c
a certificate's chain   jq -r .pemCertificate certificates.jsonl | head -n 1 | openssl verify -CAfile trust-bundle.pem -untrusted /dev/stdin
an empty second plan    jq '[.resource_changes[]?.change, .output_changes[]? | select(.actions != ["no-op"])] | length' terraform/plans/*-after.json

cert-migration rehearse --check-evidence FOLDER does all of that, and more.
`;

/**
 * Writes JSON lines as events occur, into the files of {@link lineNames}. Writes a description of the folder into
 * {@link readMeName}.
 */
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
  /**
   * Skips writes after the verdict, which does not cover them. Also skips writes after a failed write, because evidence
   * with a gap can't confirm a verdict.
   */
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
    /** Number of bytes in complete lines. */
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
      // The verdict may be readable by others; Terraform's files may not.
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
      let manifestSha256: string | undefined;
      unlessOver(digestsName, () => {
        const digests = filesIn(folder).map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
        writeFileSync(join(folder, digestsName), digests.join(""));
        manifestSha256 = digestOf(join(folder, digestsName));
      });
      close();
      return manifestSha256;
    },
    [Symbol.dispose]: close,
  };
}

/** Removes the beginning of a line that was not written completely. */
function cutOff(file: number, length: number): void {
  try {
    ftruncateSync(file, length);
  } catch {
    // The error that prevented the line is more useful than this one.
  }
}

function unwritable(file: string, folder: string, error: unknown): InputError {
  const what = `--evidence: ${quote(file)} can't be written: ${fileReason(error)}`;
  const left = `what is in ${quote(folder)} is what happened up to then, without a verdict`;
  const advice = "make room there or name another folder, and rehearse again";
  return new InputError("evidence-unwritable", `${what}; the rehearsal was stopped, and ${left}; ${advice}`);
}

/** Returns the sorted names of all files in a folder and its subfolders, without the file of digests. */
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
