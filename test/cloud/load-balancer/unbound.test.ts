import type { Frontend } from "../../../lib/cloud/compute";
import { LoadBalancers, type Unbound } from "../../../lib/cloud/load-balancer";
import { warnOfUnbound } from "../../../lib/cloud/load-balancer/listening";
import { createCloudClock } from "../../../lib/cloud/state";

const frontend = (name: string): Frontend => ({
  forwardingRule: name,
  ipAddress: "198.51.100.1",
  port: 443,
  proxy: { link: "web", kind: "http" },
  certificates: [],
});

/** Starts load balancers with three rules; the second cannot be bound while `isBarred`. */
function start() {
  const clock = createCloudClock({ speed: 0 });
  const reported: Unbound[] = [];
  const machine = { isBarred: true };
  const balancers = new LoadBalancers({
    clock,
    certificates: { entriesOf: () => [], keyMaterial: () => undefined },
    frontends: () => ["first", "second", "third"].map(frontend),
    propagationMs: () => 1_000,
    candidates: (rule) =>
      machine.isBarred && rule === "second"
        ? [
            { address: "192.0.2.1", port: 0 },
            { address: "192.0.2.2", port: 0 },
          ]
        : [{ address: "127.0.0.1", port: 0 }],
    observers: { onUnbound: (unbound) => reported.push(unbound) },
  });
  const answered = () => balancers.listening().map(({ forwardingRule }) => forwardingRule);
  return { clock, reported, machine, balancers, answered, [Symbol.asyncDispose]: () => balancers.stop() };
}

const second = {
  forwardingRule: "second",
  error: expect.objectContaining({
    code: "listener-address-not-loopback",
    message: expect.stringContaining("192.0.2.2"),
  }),
};

test("a rule that no listener can be bound for leaves all others answered, and the settle call reports it", async () => {
  await using started = start();
  expect(await started.balancers.settle()).toEqual([second]);
  expect(started.answered()).toEqual(["first", "third"]);
  expect(started.reported).toEqual([second]);
});

test("a rule that can't be bound later is reported without an end of the cloud; the next change tries again", async () => {
  await using started = start();
  started.balancers.changed();
  await started.clock.advance(1_000);
  expect(started.answered()).toEqual(["first", "third"]);
  expect(started.reported).toEqual([second]);

  started.machine.isBarred = false;
  started.balancers.changed();
  await started.clock.advance(1_000);
  expect(started.answered()).toEqual(["first", "third", "second"]);
  expect(started.reported).toEqual([second]);
});

test("without an observer, the process warns in one line without control characters", () => {
  const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  warnOfUnbound({ forwardingRule: "r\u001b[2J", error: new Error("no room") });
  expect(emitWarning.mock.calls).toEqual([
    [expect.stringMatching(/^nothing answers for '[^\p{Cc}]*': no room$/u), "RehearsalCloudWarning"],
  ]);
  emitWarning.mockRestore();
});
