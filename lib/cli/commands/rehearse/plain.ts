import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import { safe } from "../../text";
import type { RehearsalBoard } from "./board-model";

/** Maximum time without output on stderr, in milliseconds: the log of a pipeline has to show that the rehearsal is running. */
const silenceMs = 20_000;
const lookMs = 1_000;

/**
 * Calls a function at intervals, and does not keep the process alive.
 *
 * @returns a function that stops the calls
 */
type Repeat = (work: () => void, milliseconds: number) => () => void;

/** Shows a rehearsal without a terminal: line by line, with a progress line after a period without output. */
export function createPlainBoard(
  { stderr, now }: Pick<Io, "stderr" | "now">,
  repeat: Repeat = atIntervals,
): RehearsalBoard {
  let toldAt = now().getTime();
  let underWay = "getting ready";
  let begunAt = toldAt;
  let terraform = "";
  const handshakes = { made: 0, failed: 0 };
  const say = (line: string) => {
    toldAt = now().getTime();
    stderr.write(`${safe(line)}\n`);
  };
  const look = () => {
    if (now().getTime() - toldAt < silenceMs) return;
    const seconds = Math.round((now().getTime() - begunAt) / 1_000);
    const { made, failed } = handshakes;
    say(`... ${underWay}: ${seconds} s${terraform}; ${countOf(made, "handshake")} so far, ${failed} failed`);
  };
  return {
    hooks: {
      onProbe: ({ ok }) => {
        handshakes.made += 1;
        if (!ok) handshakes.failed += 1;
      },
      onPart: ({ name, ok }) => {
        begunAt = now().getTime();
        terraform = "";
        underWay = ok === undefined ? name : "between steps";
      },
      onTerraform: ({ verb, done, total }) => {
        terraform = `, terraform ${verb}${total === undefined ? "" : `: ${done} of ${countOf(total, "change")}`}`;
      },
    },
    say,
    freeze: (text) => {
      stderr.write(text);
      return () => undefined;
    },
    end: repeat(look, lookMs),
  };
}

function atIntervals(work: () => void, milliseconds: number): () => void {
  const timer = setInterval(work, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
