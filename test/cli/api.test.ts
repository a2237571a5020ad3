import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDescriptionService, ownDescription } from "../../lib/discovery";
import { runCli } from "../support/io";
import { serve } from "../support/loopback";
import { small } from "./shelf-description";

const folder = mkdtempSync(join(tmpdir(), "api-commands-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeFile(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

it("api show prints a method's URL, signature, parameters, scopes, request and response", async () => {
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

it("api show prints a schema, and expands references to the requested depth", async () => {
  const { stdout } = await runCli(["api", "show", "certificatemanager:v1", "DnsAuthorization", "--depth", "2"]);
  expect(stdout).toMatch(/^├─ dnsResourceRecord {2}DnsResourceRecord +\(read-only\)/m);
  expect(stdout).toMatch(/^│ {2}└─ type +string/m);
});

it("api show prints an API with its resources, and reports oddities on stderr", async () => {
  const { stdout, stderr } = await runCli(["api", "show", "compute:v1"]);
  expect(stdout).toMatch(/^address {4}https:\/\/compute\.googleapis\.com\/compute\/v1\/$/m);
  expect(stdout).toMatch(/^targetHttpsProxies +11$/m);
  expect(stderr).toContain("'batch/compute/v1' where 'batch' is specified");
});

it("api show suggests similar methods", async () => {
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

it("api show joins addresses as requests do, marks deprecated members, and lists all values and what this method requires", async () => {
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

it("api show shows a method whose path can't be filled in", async () => {
  const parameters = { q: { type: "string" }, room: { type: "string", location: "path" } };
  const find = { id: "shelf.find", path: "rooms/{room}{?q}", httpMethod: "GET", parameters };
  const path = writeFile("shelf-3.json", { ...small, methods: { find } });
  const { exitCode, stdout } = await runCli(["api", "show", path, "shelf.find"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("GET https://shelf.example.com/shelf/v1/rooms/{room}{?q}\nfind(room, {…}) → nothing\n");
});

it("api show escapes descriptions, so that they can't control the terminal", async () => {
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

it("lists the bundled APIs without a request", async () => {
  const { stdout } = await runCli(["api", "list", "--own", "--json"]);
  const { apis } = JSON.parse(stdout) as { readonly apis: readonly { readonly id: string }[] };
  const ids = apis.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["certificatemanager:v1", "dns:v1", "compute:v1", "discovery:v1"]));
  const { exitCode, stderr } = await runCli(["api", "list", "--offline"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("; --own lists the APIs whose"),
  });
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
  expect(stderr).toMatch(/503.*; asking again in \d s \[service-refused\]$/m);
  await server[Symbol.asyncDispose]();
});

test.each([
  ["a file that is not a description", () => writeFile("j.json", {}), "description-kind"],
  ["a file that is not JSON", () => writeFile("k.json", "x:"), "description-not-json"],
  ["an invalid name", () => "nonsense", "api-malformed"],
])("refuses %s", async (_, source, code) => {
  const { exitCode, stderr } = await runCli(["api", "methods", source()]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(`[${code}]`) });
});

it.each(["show", "methods", "validate", "compare", "deprecations"])(
  "%s names what the file of an API should be",
  async (command) => {
    const other = writeFile("status.json", { hostnames: [] });
    const further: Readonly<Record<string, readonly string[]>> = {
      validate: ["DnsAuthorization", "{}"],
      compare: ["dns:v1"],
    };
    const { exitCode, stderr } = await runCli(["api", command, other, ...(further[command] ?? [])]);
    expect([exitCode, stderr]).toEqual([
      2,
      `error: <api>: '${other}': this is not an API description: 'kind' must be "discovery#restDescription", it has none; pass the JSON of a Discovery document, or NAME:VERSION, for example certificatemanager:v1 [description-kind]\n`,
    ]);
  },
);

it("names the file of a value that is not JSON", async () => {
  const value = writeFile("value.json", "x:");
  const { stderr } = await runCli(["api", "validate", "dns:v1", "ManagedZone", `@${value}`]);
  expect(stderr).toMatch(`error: <json>: '${value}' is not JSON: `);
});
