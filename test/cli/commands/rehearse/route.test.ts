import { previousVariable, readRehearsalRoute } from "../../../../lib/cli/commands/rehearse/route";
import { testIo } from "../../../support/io";
import { startServer } from "../../../support/loopback";

test("is undefined if the environment names no cloud", async () => {
  expect(await readRehearsalRoute(testIo({ env: { CERT_MIGRATION_REHEARSAL: "" } }))).toBeUndefined();
});

test("refuses a service that is not a rehearsal cloud", async () => {
  await using server = await startServer((_, response) => response.end("<html>"));
  const io = testIo({ env: { CERT_MIGRATION_REHEARSAL: server.url } });

  await expect(readRehearsalRoute(io)).rejects.toMatchObject({
    name: "ServiceError",
    code: "answer-malformed",
    message: expect.stringMatching(/CERT_MIGRATION_REHEARSAL leads to something else; unset it, or/),
  });
});

test("resolves addresses to the cloud's listeners, keeps other addresses of this machine, and refuses the rest", async () => {
  const answers: Readonly<Record<string, unknown>> = {
    "/endpoints": { trustBundle: "PEM", dns: "127.0.0.1:53" },
    "/listeners": [
      { ipAddress: "203.0.113.7", port: 443, listen: "127.0.0.1:40443" },
      { ipAddress: "2001:db8::7", port: 443, listen: "[::1]:40444" },
    ],
  };
  await using server = await startServer(({ target }, response) => response.end(JSON.stringify(answers[target])));
  const route = await readRehearsalRoute(testIo({ env: { CERT_MIGRATION_REHEARSAL: server.url } }));

  expect([route?.trustBundle, route?.nameServer]).toEqual(["PEM", "127.0.0.1:53"]);
  expect(await route?.locate("203.0.113.7", 443)).toEqual({ address: "127.0.0.1", port: 40_443 });
  expect(await route?.locate("2001:db8::7", 443)).toEqual({ address: "::1", port: 40_444 });
  expect(await route?.locate("127.0.0.1", 8_443)).toEqual({ address: "127.0.0.1", port: 8_443 });
  expect(await route?.locate("203.0.113.7", 80)).toEqual({ address: "127.0.0.1", port: 1 });
});

test("resolves addresses of the previous provider to its listener, except addresses of the load balancer", async () => {
  const answers: Readonly<Record<string, unknown>> = {
    "/endpoints": { trustBundle: "PEM", dns: "127.0.0.1:53" },
    "/listeners": [{ ipAddress: "203.0.113.7", port: 443, listen: "127.0.0.1:40443" }],
  };
  await using server = await startServer(({ target }, response) => response.end(JSON.stringify(answers[target])));
  const previous = previousVariable("127.0.0.1:40500", ["198.51.100.10", "2001:db8:0:10::10", "203.0.113.7"]);
  const env = { CERT_MIGRATION_REHEARSAL: server.url, CERT_MIGRATION_REHEARSAL_PREVIOUS: previous };
  const route = await readRehearsalRoute(testIo({ env }));

  const listener = { address: "127.0.0.1", port: 40_500 };
  expect(await route?.locate("198.51.100.10", 443)).toEqual(listener);
  expect(await route?.locate("2001:db8:0:10::10", 443)).toEqual(listener);
  expect(await route?.locate("203.0.113.7", 443)).toEqual({ address: "127.0.0.1", port: 40_443 });
  expect(await route?.locate("198.51.100.11", 443)).toEqual({ address: "127.0.0.1", port: 1 });
  expect(await route?.locate("198.51.100.10", 80)).toEqual({ address: "127.0.0.1", port: 1 });
});
