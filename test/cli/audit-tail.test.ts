import { readFileSync, writeFileSync } from "node:fs";
import { startActivityServer } from "../../lib/audit";
import { assignRole } from "../audit/activities";
import { runWith, testIo } from "../support/io";
import { auditWorld, building } from "./audit-world";

// The tests sync files, and the duration depends on the disk.
jest.setTimeout(30_000);

const { world, happen, run, file } = auditWorld();

test("tail writes each event once into a file over several runs", async () => {
  const words = [
    "tail",
    "--once",
    "--cursor",
    file("cursor"),
    "--out",
    file("out"),
    "--since",
    "24h",
    "--overlap",
    "4h",
  ];
  happen("21T09:00", building("a"));
  expect((await run(words)).exitCode).toBe(0);
  happen("21T08:59", building("late"));
  for (world.clock of ["2026-11-21T12:30:00Z", "2026-11-21T12:40:00Z"]) expect((await run(words)).exitCode).toBe(0);
  expect(readFileSync(file("out"), "utf8").match(/Building \S+/g)).toEqual(["Building a", "Building late"]);
});

test("tail writes events of one timestamp in the service's order, first to last", async () => {
  happen("21T09:00", building("first"), assignRole("first"));
  happen("21T09:00", building("second"));
  happen("21T09:00", assignRole("third"), building("third"));
  const words = ["--since", "24h", "--format", "jsonl"];
  const rows = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).message);
  const tailed = rows((await run(["tail", "--once", ...words])).out);
  expect(tailed.map((message) => /first|second|third/.exec(message)?.[0])).toEqual([
    "first",
    "first",
    "second",
    "third",
    "third",
  ]);
  expect(tailed[3]).toContain("Role third");
});

test("tail writes to standard output until it is stopped", async () => {
  happen("21T09:00", assignRole(), building("a"));
  const stop = new AbortController();
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: world.server.url }, now: world.now, signal: stop.signal });
  const out: string[] = [];
  const stdout = {
    write: (text: string) => {
      out.push(text);
      stop.abort();
    },
  };
  const exitCode = await runWith(["audit", "tail", "--since", "1d", "--event", "ASSIGN_ROLE"], { ...io, stdout });
  expect([exitCode, out]).toEqual([
    0,
    ["2026-11-21T09:00:00.000Z  admin@example.com  Role _SEED_ADMIN_ROLE assigned to user new@example.com\n"],
  ]);
});

test("tail reports lost events: exit code 5", async () => {
  const words = ["tail", "--once", "--cursor", file("cursor"), "--since", "10m"];
  expect((await run(words)).exitCode).toBe(0);
  world.clock = "2027-11-21T12:00:00Z";
  const { exitCode, err } = await run(words);
  expect(exitCode).toBe(5);
  expect(err).toContain(
    "lost: the service no longer has what happened from 2026-11-21T11:58:00.000Z to 2027-05-25T12:00:00.000Z",
  );
});

describe("tail with --token-file", () => {
  /** Runs `tail` until `until` holds for its output; the service accepts only the token `fresh`. */
  async function tailWith(onFailure: (err: string, path: string) => void, words: readonly string[] = []) {
    const path = file("token");
    writeFileSync(path, "stale\n");
    await world.server.close();
    const asked: (string | undefined)[] = [];
    const authorize = (token: string | undefined) => asked.push(token) > 0 && token === "fresh";
    world.server = await startActivityServer({ store: world.store, now: world.now, authorize });
    const stop = new AbortController();
    const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: world.server.url }, now: world.now, signal: stop.signal });
    const stderr = {
      write: (text: string) => {
        io.stderr.write(text);
        onFailure(text, path);
      },
    };
    const out: string[] = [];
    const stdout = {
      write: (text: string) => {
        out.push(text);
        stop.abort();
      },
    };
    const line = ["audit", "tail", "--since", "24h", "--interval", "1s", "--token-file", path, ...words];
    const exitCode = await runWith(line, { ...io, stdout, stderr });
    return { exitCode, out: out.join(""), err: io.err(), asked };
  }

  test("waits for a new token after a 401, sends no request meanwhile, and continues", async () => {
    happen("21T09:00", building("a"));
    let failures = 0;
    const { exitCode, out, err, asked } = await tailWith((text, path) => {
      if (!text.includes("waiting for another token")) return;
      failures += 1;
      // The second failure finds an incomplete file, the third one the new token.
      if (failures === 2) writeFileSync(path, "");
      if (failures === 3) writeFileSync(path, "fresh\n");
    });
    expect([exitCode, failures]).toEqual([0, 3]);
    expect(out).toContain("Building a");
    expect(err).toContain("waiting for another token in");
    expect(asked).toEqual(["stale", "fresh"]);
  });

  test("ends with 3 after a 401 with --once", async () => {
    const { exitCode, asked } = await tailWith(() => undefined, ["--once"]);
    expect([exitCode, asked]).toEqual([3, ["stale"]]);
  });
});
