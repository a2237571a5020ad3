import type { Problem } from "../errors";

/** One block of a PEM file. */
export interface PemBlock {
  /** For example `CERTIFICATE` or `EC PRIVATE KEY`. */
  readonly label: string;
  /** Line number of its BEGIN line, from 1. */
  readonly line: number;
  readonly der: Uint8Array;
  /** Whether its headers state that it is encrypted, as in traditional keys. */
  readonly encrypted: boolean;
}

const beginLine = /^\s*-----BEGIN ([A-Z0-9 #]+)-----\s*$/;
const endLine = /^\s*-----END ([A-Z0-9 #]+)-----\s*$/;

/**
 * Reads the blocks of a PEM file with any line ends. Text, bag attributes or indentation around the blocks are ignored.
 * An unreadable block is a problem, and the following blocks are read as well.
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

/** A block without its END line so far. */
interface OpenBlock {
  readonly label: string;
  readonly line: number;
  readonly body: string[];
}

function decode({ label, line, body }: OpenBlock): PemBlock | undefined {
  const text = body.join("");
  // Most blocks have no headers, so that not every line has to be checked.
  const headers = text.includes(":") ? body.filter((content) => content.includes(":")) : [];
  const lines = headers.length === 0 ? text : body.filter((content) => !content.includes(":")).join("");
  const base64 = lines.replace(/\s+/g, "");
  if (base64 === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) return undefined;
  const encrypted = label.startsWith("ENCRYPTED") || headers.some((header) => /ENCRYPTED/.test(header));
  return { label, line, der: Buffer.from(base64, "base64"), encrypted };
}

/** Returns whether a block is a certificate, under any of the labels in use. */
export function isCertificateBlock({ label }: PemBlock): boolean {
  return label === "CERTIFICATE" || label === "X509 CERTIFICATE" || label === "TRUSTED CERTIFICATE";
}

/**
 * Returns the certificates of a PEM text in its order, each as a standard block, and nothing else. Files with a chain
 * often contain the private key as well, which must not be passed on with the certificates. Empty if the text has no
 * certificates.
 */
export function certificateBlocksOf(text: string): string {
  const { blocks } = readPemBlocks(text);
  return blocks
    .filter(isCertificateBlock)
    .map(({ label, der }) => toPem(label, der))
    .join("");
}

/** Formats a PEM block. */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
