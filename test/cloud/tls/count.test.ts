import { createHandshakeCounter, type HandshakeReport } from "../../../lib/cloud/tls";
import { mostCounted, otherHosts } from "../../../lib/cloud/tls/report";

const answered = (serverName: string | undefined, certificateName: string): HandshakeReport => ({
  ok: true,
  ...(serverName === undefined ? {} : { serverName }),
  certificateName,
  version: "TLSv1.3",
});
const failed = (serverName: string, code: "no-entry" | "timeout"): HandshakeReport => ({
  ok: false,
  serverName,
  error: { code, message: "" },
});

test("counts handshakes by host and certificate, and failures by host and reason", () => {
  const counter = createHandshakeCounter();

  [
    answered("a.example", "old"),
    answered("a.example", "new"),
    failed("b.example", "no-entry"),
    answered(undefined, "old"),
    answered("a.example", "new"),
    failed("b.example", "timeout"),
    failed("b.example", "no-entry"),
  ].forEach(counter.add);

  expect(counter.counts()).toEqual({
    answered: [
      { serverName: "a.example", certificateName: "old", count: 1 },
      { serverName: "a.example", certificateName: "new", count: 2 },
      { certificateName: "old", count: 1 },
    ],
    failed: [
      { serverName: "b.example", code: "no-entry", count: 2 },
      { serverName: "b.example", code: "timeout", count: 1 },
    ],
  });
});

test("starts at zero after a reset, and leaves earlier snapshots unchanged", () => {
  const counter = createHandshakeCounter();
  counter.add(answered("a.example", "old"));
  const before = counter.counts();

  counter.reset();
  counter.add(failed("a.example", "timeout"));

  expect(before).toEqual({ answered: [{ serverName: "a.example", certificateName: "old", count: 1 }], failed: [] });
  expect(counter.counts()).toEqual({ answered: [], failed: [{ serverName: "a.example", code: "timeout", count: 1 }] });
});

test("keeps counting the names of a full list, and counts all further names together", () => {
  const counter = createHandshakeCounter();
  const report = (index: number) => [answered(`h${index}.example`, "old"), failed(`h${index}.example`, "no-entry")];
  for (let index = 0; index < mostCounted + 500; index++) report(index).forEach(counter.add);
  counter.add(answered("h7.example", "old"));
  counter.add(answered("h7.example", "new"));
  counter.add(answered(undefined, "old"));

  const counts = counter.counts();
  expect([counts.answered.length, counts.failed.length]).toEqual([mostCounted + 3, mostCounted + 1]);
  expect(counts.answered[7]).toEqual({ serverName: "h7.example", certificateName: "old", count: 2 });
  expect(counts.answered.slice(mostCounted)).toEqual([
    { serverName: otherHosts, certificateName: "old", count: 500 },
    { serverName: otherHosts, certificateName: "new", count: 1 },
    { certificateName: "old", count: 1 },
  ]);
  expect(counts.failed.slice(mostCounted)).toEqual([{ serverName: otherHosts, code: "no-entry", count: 500 }]);
});

test("does not store names that exceed the length of a hostname", () => {
  const counter = createHandshakeCounter();
  for (const length of [253, 254, 60_000]) counter.add(failed("a".repeat(length), "no-entry"));
  expect(counter.counts().failed).toEqual([
    { serverName: "a".repeat(253), code: "no-entry", count: 1 },
    { serverName: otherHosts, code: "no-entry", count: 2 },
  ]);
});
