import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runCli } from "../support/io";

/** A service that has one ACTIVE certificate and one ACTIVE entry. */
let server: Server;
let endpoint: string;
const certificate = "projects/my-project/locations/global/certificates/shop";
const map = "projects/my-project/locations/global/certificateMaps/web";
const entry = (name: string) => `${map}/certificateMapEntries/${name}`;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const one = { name: certificate, managed: { domains: ["example.com"], state: "ACTIVE" } };
    const body = url.includes("certificateMapEntries")
      ? { certificateMapEntries: [entry("a"), entry("b")].map((name) => ({ name, state: "ACTIVE" })) }
      : one;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const run = (words: readonly string[], env: Readonly<Record<string, string>>) =>
  runCli(words, { env: { CERT_MIGRATION_ENDPOINT: endpoint, ...env } });

const waiting = {
  CERT_MIGRATION_WAIT_FOR: "certificates",
  CERT_MIGRATION_WAIT_NAMES: certificate,
  CERT_MIGRATION_WAIT_TIMEOUT: "60m",
};

test("waits for the certificates of the environment", async () => {
  expect(await run(["wait", "--from-environment"], waiting)).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `${certificate}: ACTIVE\n`,
  });
});

test("waits for the entries of the environment", async () => {
  const env = {
    ...waiting,
    CERT_MIGRATION_WAIT_FOR: "entries",
    CERT_MIGRATION_WAIT_NAMES: [entry("a"), entry("b")].join(","),
  };
  expect(await run(["wait", "--from-environment"], env)).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `${entry("a")}: ACTIVE\n${entry("b")}: ACTIVE\n`,
  });
});

const twoEntries = { CERT_MIGRATION_WAIT_FOR: "entries", CERT_MIGRATION_WAIT_NAMES: `${entry("a")},,${entry("b")}` };

test.each<[what: string, change: Readonly<Record<string, string>>, codes: readonly string[]]>([
  ["no names", { CERT_MIGRATION_WAIT_NAMES: "" }, ["gate-variable-missing"]],
  ["no kind", { CERT_MIGRATION_WAIT_FOR: "" }, ["gate-variable-missing"]],
  ["an unknown kind", { CERT_MIGRATION_WAIT_FOR: "maps" }, ["gate-variable-malformed"]],
  ["a name without a value between others", twoEntries, ["gate-variable-malformed"]],
  ["names of the other kind", { CERT_MIGRATION_WAIT_FOR: "entries" }, ["entry-name-malformed"]],
  ["a name that a shell would run", { CERT_MIGRATION_WAIT_NAMES: "x; touch f" }, ["certificate-name-malformed"]],
  ["a name that looks like an option", { CERT_MIGRATION_WAIT_NAMES: "--json" }, ["certificate-name-malformed"]],
  ["a timeout without a unit", { CERT_MIGRATION_WAIT_TIMEOUT: "60" }, ["gate-variable-malformed"]],
  [
    "several mistakes",
    { CERT_MIGRATION_WAIT_FOR: "", CERT_MIGRATION_WAIT_NAMES: "", CERT_MIGRATION_WAIT_TIMEOUT: "soon" },
    ["gate-variable-missing", "gate-variable-missing", "gate-variable-malformed"],
  ],
])("refuses a wait with %s", async (_, change, codes) => {
  const { exitCode, stderr } = await run(["wait", "--from-environment"], { ...waiting, ...change });
  expect(exitCode).toBe(2);
  expect([...stderr.matchAll(/\[([a-z-]+)\]$/gm)].map(([, code]) => code)).toEqual(codes);
});

test.each([
  [["wait", "--from-environment", "--certificate", certificate], "--certificate"],
  [["wait", "--from-environment", "--for", "entries"], "--for"],
  [["wait", "--from-environment", "--timeout", "1m"], "--timeout"],
  [["verify", "--from-environment", "--stack", "."], "--stack"],
  [["verify", "--from-environment", "--address", "127.0.0.1", "--hostname", "a.example.com"], "--hostname, --address"],
])("refuses options that the environment replaces: %j", async (words, named) => {
  expect(await run(words, waiting)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `error: --from-environment reads the values of ${named} from the environment; give either --from-environment or the options [gate-options-mixed]\n`,
  });
});

test("verifies nothing without the folder of the stack", async () => {
  const { exitCode, stderr } = await run(["verify", "--from-environment"], {});
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "error: the variable CERT_MIGRATION_VERIFY_STACK is not set or empty, and --from-environment reads it; set it in 'environment' of the gate, or synthesize the gate again [gate-variable-missing]\n",
  );
});

test.each([
  ["127.0.0.1,", "gate-variable-malformed"],
  ["127.0.0.1; id", "address-malformed"],
])("refuses the addresses %s before it connects", async (addresses, code) => {
  const env = { CERT_MIGRATION_VERIFY_STACK: ".", CERT_MIGRATION_VERIFY_ADDRESSES: addresses };
  const { exitCode, stderr } = await run(["verify", "--from-environment"], env);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`[${code}]`);
});
