import { type Cloud, startCloud } from "../../lib/cloud";
import { assignRole, record } from "../audit/activities";
import { runWith, testIo } from "../support/io";

let cloud: Cloud;
/** The cloud's time, which differs from the time of the command's process. */
const startAt = new Date("2027-03-01T12:00:00.000Z");
beforeEach(async () => {
  cloud = await startCloud({ startAt, speed: 0 });
});
afterEach(() => cloud.stop());

/** Runs a command in a process whose clock is more than three months behind the cloud's. */
async function audit(...words: readonly string[]) {
  const now = () => new Date("2026-11-21T12:00:00Z");
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http }, now });
  const exitCode = await runWith(["audit", ...words], io);
  return { exitCode, out: io.out(), err: io.err() };
}

const assign = (role: string, time?: string) =>
  cloud.activities.ingest(
    record([assignRole(role)], { time: time ?? cloud.clock.now().toISOString(), qualifier: role }),
  );

test("tail returns the events of a cloud whose clock is ahead of the machine's", async () => {
  assign("helpdesk");
  await cloud.clock.advance(3 * 60_000);
  const { exitCode, out } = await audit("tail", "--once", "--since", "1h");
  expect([exitCode, out]).toEqual([
    0,
    "2027-03-01T12:00:00.000Z  admin@example.com  Role helpdesk assigned to user new@example.com\n",
  ]);
});

test("tail waits for the lag in the cloud's time", async () => {
  assign("helpdesk");
  await cloud.clock.advance(60_000);
  expect((await audit("tail", "--once", "--since", "1h")).out).toBe("");
});

test("tail --follow returns events that happen while it waits", async () => {
  const stop = new AbortController();
  const out: string[] = [];
  const stdout = {
    write: (text: string) => {
      out.push(text);
      stop.abort();
    },
  };
  const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: cloud.endpoints.http }, signal: stop.signal });
  const tailing = runWith(["audit", "tail", "--interval", "1s"], { ...io, stdout });
  const happening = setInterval(() => {
    assign(`role-${cloud.activities.lastSequence()}`);
    void cloud.clock.advance(3 * 60_000);
  }, 100);
  expect(await tailing).toBe(0);
  clearInterval(happening);
  expect(out[0]).toContain("2027-03-01T");
});

test("list resolves a relative start from the cloud's time", async () => {
  assign("old", "2027-03-01T09:00:00.000Z");
  assign("new", "2027-03-01T11:30:00.000Z");
  const { out } = await audit("list", "--since", "1h");
  expect(out.match(/Role \S+/g)).toEqual(["Role new"]);
});

test("list accepts a start that is in the past only by the cloud's clock", async () => {
  assign("new", "2027-03-01T11:30:00.000Z");
  expect((await audit("list", "--since", "2027-03-01T11:00:00Z")).exitCode).toBe(0);
});

test("list truncates its range at the start of the cloud's retention period", async () => {
  assign("new");
  const { err } = await audit("list", "--since", "2026-08-01T00:00:00Z");
  expect(err).toContain("events before 2026-09-02T12:00:00.000Z are not kept [range-cut]");
});
