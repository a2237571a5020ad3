import { quote } from "../../text/quote";
import type { WatchRecord } from "../model";
import { formatNumber } from "../words";
import type { Read } from "./sources";
import { createWatchCount } from "./watch-count";
import { readLine } from "./watch-lines";

/** Reads a log of `cert-migration watch --log` in chunks. Memory use does not grow with the length of the log. */
export interface WatchLogReader {
  /** Takes the next chunk of the log; it may end anywhere in a line. */
  push(piece: string): void;
  /** Returns the summary of the log. A truncated log is read as far as possible, and the notes mention it. */
  end(): Read<WatchRecord>;
}

/** Longest line that is read, in characters: the size of the summary of about ten thousand hostnames. */
const longestLine = 16 * 1024 * 1024;

/** Creates a reader for one log. @param source name of the log in problems and in the report */
export function createWatchLogReader(source: string): WatchLogReader {
  const count = createWatchCount();
  /** The chunks of an incomplete line so far. */
  let begun: string[] = [];
  let length = 0;
  let line = 0;
  let unread = 0;
  let firstUnread = 0;
  let hasStart = false;
  let wasCut = false;

  const skip = () => {
    unread += 1;
    if (firstUnread === 0) firstUnread = line;
  };
  const take = (text: string, isWhole: boolean) => {
    line += 1;
    if (text.trim() === "") return;
    const read = length > longestLine ? undefined : readLine(line === 1 ? text.replace(/^\uFEFF/, "") : text);
    if (read === undefined && !isWhole) wasCut = true;
    else if (read === undefined) skip();
    else if (read.kind === "start") hasStart = true;
    if (read !== undefined) count.add(read);
  };
  const endLine = (isWhole: boolean) => {
    take(begun.join(""), isWhole);
    begun = [];
    length = 0;
  };
  const keep = (piece: string) => {
    length += piece.length;
    if (length > longestLine) begun = ["…"];
    else begun.push(piece);
  };

  return {
    push: (piece) => {
      let from = 0;
      for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
        keep(piece.slice(from, end));
        endLine(true);
        from = end + 1;
      }
      keep(piece.slice(from));
    },
    end: () => {
      if (length > 0) endLine(false);
      if (!hasStart) {
        const message = `${quote(source)} is not a log of 'cert-migration watch --log': it has no line of the kind start and version 1`;
        return { problems: [{ code: "report-input-malformed", message }] };
      }
      const notes = [
        ...(wasCut ? [`line ${formatNumber(line)}, the last, was cut off in the middle and is not counted`] : []),
        ...(unread > 0
          ? [
              `${formatNumber(unread)} ${unread === 1 ? "line" : "lines"} could not be read and ${unread === 1 ? "is" : "are"} not counted, the first is line ${formatNumber(firstUnread)}`,
            ]
          : []),
      ];
      return { part: { source, ...count.result(notes) } };
    },
  };
}
