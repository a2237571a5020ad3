import { commandMethods } from "../../docs/generate/permissions";
import type { Io } from "../../lib/cli/command";
import { ownDescription } from "../../lib/discovery";
import { isReading, type SeenRequest } from "./held-to-reading";
import { runCli, runWith } from "./io";

export interface ReadOnlyCommands {
  /** Runs a command line as {@link runCli} does. */
  readonly run: typeof runCli;
  /** Runs a command line with the `Io` of the test. */
  readonly runWith: (words: readonly string[], io: Io) => Promise<number>;
  /** Returns the requests of the commands so far. */
  readonly requests: () => readonly SeenRequest[];
}

/**
 * Runs the commands of a test file and checks that they are read-only. After the last test of the file, the check fails
 * if any request could have changed something, and prints the requests. The check also fails if no command has sent a
 * request, because it then checks nothing; set `asksNobody` if this is intended.
 *
 *     const commands = readOnlyCommands(() => cloud.requests());
 *     test("…", async () => expect((await commands.run(["status", …])).exitCode).toBe(0));
 *
 * Call this function once, at the top of a test file. Requests of the test itself between commands do not count; send
 * none while a command runs. The list must only grow: `cloud.requests()` of a cloud with fewer than 10,000 requests, or
 * the log of the test's server.
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
