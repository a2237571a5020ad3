import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { record } from "../audit/activities";
import { type FaultyServer, faults, startFaultyServer } from "../audit/faulty-server";
import { auditWorld, building } from "./audit-world";

// The tests sync files, and the duration depends on the disk.
jest.setTimeout(30_000);

const { world, happen, run, file } = auditWorld();

test.each<[readonly string[], string]>([
  [["list", "--event", "ASIGN_ROLE"], "event-uncatalogued"],
  [["list", "--event", "ASSIGN_ROLE", "--event", "NOPE"], "event-uncatalogued"],
  [["list", "--type", "SETTINGS"], "type-unknown"],
  [["list", "--filter", "NEW_VALUE"], "filter-malformed"],
  [["list", "--event", "ASSIGN_ROLE", "--filter", "NEW_VALUE==x"], "filter-parameter-unknown"],
  [["list", "--since", "soon"], "time-malformed"],
  [["list", "--since", "1h", "--until", "2h"], "time-range-empty"],
  [["list", "--until", "181d"], "time-before-retention"],
  [["list", "--since", "300d", "--until", "2026-05-25T12:00:00Z"], "time-before-retention"],
  [["list", "--org-unit", "/Sales"], "org-unit-malformed"],
  [["tail", "--group", "sales@example.com"], "groups-malformed"],
  [["list", "--customer", "example.com"], "customer-malformed"],
  [["list", "--limit", "0"], "number-malformed"],
  [["list", "--user", "no body"], "user-malformed"],
  [["list", "--token-file", "/no/such/file"], "file-unreadable"],
  [["tail", "--out", "x"], "cursor-missing"],
  [["tail", "--lag", "x"], "duration-malformed"],
  [["tail", "--format", "csv", "--interval", "0s"], "duration-out-of-range"],
  [["guard"], "freeze-missing"],
  [["guard", "--freeze", "/no/such/file"], "file-unreadable"],
  [["render", "/no/such/file"], "file-unreadable"],
  [["events", "role", "--markdown"], "words-unwanted"],
])("%j is refused with exit code 2 and %s", async (words, code) => {
  const { exitCode, out, err } = await run(words);
  expect([exitCode, out]).toEqual([2, ""]);
  expect(err).toContain(`[${code}]`);
});

test.each([["list"], ["tail", "--once", "--format", "csv"], ["guard", "--freeze"]])(
  "an invalid token file is refused before anything else: %s",
  async (...words) => {
    const freeze = file("token-freeze.yaml");
    writeFileSync(freeze, "start: 2026-11-21T10:00:00Z\nend: 2026-11-21T12:00:00Z\n");
    const token = file("token");
    const line = [...words, ...(words.includes("--freeze") ? [freeze] : []), "--token-file", token];
    for (const [content, message] of [
      [undefined, "[file-unreadable]"],
      ["\n", `--token-file: '${token}' is empty; put an access token into it`],
      ["ya29.a ya29.b", "has characters that no token has"],
    ] as const) {
      if (content !== undefined) writeFileSync(token, content);
      const { exitCode, out, err } = await run(line, { env: {} });
      expect([exitCode, out]).toEqual([2, ""]);
      expect(err).toContain(message);
    }
  },
);

test.each([
  ["a pipe", (line: string) => ["-c", `echo ya29.typed | ${line}`]],
  ["a terminal", (line: string) => ["-c", 'echo ya29.typed | script -qec "$0" /dev/null', line]],
])("the token of %s is read once, without waiting for more input", async (_, shell) => {
  await world.server.close();
  const faulty = await startFaultyServer({ store: world.store, now: world.now }, () => undefined);
  world.server = faulty;
  happen("21T09:00", building("a"));
  const program = `${process.execPath} --require tsx/cjs lib/cli/main.ts audit list`;
  const line = `${program} --endpoint ${faulty.url} --until 2026-11-21T12:00:00Z --token-file /dev/stdin`;
  await promisify(execFile)("bash", [...shell(line)], { timeout: 15_000 });
  expect(faulty.requests.map(({ authorization }) => authorization)).toEqual(["Bearer ya29.typed"]);
});

test("the public service receives no request without credentials", async () => {
  // Disables every source of credentials that the library reads, including the metadata server.
  const own = {
    GOOGLE_APPLICATION_CREDENTIALS: "",
    CLOUDSDK_CONFIG: world.folder,
    METADATA_SERVER_DETECTION: "none",
  };
  const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]));
  Object.assign(process.env, own);
  try {
    const { exitCode, err } = await run(["list"], { env: {} });
    expect(exitCode).toBe(2);
    expect(err).toContain("[token-missing]");
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

test("missing permissions are exit code 3, with the permissions to grant and without the token", async () => {
  await world.server.close();
  world.server = await startFaultyServer({ store: world.store, now: world.now }, () => faults.refuse(403, "forbidden"));
  const { exitCode, err } = await run(["list"], {
    env: { CERT_MIGRATION_ENDPOINT: world.server.url, CERT_MIGRATION_ACCESS_TOKEN: "s3cret" },
  });
  expect(exitCode).toBe(3);
  expect(err).toContain("needs the scope admin.reports.audit.readonly");
  expect(err).not.toContain("s3cret");
  expect((world.server as FaultyServer).requests[0]?.authorization).toBe("Bearer s3cret");
});

test("unreadable records are reported, and the others printed: exit code 5", async () => {
  await world.server.close();
  const items = [7, record([building("b")]), record([])];
  world.server = await startFaultyServer({ store: world.store, now: world.now }, () =>
    faults.answer(JSON.stringify({ items })),
  );
  const { exitCode, out, err } = await run(["list"]);
  expect([exitCode, out.includes("Building b created"), err.includes("a record can't be read")]).toEqual([
    5,
    true,
    true,
  ]);
  expect(err).toContain("a record has no event, of 2026-11-21T10:00:00.000Z");
});

test("an interrupted listing is reported: exit code 3", async () => {
  await world.server.close();
  happen("21T09:00", building("a"));
  happen("21T09:01", building("b"));
  const page = (body: string) => JSON.stringify({ ...JSON.parse(body), nextPageToken: "more" });
  world.server = await startFaultyServer({ store: world.store, now: world.now }, (number) =>
    number === 1 ? (response, body) => void response.end(page(body)) : faults.refuse(403, "forbidden"),
  );
  const { exitCode, err } = await run(["list"]);
  expect(exitCode).toBe(3);
  expect(err).toContain("the listing broke off: 2 events were read, there may be more");
});
