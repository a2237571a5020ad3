import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/io";
import { small } from "./shelf-description";

const folder = mkdtempSync(join(tmpdir(), "api-commands-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeFile(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

it("api request prints the request as the client would send it", async () => {
  const { stdout } = await runCli([
    ...["api", "request", writeFile("b.json", small), "shelf.books.insert"],
    ...["-p", "room=a b", "-p", "copies=2", "--body", '{"title":"x"}'],
  ]);
  expect(stdout).toBe(
    'POST https://shelf.example.com/shelf/v1/rooms/a%20b/books?copies=2\naccept: application/json\ncontent-type: application/json\n\n{"title":"x"}\n',
  );
});

it("api request reports every mistake at once and exits with 2", async () => {
  const { exitCode, stdout, stderr } = await runCli([
    ...["api", "request", writeFile("c.json", small), "shelf.books.insert"],
    ...["-p", "copies=10", "-p", "copy=1", "--body", '{"title":1}'],
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr.match(/\[[\w-]+\]$/gm)).toEqual([
    "[parameter-maximum]",
    "[parameter-unknown]",
    "[parameter-required]",
    "[body-type]",
  ]);
});

it("api request reads the body from a file, and prints JSON with --json", async () => {
  const body = writeFile("body.json", { title: "from a file" });
  const { stdout } = await runCli([
    ...["api", "request", writeFile("d.json", small), "shelf.books.insert", "-p", "room=1"],
    ...["--body", `@${body}`, "--endpoint", "http://127.0.0.1:8080/", "--json"],
  ]);
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    method: "POST",
    url: "http://127.0.0.1:8080/shelf/v1/rooms/1/books",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: '{"title":"from a file"}',
    findings: [],
  });
});

test.each([
  ["a parameter without a value", ["-p", "room"], "param-malformed"],
  ["a body that is not JSON", ["-p", "room=1", "--body", "{"], "json-malformed"],
  ["a file that is not there", ["-p", "room=1", "--body", "@/none"], "file-unreadable"],
  ["media where none are taken", ["-p", "room=1", "--media", __filename], "upload-unsupported"],
  ["media that can't be read", ["-p", "room=1", "--media", "/"], "file-unreadable"],
  ["media without an end", ["-p", "room=1", "--media", "/dev/zero"], "input-too-large"],
  ["a kind of upload without media", ["-p", "room=1", "--upload", "simple"], "media-missing"],
  ["a type of media without media", ["-p", "room=1", "--media-type", "image/png"], "media-missing"],
  ["a location without endpoint", ["-p", "room=1", "--location", "mars"], "endpoint-unknown"],
])("api request refuses %s", async (_, options, code) => {
  const { exitCode, stderr } = await runCli([
    "api",
    "request",
    writeFile("e.json", small),
    "shelf.books.insert",
    ...options,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`[${code}]`) });
});

describe("api validate", () => {
  test.each([
    ["a valid value", "Book", '{"title":"x"}', [], 0, "valid\n"],
    ["a value of the wrong type", "Book", '{"title":5}', [], 4, /error +type +'\/title' must be a text/],
    ["a request of a method", "shelf.books.insert", '{"id":"1"}', [], 0, /warning +read-only/],
    [
      "a response of a method",
      "shelf.books.insert",
      '{"newer":1}',
      ["--as", "response"],
      0,
      /warning +unknown-property/,
    ],
  ])("checks %s against the description", async (_, what, json, options, exitCode, stdout) => {
    const result = await runCli(["api", "validate", writeFile("f.json", small), what, json, ...options]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stdout).toMatch(stdout);
  });
});

describe("api validate refuses", () => {
  test.each([
    ["a body of a method that takes none", [], "request-undeclared"],
    ["an answer of a method that gives none", ["--as", "response"], "response-undeclared"],
  ])("%s", async (_, options, code) => {
    const path = writeFile("bare.json", { ...small, methods: { ping: { id: "shelf.ping", path: "ping" } } });
    const { exitCode, stderr } = await runCli(["api", "validate", path, "shelf.ping", "{}", ...options]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`[${code}]`) });
  });

  it("standard input for two inputs", async () => {
    const { exitCode, stderr } = await runCli(["api", "validate", "-", "Book", "-"], { stdin: JSON.stringify(small) });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("[stdin-twice]") });
  });
});

it("api validate reads JSON that begins with a byte order mark", async () => {
  const json = writeFile("marked.json", '\uFEFF{"title":"x"}');
  expect(await runCli(["api", "validate", writeFile("k.json", small), "Book", `@${json}`])).toEqual({
    exitCode: 0,
    stdout: "valid\n",
    stderr: "",
  });
});

describe("api compare", () => {
  it("exits with 4 for a change that breaks callers, and with 0 otherwise", async () => {
    const without = { ...small, resources: {} };
    const [before, after] = [writeFile("g.json", small), writeFile("h.json", without)];
    const broken = await runCli(["api", "compare", before, after]);
    expect(broken.exitCode).toBe(4);
    expect(broken.stdout).toMatch(/^breaking +shelf\.books\.insert/m);
    expect((await runCli(["api", "compare", after, before])).exitCode).toBe(0);
    expect(JSON.parse((await runCli(["api", "compare", before, before, "--json"])).stdout)).toMatchObject({
      breaking: 0,
    });
  });
});
