import { commandMethods } from "../../docs/generate/permissions";
import type { Io } from "../../lib/cli/command";
import { ownDescription } from "../../lib/discovery";
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
 * Runs the commands of a test file, and holds them to looking only: after the last test of the file it fails, with
 * their requests, if any of those could have changed something. It fails as well if no command has asked for anything,
 * since then nothing was held to anything; `asksNobody` says that this is as it should be.
 *
 *     const commands = readOnlyCommands(() => cloud.requests());
 *     test("…", async () => expect((await commands.run(["status", …])).exitCode).toBe(0));
 *
 * Call it once, at the top of a test file; what the test itself asks of the cloud between commands does not count, so
 * let it ask nothing while one runs. The list has to be one that grows: `cloud.requests()` of a cloud that has had
 * fewer than 10,000 of them, or what a server of the test has noted down.
 */
export function readOnlyCommands(
  list: () => readonly SeenRequest[],
  { asksNobody = false }: { readonly asksNobody?: boolean } = {},
): ReadOnlyCommands {
  const seen: SeenRequest[] = [];
  const unlisted: string[] = [];
  const noting = async <Result>(words: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    const before = list().length;
    try {
      return await work();
    } finally {
      const requests = list().slice(before);
      seen.push(...requests);
      unlisted.push(...unlistedMethods(words, requests));
    }
  };
  afterAll(() => {
    expect(seen.filter((request) => !isReading(request))).toEqual([]);
    expect([...new Set(unlisted)]).toEqual([]);
    if (asksNobody) expect(seen).toEqual([]);
    else expect(seen.length).toBeGreaterThan(0);
  });
  return {
    run: (words, change) => noting(words, () => runCli(words, change)),
    runWith: (words, io) => noting(words, () => runWith(words, io)),
    requests: () => seen,
  };
}

/**
 * Returns the called methods of Google APIs that docs/permissions.md does not list for the command. The Admin SDK
 * (`reports.activities.list`) has OAuth scopes instead of IAM permissions.
 */
function unlistedMethods(words: readonly string[], requests: readonly SeenRequest[]): readonly string[] {
  const command = words.find((word) => word in commandMethods);
  const listed = command === undefined ? [] : (commandMethods[command] ?? []);
  return requests
    .map(methodOf)
    .flatMap((method) =>
      method === undefined || /^(?:admin|reports)\./.test(method) || listed.includes(method)
        ? []
        : `${method}, by ${command ?? words.join(" ")}: add it to docs/generate/permissions.ts`,
    );
}

/** Returns the method of a request; servers of tests log no method, and they stand in for Certificate Manager. */
function methodOf({ method, httpMethod, target }: SeenRequest): string | undefined {
  if (method !== undefined) return method;
  const url = new URL(target, "https://certificatemanager.googleapis.com").href;
  return ownDescription("certificatemanager:v1").match(httpMethod, url)?.method.id;
}
