import { groups } from "../../conformance/behaviors";
import { cleanUp } from "../../conformance/cleanup";
import { memoryJournal } from "../../conformance/journal";
import { startRehearsalSide } from "../../conformance/rehearsal-side";
import { runSuite, select } from "../../conformance/run";
import type { Side, Transport } from "../../conformance/side";

const maps = "certificatemanager.projects.locations.certificateMaps";

async function createMap(side: Side, word: string): Promise<void> {
  await side.run(`${maps}.create`, { parent: side.location(), certificateMapId: side.name(word) }, {});
}

test("deletes again what was still in use, whatever the order of the journal", async () => {
  await using rehearsal = await startRehearsalSide();
  const { side } = rehearsal;
  const project = side.project;
  await side.run("compute.backendServices.insert", { project }, { name: side.name("b") });
  const defaultService = `global/backendServices/${side.name("b")}`;
  await side.run("compute.urlMaps.insert", { project }, { name: side.name("u"), defaultService });
  const reversed = [...side.journal.resources()].reverse();
  expect(await cleanUp(side, reversed)).toEqual({ deleted: 2, left: [], kept: [] });
});

test("deletes a resource that a request in progress creates after the first deletion", async () => {
  const pending: (() => Promise<unknown>)[] = [];
  const around = (transport: Transport): Transport => {
    return async (request) => {
      if (request.id !== `${maps}.create`) return transport(request);
      pending.push(() => transport(request));
      return { status: 503, body: {} };
    };
  };
  await using rehearsal = await startRehearsalSide({ around, journal: memoryJournal() });
  const { side, cloud } = rehearsal;
  await expect(createMap(side, "late")).rejects.toThrow("503");
  const wait = side.wait.bind(side);
  side.wait = async (ms) => {
    await pending.shift()?.();
    await wait(ms);
  };
  expect(await cleanUp(side, side.journal.resources())).toMatchObject({ left: [] });
  expect(pending).toEqual([]);
  const list = `${cloud.endpoints.http}v1/${side.location()}/certificateMaps`;
  expect(await (await fetch(list)).json()).toEqual({ certificateMaps: [] });
});

test("finds a resource that an unanswered request creates a minute later, while nothing else is left", async () => {
  let late: (() => Promise<unknown>) | undefined;
  const around = (transport: Transport): Transport => {
    return async (request) => {
      if (request.id !== "compute.globalAddresses.insert") return transport(request);
      late = () => transport(request);
      return { status: 503, body: {} };
    };
  };
  await using rehearsal = await startRehearsalSide({ around });
  const { side } = rehearsal;
  const { project } = side;
  const name = side.name("late");
  await expect(side.run("compute.globalAddresses.insert", { project }, { name })).rejects.toThrow("503");
  let waitedMs = 0;
  const wait = side.wait.bind(side);
  side.wait = async (ms) => {
    await wait(ms);
    waitedMs += ms;
    if (waitedMs < 60_000) return;
    await late?.();
    late = undefined;
  };
  expect(await cleanUp(side, side.journal.resources())).toMatchObject({ deleted: 1, left: [] });
  expect(late).toBeUndefined();
  expect((await side.call("compute.globalAddresses.get", { project, address: name })).status).toBe(404);
});

test("tries for 15 minutes, with growing pauses, what stays in use", async () => {
  const inUse = { status: 400, body: { error: { message: "in use", status: "FAILED_PRECONDITION" } } };
  let waitedMs = 0;
  let freeAfterMs = 14 * 60_000;
  const around = (transport: Transport): Transport => {
    return async (request) => {
      const isRefused = request.id === `${maps}.delete` && waitedMs < freeAfterMs;
      return isRefused ? inUse : transport(request);
    };
  };
  await using rehearsal = await startRehearsalSide({ around });
  const { side } = rehearsal;
  const wait = side.wait.bind(side);
  side.wait = async (ms) => {
    waitedMs += ms;
    await wait(ms);
  };
  await createMap(side, "used");
  expect(await cleanUp(side, side.journal.resources())).toMatchObject({ deleted: 1, left: [] });
  await createMap(side, "used");
  freeAfterMs = Number.POSITIVE_INFINITY;
  waitedMs = 0;
  const { left } = await cleanUp(side, side.journal.resources());
  expect(left.map(({ why }) => why)).toEqual(["HTTP 400: in use"]);
  expect(waitedMs).toBeGreaterThanOrEqual(15 * 60_000);
  expect(waitedMs).toBeLessThan(17 * 60_000);
});

test("deletes a CA that is in its grace period, with its pool", async () => {
  await using rehearsal = await startRehearsalSide();
  const { side } = rehearsal;
  const only = ["private-ca.ca-deletion.grace-period"];
  const { observations } = await runSuite(select(groups, { only }), { side });
  expect(observations).toEqual([expect.objectContaining({ differences: [] })]);
  expect(await cleanUp(side, side.journal.resources())).toMatchObject({ left: [] });
});

test("reports what it can't delete with the reason, and deletes the rest", async () => {
  const refused = (transport: Transport): Transport => {
    return async (request) => {
      const isKept = request.id === `${maps}.delete` && request.url.endsWith("-kept");
      return isKept ? { status: 403, body: { error: { message: "no permission" } } } : transport(request);
    };
  };
  await using rehearsal = await startRehearsalSide({ around: refused });
  const { side } = rehearsal;
  for (const word of ["kept", "other"]) await createMap(side, word);
  const pauses: number[] = [];
  const { deleted, left } = await cleanUp(side, side.journal.resources(), (count) => pauses.push(count));
  // Without a permission, no later try succeeds.
  expect(pauses).toEqual([]);
  expect(deleted).toBe(1);
  expect(left.map(({ why }) => why)).toEqual(["HTTP 403: no permission"]);
});
