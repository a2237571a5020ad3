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
import type { RehearsalObserver } from "../observer";
import type { RehearsalResult } from "../rehearsal";
import type { KeepFile } from "../terraform";

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
previous-trust-bundle.pem roots of the previous provider's CA
previous-certificates.pem leaf and intermediate certificates of the previous provider
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
 * Records what happened, so that anyone can check a verdict without trusting the program that produced it. Writes JSON
 * lines as events occur, into the files of {@link lineNames}, and a description of the folder into {@link readMeName}.
 */
export class EvidenceFolder implements Disposable {
  /** Writes events of a rehearsal. */
  readonly observer: Required<Pick<RehearsalObserver, "probe" | "discarded" | "request" | "answer" | "certificate">>;
  readonly #folder: string;
  readonly #breaking = new AbortController();
  readonly #open = new Set<number>();
  readonly #lines: Record<string, number> = {};
  #isOver = false;

  constructor(folder: string) {
    this.#folder = folder;
    makeFolder(folder);
    this.keepFile(readMeName, readMe);
    this.observer = {
      probe: this.#writer(lineNames.probes),
      discarded: this.#writer(lineNames.discarded),
      request: this.#writer(lineNames.requests),
      answer: this.#writer(lineNames.answers),
      certificate: this.#writer(lineNames.certificates),
    };
  }

  /**
   * Aborted with an InputError `evidence-unwritable` as soon as a file can't be written, for example because the disk
   * is full. Nothing is written after that. The existing files show what happened until then, without a verdict.
   */
  get broken(): AbortSignal {
    return this.#breaking.signal;
  }

  /** Writes a file, or appends to it. */
  readonly keepFile: KeepFile = (name, text, how) =>
    this.#unlessOver(name, () => {
      const file = join(this.#folder, name);
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

  /**
   * Writes the verdict and a digest of every file. Nothing is written after that.
   *
   * @returns the SHA-256 of the file of digests, in hexadecimal; undefined if it could not be written
   */
  conclude(result: RehearsalResult): string | undefined {
    this.keepFile(resultName, `${JSON.stringify({ ...result, lines: this.#lines }, undefined, 2)}\n`);
    let manifestSha256: string | undefined;
    this.#unlessOver(digestsName, () => {
      const digests = filesIn(this.#folder).map((name) => `${fileDigest(join(this.#folder, name))}  ${name}\n`);
      writeFileSync(join(this.#folder, digestsName), digests.join(""));
      manifestSha256 = fileDigest(join(this.#folder, digestsName));
    });
    this[Symbol.dispose]();
    return manifestSha256;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const file of this.#open) closeSync(file);
    this.#open.clear();
  }

  /**
   * Skips writes after the verdict, which does not cover them. Also skips writes after a failed write, because evidence
   * with a gap can't confirm a verdict.
   */
  #unlessOver(name: string, write: () => void): void {
    if (this.#isOver) return;
    try {
      write();
    } catch (error) {
      this[Symbol.dispose]();
      rmSync(join(this.#folder, resultName), { force: true });
      this.#breaking.abort(unwritable(join(this.#folder, name), this.#folder, error));
    }
  }

  /** Returns a function that adds an item to a file of JSON lines. */
  #writer(name: string): (item: object) => void {
    let file = -1;
    /** Number of bytes in complete lines. */
    let length = 0;
    this.#lines[name] = 0;
    this.#unlessOver(name, () => {
      file = openSync(join(this.#folder, name), "w");
      this.#open.add(file);
    });
    return (item) =>
      this.#unlessOver(name, () => {
        const line = `${JSON.stringify(item)}\n`;
        try {
          appendFileSync(file, line);
        } catch (error) {
          cutOff(file, length);
          throw error;
        }
        length += Buffer.byteLength(line);
        this.#lines[name] = (this.#lines[name] ?? 0) + 1;
      });
  }
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

export function fileDigest(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
