import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { askUdp, closeOf, connectTo, nodeResolver, readToEnd, start } from "./name-servers";
import { framed, query, read, unframed } from "./packets";

/** Controls time-outs by calls instead of by time. Sockets keep their own timers. */
function takeOverTimeouts(): (milliseconds: number) => void {
  jest.useFakeTimers({
    doNotFake: ["Date", "hrtime", "nextTick", "performance", "queueMicrotask", "setImmediate", "setInterval"],
  });
  return (milliseconds) => void jest.advanceTimersByTime(milliseconds);
}
afterEach(() => void jest.useRealTimers());

test("a TCP connection accepts several messages at once, split in any way", async () => {
  const server = await start();
  const sent = Buffer.concat([1, 2, 3].map((id) => framed(query({ id, name: `ns${(id % 2) + 1}.example.com` }))));
  for (const size of [1, 2, 7, 40, sent.length]) {
    const socket = await connectTo(server.port);
    socket.setNoDelay(true);
    for (let at = 0; at < sent.length; at += size) {
      await new Promise((resolve) => socket.write(sent.subarray(at, at + size), resolve));
    }
    socket.end();
    const answers = unframed(await readToEnd(socket)).map(read);

    expect(answers.map(({ id, answers: records }) => [id, records])).toMatchObject([
      [1, [{ data: "192.0.2.54" }]],
      [2, [{ data: "192.0.2.53" }]],
      [3, [{ data: "192.0.2.54" }]],
    ]);
  }
});

test("a TCP connection carries hundreds of pending queries, and sends answers as they become ready", async () => {
  const server = await start({ fault: ({ name }) => (name.startsWith("ns1.") ? { delayMs: 30 } : undefined) });
  const socket = await connectTo(server.port);
  const ids = Array.from({ length: 350 }, (_, index) => index);
  socket.end(Buffer.concat(ids.map((id) => framed(query({ id, name: `ns${(id % 2) + 1}.example.com` })))));
  const answered = unframed(await readToEnd(socket)).map((message) => message.readUInt16BE(0));

  expect([...answered].sort((a, b) => a - b)).toEqual(ids);
  expect(answered.indexOf(1)).toBeLessThan(answered.indexOf(0));
});

test("a TCP connection is not read while its client does not read, and is closed after a time-out", async () => {
  let asked = 0;
  const large = framed(query({ name: "large.example.com", type: "TXT" }));
  const flood = Buffer.alloc(100_000 * large.length, large);
  const advance = takeOverTimeouts();
  const server = await start({ tcpIdleMs: 100, onQuery: () => asked++ });
  const socket = await connectTo(server.port);
  const ended = closeOf(socket);
  socket.pause();
  for (let round = 0; round < 5; round++) socket.write(flood);
  let before = -1;
  for (let quietTurns = 0; quietTurns < 100; quietTurns = asked > 0 && asked === before ? quietTurns + 1 : 0) {
    before = asked;
    await new Promise((resolve) => setImmediate(resolve));
  }
  advance(100);
  await ended;

  expect(asked).toBeLessThan(20_000);
});

test("a TCP connection is not read while more than a hundred queries are pending", async () => {
  const asked: string[] = [];
  const server = await start({
    fault: ({ name }) => (name.startsWith("ns1.") ? { delayMs: 60_000 } : undefined),
    onQuery: ({ transport }) => asked.push(transport),
  });
  const socket = await connectTo(server.port);
  const ended = closeOf(socket);
  const waiting = framed(query({ name: "ns1.example.com" }));
  socket.write(Buffer.alloc(350 * waiting.length, waiting));
  while (asked.length < 100) await askUdp(server.port, query());
  await askUdp(server.port, query());
  socket.destroy();
  await ended;

  expect(asked.filter((transport) => transport === "tcp")).toHaveLength(100);
});

test("a TCP connection is not idle while queries arrive", async () => {
  const advance = takeOverTimeouts();
  const server = await start({ tcpIdleMs: 200 });
  const socket = await connectTo(server.port);
  const ended = once(socket, "end");
  for (let id = 1; id <= 5; id++) {
    socket.write(framed(query({ id })));
    const [answer] = await once(socket, "data");
    expect(unframed(answer as Buffer).map((message) => message.readUInt16BE(0))).toEqual([id]);
    advance(199);
  }
  expect(socket.readableEnded).toBe(false);
  advance(1);
  await ended;
  socket.destroy();
});

test("a TCP connection is closed if it is silent or sends only half a message", async () => {
  const server = await start({ tcpIdleMs: 40 });
  const silent = await connectTo(server.port);
  const half = await connectTo(server.port);
  half.write(framed(query()).subarray(0, 20));

  const [a, b] = await Promise.all([silent, half].map((socket) => readToEnd(socket).catch(() => Buffer.of(0))));

  expect([a, b]).toEqual([Buffer.alloc(0), Buffer.alloc(0)]);
});

test("a TCP connection is not idle while an answer is pending", async () => {
  const advance = takeOverTimeouts();
  const asked = new EventEmitter();
  const server = await start({
    tcpIdleMs: 20,
    fault: () => ({ delayMs: 120 }),
    onQuery: () => process.nextTick(() => asked.emit("query")),
  });
  const socket = await connectTo(server.port);
  socket.write(framed(query({ id: 5 })));
  await once(asked, "query");
  advance(120);
  const [chunk] = await once(socket, "data");
  socket.destroy();

  expect(unframed(chunk as Buffer).map((message) => message.readUInt16BE(0))).toEqual([5]);
});

test("a TCP connection ignores a malformed query, and answers later queries", async () => {
  const server = await start();
  const socket = await connectTo(server.port);
  socket.end(Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.of(1, 2)), framed(query({ id: 9 }))]));

  expect(unframed(await readToEnd(socket)).map((message) => message.readUInt16BE(0))).toEqual([9]);
});

test("a TCP connection can be reset without an effect on others", async () => {
  const server = await start({ fault: () => ({ delayMs: 5 }) });
  const socket = await connectTo(server.port);
  socket.write(framed(query()));
  socket.resetAndDestroy();

  expect(await nodeResolver(server).resolve4("near.example.net")).toEqual(["198.51.100.7"]);
});

test("a TCP connection is closed at once beyond the limit", async () => {
  const server = await start({ mostTcpConnections: 2 });
  const first = [await connectTo(server.port), await connectTo(server.port)];
  const third = connect(server.port, "127.0.0.1");
  await closeOf(third);
  for (const socket of first) socket.destroy();

  expect(third.bytesRead).toBe(0);
});
