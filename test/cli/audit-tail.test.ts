import { readFileSync } from "node:fs";
import { assignRole } from "../audit/activities";
import { runWith, testIo } from "../support/io";
import { auditWorld, building } from "./audit-world";

// The tests sync files, and the duration depends on the disk.
jest.setTimeout(30_000);

const { world, happen, run, file } = auditWorld();

describe("tail", () => {
  test("writes each event once into a file over several runs", async () => {
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

  test("writes events of one timestamp in the service's order, first to last", async () => {
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

  test("writes to standard output until it is stopped", async () => {
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

  test("reports lost events: exit code 5", async () => {
    const words = ["tail", "--once", "--cursor", file("cursor"), "--since", "10m"];
    expect((await run(words)).exitCode).toBe(0);
    world.clock = "2027-11-21T12:00:00Z";
    const { exitCode, err } = await run(words);
    expect(exitCode).toBe(5);
    expect(err).toContain(
      "lost: the service no longer has what happened from 2026-11-21T11:58:00.000Z to 2027-05-25T12:00:00.000Z",
    );
  });
});
