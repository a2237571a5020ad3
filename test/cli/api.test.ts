import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDescriptionService, ownDescription } from "../../lib/discovery";
import { runCli } from "../support/io";
import { serve } from "../support/loopback";

const folder = mkdtempSync(join(tmpdir(), "api-commands-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeFile(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

const small = {
  kind: "discovery#restDescription",
  id: "shelf:v1",
  name: "shelf",
  version: "v1",
  title: "Shelf API",
  description: "Keeps books; and more.",
  revision: "20261121",
  rootUrl: "https://shelf.example.com/",
  servicePath: "shelf/v1/",
  batchPath: "batch",
  schemas: {
    Book: {
      id: "Book",
      type: "object",
      properties: {
        title: { type: "string", description: "What it is called." },
        pages: { type: "integer", format: "int32", description: "How many; cover not counted." },
        sequel: { $ref: "Book" },
        tags: { type: "array", items: { type: "string" }, deprecated: true },
        id: { type: "string", readOnly: true },
      },
    },
  },
  resources: {
    books: {
      methods: {
        insert: {
          id: "shelf.books.insert",
          path: "rooms/{room}/books",
          httpMethod: "POST",
          description: "Puts a book on the shelf. It stays there.",
          parameters: {
            room: { type: "string", location: "path", required: true, description: "Where." },
            copies: { type: "integer", location: "query", minimum: "1", maximum: "9", default: "1" },
          },
          parameterOrder: ["room"],
          request: { $ref: "Book" },
          response: { $ref: "Book" },
          scopes: ["https://shelf.example.com/auth/write"],
        },
      },
    },
  },
};

describe("api show", () => {
  it("prints a method's URL, signature, parameters, scopes, request and response", async () => {
    const { exitCode, stdout } = await runCli(["api", "show", writeFile("a.json", small), "shelf.books.insert"]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        "shelf.books.insert",
        "Puts a book on the shelf.",
        "",
        "POST https://shelf.example.com/shelf/v1/rooms/{room}/books",
        "books.insert(room, body: Book, {…}) → Book",
        "",
        "PARAMETER  IN               TYPE",
        "room       path   required  string   Where.",
        "copies     query            integer  1..9; default 1",
        "",
        "scopes, one of:",
        "  https://shelf.example.com/auth/write",
        "",
        ...["request: Book", ...tree(), "", "response: Book", ...tree()],
        "",
      ].join("\n"),
    );

    function tree() {
      return [
        "├─ title   string    What it is called.",
        "├─ pages   int32     How many.",
        "├─ sequel  Book",
        "├─ tags    string[]  (deprecated)",
        "└─ id      string    (read-only)",
      ];
    }
  });

  it("prints a schema, and expands references to the requested depth", async () => {
    const { stdout } = await runCli(["api", "show", "certificatemanager:v1", "DnsAuthorization", "--depth", "2"]);
    expect(stdout).toMatch(/^├─ dnsResourceRecord {2}DnsResourceRecord +\(read-only\)/m);
    expect(stdout).toMatch(/^│ {2}└─ type +string/m);
  });

  it("prints an API with its resources, and reports oddities on stderr", async () => {
    const { stdout, stderr } = await runCli(["api", "show", "compute:v1"]);
    expect(stdout).toMatch(/^address {4}https:\/\/compute\.googleapis\.com\/compute\/v1\/$/m);
    expect(stdout).toMatch(/^targetHttpsProxies +11$/m);
    expect(stderr).toContain("'batch/compute/v1' where 'batch' is specified");
  });

  it("suggests similar methods", async () => {
    const { exitCode, stderr } = await runCli(["api", "show", "dns:v1", "dns.change.create"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: [
        "error: dns:v1 has no method 'dns.change.create'; did you mean 'dns.changes.create'? [method-unknown]",
        "error: dns:v1 has no schema 'dns.change.create'; it has 57, none with a name like it [schema-unknown]",
        "",
      ].join("\n"),
    });
  });

  it("joins addresses as requests do, marks deprecated members, and lists all values and what this method requires", async () => {
    const values = ["A", "B", "C", "D", "E"];
    const path = writeFile("shelf-2.json", {
      ...small,
      rootUrl: "https://shelf.example.com",
      servicePath: "/shelf/v1",
      schemas: {
        Book: {
          type: "object",
          properties: {
            title: { type: "string", annotations: { required: ["shelf.insert"] } },
            shelf: { type: "string", annotations: { required: ["shelf.move"] } },
          },
        },
      },
      methods: {
        insert: {
          id: "shelf.insert",
          path: "books",
          httpMethod: "POST",
          request: { $ref: "Book" },
          parameters: {
            kind: { type: "string", enum: values, enumDeprecated: [false, true, false, false, false] },
            old: { type: "string", deprecated: true },
          },
        },
      },
    });
    const method = await runCli(["api", "show", path, "shelf.insert"]);
    expect(method.stdout.split("\n").slice(1)).toEqual([
      "",
      "POST https://shelf.example.com/shelf/v1/books",
      "insert(body: Book, {…}) → nothing",
      "",
      "PARAMETER  IN                 TYPE",
      "kind       query              A|B|C|D|…  one of A, B (deprecated), C, D, E",
      "old        query  deprecated  string",
      "",
      "request: Book",
      "├─ title  string  (required)",
      "└─ shelf  string",
      "",
      "response: nothing",
      "",
    ]);
    expect((await runCli(["api", "show", path])).stdout).toMatch(
      /^address {4}https:\/\/shelf.example.com\/shelf\/v1\/$/m,
    );
    expect((await runCli(["api", "show", path, "Book"])).stdout).toMatch(
      /shelf {2}string {2}\(required by shelf.move\)$/m,
    );
  });

  it("shows a method whose path can't be filled in", async () => {
    const parameters = { q: { type: "string" }, room: { type: "string", location: "path" } };
    const find = { id: "shelf.find", path: "rooms/{room}{?q}", httpMethod: "GET", parameters };
    const path = writeFile("shelf-3.json", { ...small, methods: { find } });
    const { exitCode, stdout } = await runCli(["api", "show", path, "shelf.find"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("GET https://shelf.example.com/shelf/v1/rooms/{room}{?q}\nfind(room, {…}) → nothing\n");
  });

  it("escapes descriptions, so that they can't control the terminal", async () => {
    const steer = "\u001b[2J";
    const get = {
      id: `shelf.get${steer}`,
      path: `a${steer}`,
      httpMethod: "GET",
      description: steer,
      parameters: { [`p${steer}`]: { type: steer, default: steer, required: true, enum: Array(5).fill(steer) } },
      request: { $ref: `R${steer}` },
      scopes: [steer],
    };
    const path = writeFile("shelf-4.json", {
      ...small,
      rootUrl: `https://${steer}/`,
      methods: { [`get${steer}`]: get },
    });
    for (const words of [
      ["api", "show", path, get.id],
      ["api", "show", path],
      ["api", "methods", path],
      ["api", "request", path, get.id, "--endpoint", "https://a.example/"],
    ]) {
      const { stdout, stderr } = await runCli(words);
      expect(`${stdout}${stderr}`).not.toContain("\u001b");
    }
  });
});

describe("api request", () => {
  it("prints the request as the client would send it", async () => {
    const { stdout } = await runCli([
      ...["api", "request", writeFile("b.json", small), "shelf.books.insert"],
      ...["-p", "room=a b", "-p", "copies=2", "--body", '{"title":"x"}'],
    ]);
    expect(stdout).toBe(
      'POST https://shelf.example.com/shelf/v1/rooms/a%20b/books?copies=2\naccept: application/json\ncontent-type: application/json\n\n{"title":"x"}\n',
    );
  });

  it("reports every mistake at once and exits with 2", async () => {
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

  it("reads the body from a file, and prints JSON with --json", async () => {
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
  ])("refuses %s", async (_, options, code) => {
    const { exitCode, stderr } = await runCli([
      "api",
      "request",
      writeFile("e.json", small),
      "shelf.books.insert",
      ...options,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`[${code}]`) });
  });
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

describe("api list, methods and deprecations", () => {
  it("lists the bundled APIs without a request", async () => {
    const { stdout } = await runCli(["api", "list", "--own", "--json"]);
    const { apis } = JSON.parse(stdout) as { readonly apis: readonly { readonly id: string }[] };
    const ids = apis.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["certificatemanager:v1", "dns:v1", "compute:v1", "discovery:v1"]));
    const { exitCode, stderr } = await runCli(["api", "list", "--offline"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("; --own lists what this") });
  });

  it("queries a service, keeps its answers, and uses them when the service is unavailable", async () => {
    const cache = join(folder, "cache");
    const service = createDescriptionService({ descriptions: [ownDescription("dns:v1")] });
    const server = await serve(service.handler);
    const source = ["--root-url", server.url, "--cache", cache];
    const listed = await runCli(["api", "list", "--name", "dns", ...source]);
    expect(listed.stdout).toMatch(/^dns:v1 /m);
    const online = await runCli(["api", "methods", "dns:v1", "--filter", "changes", ...source]);
    expect(online.stdout).toMatch(
      /^dns\.changes\.create +POST +dns\/v1\/projects\/\{project\}\/managedZones\/\{managedZone\}\/changes +project, managedZone, \[clientOperationId\]$/m,
    );
    await server[Symbol.asyncDispose]();
    const offline = await runCli(["api", "methods", "dns:v1", "--filter", "changes", "--offline", ...source]);
    expect(offline.stdout).toBe(online.stdout);
  });

  it("lists deprecated members", async () => {
    const { stdout } = await runCli(["api", "deprecations", writeFile("i.json", small)]);
    expect(stdout).toMatch(/^property +Book\.tags/m);
  });

  it("reads a description from standard input", async () => {
    const { stdout } = await runCli(["api", "methods", "-"], { stdin: JSON.stringify(small) });
    expect(stdout).toContain("shelf.books.insert");
  });

  it("reads a description from a file with any name", async () => {
    writeFile("shelf", small);
    const before = process.cwd();
    process.chdir(folder);
    const { stdout } = await runCli(["api", "methods", "shelf"]).finally(() => process.chdir(before));
    expect(stdout).toContain("shelf.books.insert");
  });

  it("reads a description from a URL, retries if the service fails, and sends no request when offline", async () => {
    const statuses = [503, 200];
    const server = await serve((_, response) => {
      const status = statuses.shift() ?? 500;
      response.writeHead(status, { "retry-after": "0" }).end(JSON.stringify(small));
    });
    const offline = await runCli(["api", "methods", server.url, "--offline"]);
    expect(offline).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringContaining("[offline-miss]") });
    expect(statuses).toHaveLength(2);
    const { stdout, stderr } = await runCli(["api", "methods", server.url]);
    expect(stdout).toContain("shelf.books.insert");
    expect(stderr).toMatch(/503.*; asking again in \d s$/m);
    await server[Symbol.asyncDispose]();
  });

  test.each([
    ["a file that is not a description", () => writeFile("j.json", {}), "description-kind"],
    ["an invalid name", () => "nonsense", "api-malformed"],
  ])("refuses %s", async (_, source, code) => {
    const { exitCode, stderr } = await runCli(["api", "methods", source()]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`[${code}]`) });
  });
});
