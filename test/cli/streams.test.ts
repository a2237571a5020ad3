import { Writable } from "node:stream";
import { createRehearsalBoard } from "../../lib/cli/commands/rehearse/board";
import { watchStreams } from "../../lib/cli/streams";
import { testIo } from "../support/io";

/** A stream like stdout of a process; its writes fail once `code` is set. */
class Failing extends Writable {
  code: string | undefined;
  readonly columns = 80;
  readonly rows = 24;
  readonly written: string[] = [];

  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    // Like process.stdout, the stream stays usable: the next write retries.
    super({ decodeStrings: false, autoDestroy: false });
    this.isTTY = isTTY;
  }

  override _write(text: string, _encoding: string, done: (error?: Error) => void): void {
    if (this.code === undefined) this.written.push(text);
    done(this.code === undefined ? undefined : Object.assign(new Error(this.code), { code: this.code }));
  }
}

function watched(isTTY = true) {
  const stdout = new Failing(isTTY);
  const stderr = new Failing(isTTY);
  const stopped: (string | undefined)[] = [];
  const stop = (error: NodeJS.ErrnoException) => void stopped.push(error.code);
  const lost = watchStreams({ stdout, stderr, stop });
  return { stdout, stderr, stopped, lost };
}

const eventsDelivered = () => new Promise((resolve) => setImmediate(resolve));
const probe = { time: "2026-11-21T00:00:00Z", hostname: "a.example.com", side: "previous", ok: true } as const;

function boardOn({ stdout, stderr }: ReturnType<typeof watched>) {
  let reads = 0;
  const now = () => new Date(1_000 * reads++);
  const io = { ...testIo({ env: { TERM: "xterm" } }), stdout, stderr, now };
  return createRehearsalBoard(io, ["a.example.com"]);
}

test.each(["EIO", "EPIPE", "ENOSPC"])(
  "a terminal that closes (%s) while the board is drawn stops nothing, because the result may still have a reader",
  async (code) => {
    const streams = watched();
    const { observer, say, end } = boardOn(streams);
    observer.probe?.(probe);
    expect(streams.stderr.written.join("")).toContain("a.example.com");
    streams.stderr.code = code;
    observer.probe?.(probe);
    observer.part?.({ numbers: [1], name: "1 certificates" });
    say("one line");
    end();
    await eventsDelivered();
    expect({ stopped: streams.stopped, lost: streams.lost() }).toEqual({ stopped: [], lost: undefined });
  },
);

test.each(["EIO", "EPIPE"])("a terminal that closes (%s) on stdout stops the command quietly", async (code) => {
  const streams = watched();
  const { observer, end } = boardOn(streams);
  observer.probe?.(probe);
  Object.assign(streams.stdout, { code });
  Object.assign(streams.stderr, { code });
  streams.stdout.write("{}\n");
  await eventsDelivered();
  observer.probe?.(probe);
  end();
  await eventsDelivered();
  expect({ stopped: streams.stopped, lost: streams.lost() }).toEqual({ stopped: [code], lost: undefined });
});

test.each([
  ["ENOSPC", "no space is left on its file system"],
  // Without a terminal, EIO does not mean that the terminal window was closed.
  ["EIO", "its disk reports an error"],
])("a failed write of the result to a file (%s) stops the command with an error", async (code, reason) => {
  const { stdout, stopped, lost } = watched(false);
  stdout.code = code;
  stdout.write("{}\n");
  await eventsDelivered();
  expect(stopped).toEqual([code]);
  expect(lost()).toMatchObject({
    name: "InputError",
    code: "output-unwritable",
    message: `the result can't be written to stdout: ${reason}; nothing of it is certain to have arrived: run the command again with stdout elsewhere`,
  });
});

test("a reader that closes the pipe causes no error", async () => {
  const { stdout, stopped, lost } = watched(false);
  stdout.code = "EPIPE";
  stdout.write("{}\n");
  await eventsDelivered();
  expect({ stopped, lost: lost() }).toEqual({ stopped: ["EPIPE"], lost: undefined });
});
