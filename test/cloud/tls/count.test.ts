import { createHandshakeCounter, type HandshakeReport } from "../../../lib/cloud/tls";

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

test("handshakes are counted by host and certificate, failures by host and reason", () => {
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

test("a reset begins again, and leaves what was handed out as it was", () => {
  const counter = createHandshakeCounter();
  counter.add(answered("a.example", "old"));
  const before = counter.counts();

  counter.reset();
  counter.add(failed("a.example", "timeout"));

  expect(before).toEqual({ answered: [{ serverName: "a.example", certificateName: "old", count: 1 }], failed: [] });
  expect(counter.counts()).toEqual({ answered: [], failed: [{ serverName: "a.example", code: "timeout", count: 1 }] });
});
