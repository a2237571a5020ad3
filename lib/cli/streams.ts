import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";

type Stream = Pick<NodeJS.WriteStream, "isTTY"> & {
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
};

export interface StreamWatch {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /**
   * Stops the command when it cannot deliver its result: the reader has closed the stream, or the write failed. May be
   * called several times.
   */
  readonly stop: (error: Error) => void;
  /**
   * Whether a closed stderr also stops the command. A gate writes only there, and its reader is Terraform.
   *
   * @default false
   */
  readonly needsStderr?: boolean;
}

/** Error codes of a pipe whose reader has closed it. */
const closedCodes: ReadonlySet<string | undefined> = new Set(["EPIPE", "ERR_STREAM_DESTROYED"]);

/**
 * Listens to the errors of both streams.
 *
 * A reader that closes the pipe early (`| head`), or a terminal whose window is closed, does not need further output:
 * the command stops cleanly. The command also stops cleanly if the result cannot be written, for example on a full
 * disk, but that is an error. Other errors of stderr are ignored and never block the result.
 *
 * @returns a function that returns the reason why the result could not be written, if any
 */
export function watchStreams({ stdout, stderr, stop, needsStderr = false }: StreamWatch): () => InputError | undefined {
  let lost: InputError | undefined;
  stdout.on("error", (error) => {
    const isClosed = closedCodes.has(error.code) || (error.code === "EIO" && stdout.isTTY === true);
    if (!isClosed) lost ??= unwritable(error);
    stop(error);
  });
  stderr.on("error", (error) => {
    if (needsStderr && closedCodes.has(error.code)) stop(error);
  });
  return () => lost;
}

function unwritable(error: NodeJS.ErrnoException): InputError {
  const what = `the result can't be written to stdout: ${fileReason(error)}`;
  const advice = "nothing of it is certain to have arrived: run the command again with stdout elsewhere";
  return new InputError("output-unwritable", `${what}; ${advice}`);
}
