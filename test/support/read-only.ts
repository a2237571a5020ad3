import type { Io } from "../../lib/cli/command";
import { isReading, type SeenRequest } from "./held-to-reading";
import { runCli, runWith } from "./io";

export interface ReadOnlyCommands {
  /** Runs a command line as {@link runCli} does. */
  readonly run: typeof runCli;
  /** Runs one with an `Io` of the test's own. */
  readonly runWith: (words: readonly string[], io: Io) => Promise<number>;
  /** What the commands have asked for so far. */
  readonly requests: () => readonly SeenRequest[];
}

/**
 * Runs the commands of a test file, and holds them to looking only: after the last test of the file it fails, with their requests, if any of those could have changed
 * something. It fails as well if no command has asked for anything, since then nothing was held to anything; `asksNobody` says that this is as it should be.
 *
 *     const commands = readOnlyCommands(() => cloud.requests());
 *     test("…", async () => expect((await commands.run(["status", …])).exitCode).toBe(0));
 *
 * Call it once, at the top of a test file; what the test itself asks of the cloud between commands does not count, so let it ask nothing while one runs. The list has
 * to be one that grows: `cloud.requests()` of a cloud that has had fewer than 10,000 of them, or what a server of the test has noted down.
 */
export function readOnlyCommands(
  list: () => readonly SeenRequest[],
  { asksNobody = false }: { readonly asksNobody?: boolean } = {},
): ReadOnlyCommands {
  const seen: SeenRequest[] = [];
  const noting = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = list().length;
    try {
      return await work();
    } finally {
      seen.push(...list().slice(before));
    }
  };
  afterAll(() => {
    expect(seen.filter((request) => !isReading(request))).toEqual([]);
    if (asksNobody) expect(seen).toEqual([]);
    else expect(seen.length).toBeGreaterThan(0);
  });
  return {
    run: (words, change) => noting(() => runCli(words, change)),
    runWith: (words, io) => noting(() => runWith(words, io)),
    requests: () => seen,
  };
}
