import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";

/** One of the process's streams, as far as it can be lost. */
type Stream = Pick<NodeJS.WriteStream, "isTTY"> & {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
};

/** What a process listens to so that no stream that fails ends it in the middle. */
export interface StreamWatch {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Told once or more that there is no point in going on: nobody reads the result, or it has no place. */
  readonly stop: (error: Error) => void;
}

/** Of a pipe whose reader has gone. */
const closedCodes: ReadonlySet<string | undefined> = new Set(["EPIPE", "ERR_STREAM_DESTROYED"]);

/**
 * Listens to the errors of both streams.
 *
 * A reader that closes the pipe early (`| head`), or a terminal whose window is closed, had what it wanted: the command is stopped in good order. So it is where
 * the result can't be written, as on a full disk, but that is an error. What can't be told on stderr is told nowhere, and keeps nobody from the result.
 *
 * @returns why the result can't be written, if so, whenever it is asked
 */
export function watchStreams({ stdout, stderr, stop }: StreamWatch): () => InputError | undefined {
  let lost: InputError | undefined;
  stdout.on("error", (error) => {
    const isClosed = closedCodes.has(error.code) || (error.code === "EIO" && stdout.isTTY === true);
    if (!isClosed) lost ??= unwritable(error);
    stop(error);
  });
  stderr.on("error", () => undefined);
  return () => lost;
}

function unwritable(error: NodeJS.ErrnoException): InputError {
  const what = `the result can't be written to stdout: ${fileReason(error)}`;
  const advice = "nothing of it is certain to have arrived: run the command again with stdout elsewhere";
  return new InputError("output-unwritable", `${what}; ${advice}`);
}
