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
  let open: { readonly label: string; readonly line: number; readonly body: string[] } | undefined;
  const unfinished = (line: number, label: string) => {
    problems.push({
      code: "certificate-file-pem-unfinished",
      message: `line ${line}: BEGIN ${label} has no END line; restore the file's end`,
    });
  };
  text.split(/\r\n|\r|\n/).forEach((content, index) => {
    const isMark = content.includes("-----");
    const begin = isMark ? beginLine.exec(content.replace(/^\uFEFF/, "")) : null;
    if (begin !== null) {
      if (open !== undefined) unfinished(open.line, open.label);
      open = { label: begin[1] as string, line: index + 1, body: [] };
      return;
    }
    if (open === undefined) return;
    if (!isMark || !endLine.test(content)) {
      open.body.push(content);
      return;
    }
    const block = decode(open);
    if (block === undefined) {
      problems.push({
        code: "certificate-file-pem-damaged",
        message: `line ${open.line}: ${open.label} is not base64; fetch the file again`,
      });
    } else {
      blocks.push(block);
    }
    open = undefined;
  });
  const last = open as { readonly label: string; readonly line: number } | undefined;
  if (last !== undefined) unfinished(last.line, last.label);
  return { blocks, problems };
}

function decode({
  label,
  line,
  body,
}: {
  readonly label: string;
  readonly line: number;
  readonly body: readonly string[];
}): PemBlock | undefined {
  // Hardly ever there.
  const text = body.join("\n");
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
