import { readFileSync, writeFileSync } from "node:fs";
import { createActivityStore, startActivityServer } from "../../lib/audit";
import { assignRole } from "../audit/activities";
import { faults, startFaultyServer } from "../audit/faulty-server";
import { auditWorld, building } from "./audit-world";

// The tests sync files, and the duration depends on the disk.
jest.setTimeout(30_000);

const { world, happen, run, file } = auditWorld();

const codesOf = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

const freeze = (more = "") => {
  writeFileSync(file("freeze.yaml"), `start: 2026-11-21T10:00:00Z\nend: 2026-11-21T11:00:00Z\n${more}`);
  return ["guard", "--freeze", file("freeze.yaml")];
};

test("guard exits with 0 if clear up to the end, and prints what it can't detect", async () => {
  happen("21T10:30", building("a"));
  const { exitCode, out } = await run([...freeze(), "--sign-off"]);
  expect([exitCode, out]).toEqual([
    0,
    `clear as of 2026-11-21T11:00:00.000Z, the end of the freeze
1 event in the freeze: 0 watched, 0 not in the catalogue
not watched: DNS records and delegations; load balancers: proxies, forwarding rules, backends; Certificate Manager: certificates, maps, authorizations; Cloud IAM and all principals that use it; changes that the service never reports: its documentation states that this happens, though rarely
run the command again after 2026-11-21T12:10:00.000Z, and before the sign-off
`,
  ]);
});

test("guard exits with 4 for violations, each with actor, event and reason", async () => {
  happen("21T10:30", assignRole());
  const { exitCode, out } = await run(freeze());
  expect(exitCode).toBe(4);
  expect(out).toContain(`violations: 1
  ! 2026-11-21T10:30:00.000Z  admin@example.com: Role _SEED_ADMIN_ROLE assigned to user new@example.com [critical-change-during-freeze]
      someone gained or lost the power`);
});

test("guard ignores allowed changes", async () => {
  happen("21T10:30", assignRole("r"));
  const rule =
    "allow: [{event: ASSIGN_ROLE, actor: admin@example.com, ticket: CHG-1, expires: 2026-11-22T00:00:00Z}]\n";
  const { exitCode, out } = await run(freeze(rule));
  expect([
    exitCode,
    out.includes("allowed (CHG-1): 2026-11-21T10:30:00.000Z  admin@example.com: Role r assigned"),
  ]).toEqual([0, true]);
});

test("guard exits with 5 (unknown) without data", async () => {
  const { exitCode, out } = await run(freeze());
  expect(exitCode).toBe(5);
  expect(out).toContain(
    "unknown\n  ? the log has no event of the freeze: missing data does not mean that nothing changed; make an announced change, so that the log shows whether events arrive [no-data]\n",
  );
});

test("guard exits with 5 (unknown) if the service refuses the request", async () => {
  await world.server.close();
  world.server = await startFaultyServer({ store: world.store, now: world.now }, () => faults.refuse(403, "forbidden"));
  const { exitCode, out } = await run([...freeze(), "--json"]);
  const { ok, verdict, findings } = JSON.parse(out);
  expect([exitCode, ok, verdict, codesOf(findings)]).toEqual([5, false, "unknown", ["listing-incomplete", "no-data"]]);
});

test.each([
  ["HTTP 429", faults.refuse(429, "rateLimitExceeded")],
  ["HTTP 503", faults.refuse(503, "backendError")],
  ["HTTP 429 with a wish to wait for half a minute", faults.refuse(429, "quotaExceeded", { "retry-after": "30" })],
  ["nothing at all", () => undefined],
])("guard exits with 5 (unknown) within --timeout if a service answers %s without end", async (_, fault) => {
  await world.server.close();
  world.server = await startFaultyServer({ store: world.store, now: world.now }, () => fault);
  const begun = performance.now();
  const { exitCode, out } = await run([...freeze(), "--json", "--timeout", "1s"]);
  // Without the limit, the command would take two minutes.
  expect(performance.now() - begun).toBeLessThan(15_000);
  const { verdict, findings } = JSON.parse(out);
  expect([exitCode, verdict, findings[0]]).toMatchObject([5, "unknown", { code: "listing-incomplete" }]);
  expect(findings[0].message).toContain("the service did not list the whole log within 1 s");
});

test("guard reports violations from the pages that arrived before --timeout", async () => {
  happen("21T10:30", assignRole());
  await world.server.close();
  world.server = await startFaultyServer({ store: world.store, now: world.now }, (number) =>
    number === 1 ? faults.nextPageToken("more") : faults.refuse(503, "backendError"),
  );
  const { exitCode, out } = await run([...freeze(), "--json", "--timeout", "1s"]);
  const { verdict, findings } = JSON.parse(out);
  expect([exitCode, verdict, codesOf(findings)]).toEqual([
    4,
    "violations",
    ["critical-change-during-freeze", "listing-incomplete"],
  ]);
});

test("guard accepts a --timeout of a second or more, 30 seconds by default", async () => {
  const { exitCode, err } = await run([...freeze(), "--timeout", "10ms"]);
  expect([exitCode, err]).toEqual([2, expect.stringContaining("[duration-out-of-range]")]);
  expect((await run(["guard", "--help"])).out).toMatch(/--timeout <time> [^-]*\(default: "30s"\)/);
});

test("guard reports from the history that a verdict is reversed", async () => {
  const words = [...freeze(), "--history", file("verdicts")];
  happen("21T10:30", building("a"));
  expect((await run(words)).exitCode).toBe(0);
  happen("21T10:20", assignRole());
  const { exitCode, out } = await run(words);
  expect([exitCode, out.includes("REVERSED")]).toEqual([4, true]);
  expect(readFileSync(file("verdicts"), "utf8").trimEnd().split("\n")).toHaveLength(2);
});

test("guard reports from the history that a violation is no longer found", async () => {
  const words = [...freeze(), "--history", file("verdicts")];
  happen("21T10:20", assignRole());
  expect((await run(words)).exitCode).toBe(4);
  world.store = createActivityStore({ now: world.now });
  happen("21T10:30", building("a"));
  await world.server.close();
  world.server = await startActivityServer({ store: world.store, now: world.now });
  expect((await run(words)).out).toContain(
    "1 violation of the previous verdict is no longer in the log and not allowed",
  );
});

test("guard reports all mistakes of the file at once", async () => {
  const { exitCode, err } = await run(freeze("watch: [autority]\nallowed: []\n"));
  expect(exitCode).toBe(2);
  expect(err.match(/\[[a-z-]+\]$/gm)).toEqual(["[property-unknown]", "[watch-unknown]"]);
  writeFileSync(file("freeze.yaml"), "a: [");
  expect((await run(["guard", "--freeze", file("freeze.yaml")])).err).toContain("[freeze-malformed]");
});
