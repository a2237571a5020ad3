import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../lib/errors";
import { quote } from "../lib/text/quote";
import { isOwnResource } from "./own";

/** What a run created or was about to create. */
export interface JournalResource {
  /** Id of the method that creates it. */
  readonly createdBy: string;
  /** Parameters of the method that deletes it. */
  readonly target: Readonly<Record<string, string>>;
}

export interface JournalEntry extends JournalResource {
  /** Whether the request that creates it was answered; if not, the resource may still appear. */
  readonly isAnswered: boolean;
}

/** The run that a journal belongs to. Contains no secret. */
export interface JournalHeader {
  readonly version: 1;
  readonly project: string;
  readonly domain: string;
  readonly zone: string;
  readonly prefix: string;
  /** Service in place of Google's. */
  readonly endpoint?: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

export interface Journal {
  /**
   * Records a resource before the request that creates it. Returns when the entry is on the disk.
   *
   * @returns whether the resource is new
   */
  creating(resource: JournalResource): boolean;
  /** Records that the service refused to create a new resource, so that nothing is to be deleted. */
  refused(resource: JournalResource): void;
  /** Records that the request that creates the resource was answered. */
  answered(resource: JournalResource): void;
  /** Returns the recorded resources, oldest first, without repetitions. */
  resources(): readonly JournalEntry[];
  close(): void;
}

/** Creates a journal in memory, for a cloud that ends with the process. */
export function memoryJournal(): Journal {
  const all = new Map<string, JournalEntry>();
  const keyOf = ({ createdBy, target }: JournalResource) => JSON.stringify([createdBy, target]);
  const keep = ({ createdBy, target }: JournalResource, isAnswered: boolean) =>
    void all.set(keyOf({ createdBy, target }), { createdBy, target, isAnswered });
  return {
    creating: (resource) => {
      const isNew = !all.has(keyOf(resource));
      keep(resource, false);
      return isNew;
    },
    refused: (resource) => void all.delete(keyOf(resource)),
    answered: (resource) => keep(resource, true),
    resources: () => [...all.values()],
    close: () => undefined,
  };
}

/** Ends a run: without its journal, nothing more may be created. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Starts a journal file: one JSON object a line, each synchronized to the disk before the request it precedes. */
export function createJournal(path: string, header: JournalHeader): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "ax", 0o600);
  let octets = 0;
  const write = (value: object, isUrgent = true) => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    try {
      if (writeSync(file, line) < line.length) throw new Error("the disk is full");
      if (isUrgent) fsyncSync(file);
      octets += line.length;
    } catch (error) {
      // A part of a line would make the rest of the journal unreadable.
      ftruncateSync(file, octets);
      throw new JournalError(`${path} can't be written: ${(error as Error).message}; the run ends`);
    }
  };
  write(header);
  const memory = memoryJournal();
  return {
    creating: (resource) => {
      write(resource);
      return memory.creating(resource);
    },
    refused: (resource) => {
      write({ refused: resource });
      memory.refused(resource);
    },
    answered: (resource) => {
      // If the line is lost, a cleanup takes longer.
      write({ answered: resource }, false);
      memory.answered(resource);
    },
    resources: () => memory.resources(),
    close: () => closeSync(file),
  };
}

/**
 * Reads a journal file. A last line that a kill has cut is ignored: its request was not sent.
 *
 * @throws InputError `file-unreadable` for a file that is not a journal
 */
export function readJournal(path: string): {
  readonly header: JournalHeader;
  readonly resources: readonly JournalEntry[];
} {
  const refuse = (what: string) =>
    new InputError("file-unreadable", `${quote(path)} ${what}; name the journal that the killed run printed`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw refuse(`can't be read (${(error as NodeJS.ErrnoException).code ?? "failed"})`);
  }
  const lines = text.split("\n");
  const complete = lines.slice(0, -1).map((line, index) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      throw refuse(`has no JSON in line ${index + 1}`);
    }
  });
  const [header, ...entries] = complete;
  if (!isHeader(header)) throw refuse("does not begin with the header of a conformance run");
  const refuseOthers = (resource: JournalResource, line: number) => {
    if (isOwnResource(resource, header)) return resource;
    throw refuse(`names in line ${line} what is not of the run ${header.prefix}: ${JSON.stringify(resource.target)}`);
  };
  const journal = memoryJournal();
  for (const [index, entry] of entries.entries()) {
    const { refused, answered } = (entry ?? {}) as { readonly refused?: unknown; readonly answered?: unknown };
    if (isResource(refused)) journal.refused(refused);
    else if (isResource(answered)) journal.answered(refuseOthers(answered, index + 2));
    else if (isResource(entry)) journal.creating(refuseOthers(entry, index + 2));
    else throw refuse(`has no resource in line ${index + 2}`);
  }
  return { header, resources: journal.resources() };
}

/** Form of the random prefix of a run. */
const prefixPattern = /^cf[0-9a-f]{6}$/;

function isHeader(value: unknown): value is JournalHeader {
  const { version, project, domain, zone, prefix, endpoint } = (value ?? {}) as Partial<JournalHeader>;
  const isWhole = [project, domain, zone, prefix].every((text) => typeof text === "string" && text !== "");
  const isEndpoint = endpoint === undefined || typeof endpoint === "string";
  return version === 1 && isWhole && isEndpoint && prefixPattern.test(prefix ?? "");
}

function isResource(value: unknown): value is JournalResource {
  const { createdBy, target } = (value ?? {}) as Partial<JournalResource>;
  return typeof createdBy === "string" && typeof target === "object" && target !== null;
}
