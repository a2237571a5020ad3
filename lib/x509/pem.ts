import type { Problem } from "../errors";

/** One block of a PEM file. */
export interface PemBlock {
  /** As in `CERTIFICATE` or `EC PRIVATE KEY`. */
  readonly label: string;
  /** Number of its BEGIN line, counted from 1. */
  readonly line: number;
  readonly der: Uint8Array;
  /** Whether it carries headers that say it is encrypted, as traditional keys do. */
  readonly encrypted: boolean;
}

const beginLine = /^\s*-----BEGIN ([A-Z0-9 #]+)-----\s*$/;
const endLine = /^\s*-----END ([A-Z0-9 #]+)-----\s*$/;

/**
 * Reads the blocks of a PEM file: whatever line ends, with text, bag attributes or indentation around them. A block that can't be read is a
 * problem, and the ones after it are read all the same.
 */
export function readPemBlocks(text: string): {
  readonly blocks: readonly PemBlock[];
  readonly problems: readonly Problem[];
} {
  const blocks: PemBlock[] = [];
  const problems: Problem[] = [];
  let open: OpenBlock | undefined;
  const giveUp = ({ line, label }: OpenBlock) => {
    const message = `line ${line}: BEGIN ${label} has no END line; restore the file's end`;
    problems.push({ code: "certificate-file-pem-unfinished", message });
  };
  for (const [index, content] of text.split(/\r\n|\r|\n/).entries()) {
    const isMark = content.includes("-----");
    const begin = isMark ? beginLine.exec(content.replace(/^\uFEFF/, "")) : null;
    if (begin !== null) {
      if (open !== undefined) giveUp(open);
      open = { label: begin[1] as string, line: index + 1, body: [] };
    } else if (open !== undefined && isMark && endLine.test(content)) {
      const block = decode(open);
      if (block !== undefined) blocks.push(block);
      else {
        const message = `line ${open.line}: ${open.label} is not base64; fetch the file again`;
        problems.push({ code: "certificate-file-pem-damaged", message });
      }
      open = undefined;
    } else {
      open?.body.push(content);
    }
  }
  if (open !== undefined) giveUp(open);
  return { blocks, problems };
}

/** A block whose END line has not come yet. */
interface OpenBlock {
  readonly label: string;
  readonly line: number;
  readonly body: string[];
}

function decode({ label, line, body }: OpenBlock): PemBlock | undefined {
  const text = body.join("\n");
  // Nearly all blocks have none: then there is no need to look at each line.
  const headers = text.includes(":") ? body.filter((content) => content.includes(":")) : [];
  const lines = headers.length === 0 ? text : body.filter((content) => !content.includes(":")).join("");
  const base64 = lines.replace(/\s+/g, "");
  if (base64 === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) return undefined;
  const encrypted = label.startsWith("ENCRYPTED") || headers.some((header) => /ENCRYPTED/.test(header));
  return { label, line, der: Buffer.from(base64, "base64"), encrypted };
}

/** Whether a block is a certificate, under any of the labels in use. */
export function isCertificateBlock({ label }: PemBlock): boolean {
  return label === "CERTIFICATE" || label === "X509 CERTIFICATE" || label === "TRUSTED CERTIFICATE";
}

/**
 * The certificates of a PEM text, in its order, each in a block as PEM is mostly written, and nothing else of it: files that hold a chain often hold its private key
 * as well, which is not to go where certificates go. Empty where there is none.
 */
export function certificateBlocksOf(text: string): string {
  const { blocks } = readPemBlocks(text);
  return blocks
    .filter(isCertificateBlock)
    .map(({ label, der }) => toPem(label, der))
    .join("");
}

/** A block of PEM. */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
