import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ActivityServer, type ActivityStore, createActivityStore, startActivityServer } from "../../lib/audit";
import { event, record } from "../audit/activities";
import type { FaultyServer } from "../audit/faulty-server";
import { runWith, testIo } from "../support/io";

/**
 * The environment in which tests run `audit`. A test may set the clock, and replace a closed server with another.
 */
interface AuditWorld {
  /** RFC 3339. */
  clock: string;
  store: ActivityStore;
  server: ActivityServer | FaultyServer;
  folder: string;
  readonly now: () => Date;
}

/** An audit service at noon and an empty folder, new for each test of the file that calls this. */
export function auditWorld() {
  const world = { now: () => new Date(world.clock) } as AuditWorld;
  beforeEach(async () => {
    world.clock = "2026-11-21T12:00:00Z";
    world.store = createActivityStore({ now: world.now });
    world.server = await startActivityServer({ store: world.store, now: world.now });
    world.folder = mkdtempSync(join(tmpdir(), "audit-cli-"));
  });
  afterEach(async () => {
    await world.server.close();
    rmSync(world.folder, { recursive: true, force: true });
  });
  return {
    world,
    /** @param time day of the month, hour and minute, as in `21T09:00` */
    happen: (time: string, ...events: readonly object[]): void => {
      const qualifier = String(world.store.lastSequence());
      world.store.ingest(record(events, { time: `2026-11-${time}:00.000Z`, qualifier }));
    },
    run: async (words: readonly string[], change: Parameters<typeof testIo>[0] = {}) => {
      const io = testIo({ env: { CERT_MIGRATION_ENDPOINT: world.server.url }, now: world.now, ...change });
      const exitCode = await runWith(["audit", ...words], io);
      return { exitCode, out: io.out(), err: io.err() };
    },
    file: (name: string) => join(world.folder, name),
  };
}

export const building = (name: string) => event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: name });
