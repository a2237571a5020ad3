/** The end of a command for people: the verdict in one line, and lines with the state of what they are about. */
import { type MarkedState, stateMarks } from "../text/state-marks";
import type { Io } from "./command";
import { folderFor, isTerminal, type Paint, paintFor, stateTones } from "./style";
import { safe } from "./text";

export interface VerdictLine {
  readonly state: MarkedState;
  /** What the eye finds first, as in `the plan is refused`. */
  readonly headline: string;
  /** Rest of the line, as in `: 1 danger, 0 warnings`. @default - nothing */
  readonly rest?: string;
}

/** Returns a verdict as one plain line. */
export function verdictText({ headline, rest = "" }: VerdictLine): string {
  return `${headline}${rest}`;
}

/** Colors a headline, which is safe and in one line, by its state, in bold. */
export function paintHeadline(headline: string, state: MarkedState, paint: Paint): string {
  return paint("strong", paint(stateTones[state], headline));
}

type Stream = "stdout" | "stderr";
type Output<To extends Stream> = Pick<Io, To | "env" | "color"> & Pick<Io, To | "env">;

/** Writes a verdict, on a terminal after the mark of its state; the texts are made safe here. */
export function writeVerdict<To extends Stream>(verdict: VerdictLine, io: Output<To>, stream: To): void {
  const paint = paintFor(io, stream);
  writeMarked(verdict.state, verdictText(verdict), io, stream, (line, marked) => {
    const start = `${marked}${safe(verdict.headline)}`.slice(0, line.length);
    return `${paintHeadline(start, verdict.state, paint)}${line.slice(start.length)}`;
  });
}

/** Writes the verdict of a command whose exit code and results are enough in a pipeline, only on a terminal. */
export function closeOnTerminal(verdict: VerdictLine, io: Pick<Io, "stderr" | "env" | "color" | "quiet">): void {
  if (io.quiet !== true && isTerminal(io.stderr, io.env)) writeVerdict(verdict, io, "stderr");
}

/** Writes a line about something in a state, on a terminal after the mark of the state; the text is made safe here. */
export function writeState<To extends Stream>(state: MarkedState, text: string, io: Output<To>, stream: To): void {
  const paint = paintFor(io, stream);
  writeMarked(state, text, io, stream, (line, marked) => {
    return marked === "" ? line : `${paint(stateTones[state], marked.trimEnd())} ${line.slice(marked.length)}`;
  });
}

/** @param paintFirst colors the first line; `marked` is the mark and a space, or empty without a terminal */
function writeMarked<To extends Stream>(
  state: MarkedState,
  text: string,
  io: Output<To>,
  stream: To,
  paintFirst: (line: string, marked: string) => string,
): void {
  const to: Io["stdout"] = io[stream];
  const marked = isTerminal(to, io.env) ? `${stateMarks[state]} ` : "";
  const [first = "", ...others] = folderFor(io, stream)(`${marked}${safe(text)}`, 2).split("\n");
  to.write(`${[paintFirst(first, marked), ...others].join("\n")}\n`);
}
