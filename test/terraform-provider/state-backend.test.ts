import { connect } from "node:net";
import { type StateBackend, startStateBackend } from "../../lib/terraform-provider/state-backend";

let backend: StateBackend;

beforeAll(async () => {
  backend = await startStateBackend();
});

afterAll(() => backend.close());

async function ask(method: string, path: string, body?: string): Promise<readonly [number, string]> {
  const response = await fetch(new URL(path, backend.url), { method, ...(body === undefined ? {} : { body }) });
  return [response.status, await response.text()];
}

test("has no state until it is written, and a separate state for each name", async () => {
  expect(await ask("GET", "one")).toEqual([404, ""]);
  expect(await ask("POST", "one", "{}")).toEqual([200, ""]);
  expect(await ask("GET", "one")).toEqual([200, "{}"]);
  expect(await ask("GET", "two")).toEqual([404, ""]);
  expect([backend.stateOf("one"), backend.stateOf("two")]).toEqual(["{}", undefined]);
  expect(await ask("DELETE", "one")).toEqual([200, ""]);
  expect(backend.stateOf("one")).toBeUndefined();
});

test("grants one lock at a time, and only its holder can write", async () => {
  const mine = JSON.stringify({ ID: "mine" });
  const theirs = JSON.stringify({ ID: "theirs" });
  expect(await ask("LOCK", "locked", mine)).toEqual([200, ""]);
  expect(await ask("LOCK", "locked", theirs)).toEqual([423, mine]);
  expect(await ask("POST", "locked", "{}")).toEqual([423, mine]);
  expect(await ask("POST", "locked?ID=theirs", "{}")).toEqual([423, mine]);
  expect(await ask("POST", "locked?ID=mine", "{}")).toEqual([200, ""]);
  expect(await ask("UNLOCK", "locked", theirs)).toEqual([409, mine]);
  expect(await ask("UNLOCK", "locked", mine)).toEqual([200, ""]);
  expect(await ask("LOCK", "locked", theirs)).toEqual([200, ""]);
  expect(await ask("UNLOCK", "locked", "")).toEqual([200, ""]);
});

test("refuses an unsupported method", async () => {
  expect(await ask("PUT", "one", "{}")).toEqual([405, ""]);
});

test("refuses a state that exceeds the size limit, and keeps the previous state", async () => {
  const small = await startStateBackend({ mostStateBytes: 1_000_000 });
  const send = (body: string) => fetch(`${small.url}one`, { method: "POST", body });
  try {
    expect((await send("{}")).status).toBe(200);
    expect((await send("x".repeat(5_000_000))).status).toBe(413);
    expect(small.stateOf("one")).toBe("{}");
  } finally {
    await small.close();
  }
});

test("refuses an endless state after a limited part of it, and closes the connection", async () => {
  const small = await startStateBackend({ mostStateBytes: 100_000, mostDrainedBytes: 100_000 });
  try {
    const { port } = new URL(small.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.setEncoding("utf8");
    socket.write("POST /one HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n");
    const send = () => {
      while (socket.write(`2710\r\n${"x".repeat(10_000)}\r\n`));
    };
    socket.on("drain", send);
    send();
    let answer = "";
    socket.on("data", (text) => {
      answer += text;
    });
    // What is sent to a closed connection is refused.
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("close", resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
    expect(small.stateOf("one")).toBeUndefined();
  } finally {
    await small.close();
  }
});

test("keeps the previous state if the client disconnects during an upload", async () => {
  expect((await ask("POST", "broken", "{}"))[0]).toBe(200);
  const { port } = new URL(backend.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("POST /broken HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf");
  await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(await ask("GET", "broken")).toEqual([200, "{}"]);
});

test("writes the address three times in the backend block of a state", () => {
  const address = `${backend.url}a%2Fb`;

  expect(backend.backendOf("a/b")).toEqual({ address, lock_address: address, unlock_address: address });
});

test("accepts names with slashes", async () => {
  await ask("POST", "a%2Fb", "state");

  expect(backend.stateOf("a/b")).toBe("state");
});
