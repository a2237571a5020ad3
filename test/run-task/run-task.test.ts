import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWith, testIo } from "../support/io";
import { deliver, type HcpAnswer, type HcpServer, startHcp, taskRequest, token } from "./hcp-server";

const entryType = "google_certificate_manager_certificate_map_entry";
const planOf = (actions: readonly string[]) =>
  JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: [
      {
        address: `${entryType}.shop`,
        mode: "managed",
        type: entryType,
        change: {
          actions,
          before: {
            map: "m",
            hostname: "shop.example.com",
            certificates: ["projects/p/locations/global/certificates/c"],
          },
          after: actions.includes("delete") ? null : { map: "m", hostname: "shop.example.com" },
        },
      },
    ],
  });

const safePlan = planOf(["no-op"]);
const dangerousPlan = planOf(["delete"]);
const redirect = (location: string): HcpAnswer => ({ status: 307, headers: { location } });
const answered = (body: string): HcpAnswer => ({ status: 200, body });

let folder: string;
let hcp: HcpServer;
let stop: AbortController;
let url: string;
let ended: Promise<number>;
let log: () => string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-run-task-"));
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await ended;
  await hcp.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts HCP Terraform and the command. The plan's address redirects to the storage. */
async function start(
  storage: HcpAnswer[],
  more: { plan?: HcpAnswer[]; callback?: HcpAnswer[]; keys?: string; words?: readonly string[]; trusts?: boolean } = {},
): Promise<void> {
  hcp = await startHcp({
    plan: more.plan ?? [redirect("/storage/plan.json")],
    storage,
    ...(more.callback === undefined ? {} : { callback: more.callback }),
  });
  const keyFile = join(folder, "hmac.key");
  writeFileSync(keyFile, more.keys ?? "first-key\n");
  const trusted = more.trusts === false ? [] : ["--hcp-host", hcp.host];
  const words = ["run-task", "--port", "0", "--hmac-key-file", keyFile, ...trusted, ...(more.words ?? [])];
  let listens: (text: string) => void;
  const listening = new Promise<string>((resolve) => {
    listens = resolve;
  });
  const io = testIo({ signal: stop.signal });
  log = io.err;
  ended = runWith(words, { ...io, stdout: { write: (text: string) => listens(text.trim()) } });
  url = await listening;
}

const send = (change: object = {}, key: string | undefined = "first-key") =>
  deliver(url, taskRequest(hcp.host, change), key);

test("answers the verification request of a new run task, and starts no work", async () => {
  await start([answered(safePlan)]);
  expect(await send({ stage: "test", access_token: "test-token" })).toEqual({ status: 200, text: "verified\n" });
  expect(hcp.seen).toEqual([]);
});

test.each(["post_plan", "pre_apply"])("passes a run whose plan has no danger, at the stage %s", async (stage) => {
  await start([answered(safePlan)]);
  expect((await send({ stage })).status).toBe(200);
  const { data } = await hcp.ended();
  expect(data.attributes).toEqual({ status: "passed", message: "the plan is accepted: 0 warnings" });
  expect(hcp.results()[0]?.data).toEqual({
    type: "task-results",
    attributes: { status: "running", message: "checking the plan" },
  });
});

test("fails a run whose plan interrupts a hostname, with the reasons as outcomes in Markdown", async () => {
  await start([answered(dangerousPlan)]);
  await send();
  const { data } = await hcp.ended();
  expect(data.attributes).toEqual({ status: "failed", message: "the plan is refused: 1 danger, 0 warnings" });
  const [summary, finding] = data.relationships?.outcomes.data ?? [];
  expect(summary?.attributes).toMatchObject({
    "outcome-id": "cert-migration",
    tags: { Status: [{ label: "Failed", level: "error" }] },
    body: expect.stringContaining("| shop.example.com | certificates | c | - | when Terraform deletes it | nothing |"),
  });
  expect(finding?.attributes).toMatchObject({
    "outcome-id": "entry-deleted",
    description: expect.stringContaining(`${entryType}.shop: `),
    body: expect.stringContaining("### Errors (1)"),
  });
});

test("passes a danger that --allow names", async () => {
  await start([answered(dangerousPlan)], { words: ["--allow", "entry-deleted=shop.example.com"] });
  await send();
  expect((await hcp.ended()).data.attributes.status).toBe("passed");
});

test("sends the token to the plan's address and the callback, and never to the target of a redirect", async () => {
  await start([answered(safePlan)]);
  await send();
  await hcp.ended();
  expect(
    hcp.seen.map(({ method, url: path, authorization }) => [method, path.split("/").at(-1), authorization]),
  ).toEqual(
    expect.arrayContaining([
      ["GET", "json-output", `Bearer ${token}`],
      ["GET", "plan.json", undefined],
      ["PATCH", "callback", `Bearer ${token}`],
    ]),
  );
  expect(log()).not.toContain(token);
});

test("works once on a task that is delivered twice", async () => {
  await start([answered(safePlan)]);
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  await hcp.ended();
  expect(hcp.seen.filter(({ url: path }) => path.startsWith("/storage"))).toHaveLength(1);
  expect(log()).toContain("taskrs-1: delivered again");
});

describe("refuses, without a request to any host,", () => {
  test.each<[string, () => Promise<{ status: number }>, number, string]>([
    ["a request without a signature", () => deliver(url, taskRequest(hcp.host), undefined), 401, "run-task-signature"],
    ["a signature by another key", () => send({}, "other-key"), 401, "run-task-signature"],
    [
      "a plan at another host",
      () => send({ plan_json_api_url: "https://evil.example/plan" }),
      422,
      "run-task-host-refused",
    ],
    [
      "a callback at another host",
      () => send({ task_result_callback_url: "https://evil.example/r" }),
      422,
      "run-task-host-refused",
    ],
    [
      "a host that only begins like an allowed one",
      () => send({ plan_json_api_url: `http://${hcp.host}.evil.example/plan` }),
      422,
      "run-task-host-refused",
    ],
    [
      "an address with a user",
      () => send({ plan_json_api_url: `http://a:b@${hcp.host}/plan` }),
      422,
      "run-task-host-refused",
    ],
    ["another version of the payload", () => send({ payload_version: 2 }), 422, "run-task-request-invalid"],
    ["a request without a token", () => send({ access_token: null }), 422, "run-task-request-invalid"],
    ["a text that is not JSON", () => deliver(url, "{", "first-key"), 422, "run-task-request-invalid"],
  ])("%s", async (_, attempt, status, code) => {
    await start([answered(safePlan)]);
    expect((await attempt()).status).toBe(status);
    expect(log()).toContain(`[${code}]`);
    expect(hcp.seen).toEqual([]);
  });
});

test("refuses the hosts of a test server unless --hcp-host names them", async () => {
  await start([answered(safePlan)], { trusts: false });
  expect((await send()).status).toBe(422);
});

test("refuses a request above 1 MiB, and another method", async () => {
  await start([answered(safePlan)]);
  expect((await deliver(url, "x".repeat(1024 * 1024 + 1), "first-key")).status).toBe(413);
  expect((await fetch(url)).status).toBe(405);
  expect(await (await fetch(`${url}/healthz`)).text()).toBe("ok\n");
});

test("accepts both keys while a key is rotated", async () => {
  await start([answered(safePlan)], { keys: "first-key\r\nsecond-key\n" });
  expect((await send({ task_result_id: "taskrs-1" }, "first-key")).status).toBe(200);
  expect((await send({ task_result_id: "taskrs-2" }, "second-key")).status).toBe(200);
  expect((await hcp.ended(2)).data.attributes.status).toBe("passed");
});

test("repeats a request for the plan, and a report, that HCP Terraform answers with 503", async () => {
  const busy = { status: 503 };
  await start([busy, answered(safePlan)], { callback: [{ status: 200 }, busy, { status: 200 }] });
  await send();
  expect((await hcp.ended(2)).data.attributes.status).toBe("passed");
});

test("fails a task whose token has expired before the plan is read", async () => {
  await start([answered(safePlan)], {
    plan: [{ status: 401, body: '{"errors":[{"status":"401","title":"unauthorized"}]}' }],
  });
  await send();
  expect((await hcp.ended()).data.attributes).toEqual({
    status: "failed",
    message: expect.stringContaining("HTTP 401"),
  });
});

test("logs that HCP Terraform did not accept a result", async () => {
  await start([answered(safePlan)], { callback: [{ status: 404 }] });
  await send();
  await hcp.ended();
  stop.abort();
  await ended;
  expect(log()).toMatch(/taskrs-1: the (?:update|result) was not accepted: .*HTTP 404/);
});

test.each<[string, HcpAnswer, string]>([
  ["is not a plan", answered('{"errors":[]}'), "is not the JSON of a plan"],
  ["redirects without an end", redirect("/storage/plan.json"), "after three redirects"],
  ["redirects to another protocol", redirect("ftp://storage.example/plan"), "from http: to 'ftp:'"],
])("fails a task whose plan %s", async (_, answer, message) => {
  await start([answer]);
  await send();
  expect((await hcp.ended()).data.attributes).toEqual({ status: "failed", message: expect.stringContaining(message) });
});

test("fails a task at a stage without a plan, because nothing was checked", async () => {
  await start([answered(safePlan)]);
  await send({ stage: "pre_plan", plan_json_api_url: null });
  expect((await hcp.ended()).data.attributes).toEqual({
    status: "failed",
    message: "the stage pre_plan has no plan; run this task after the plan (post_plan) or before the apply (pre_apply)",
  });
});

test("checks a plan of 100 MB", async () => {
  const [head = "", tail = ""] = dangerousPlan.split('"planned_values":{}');
  const filler = `${"x".repeat(1_000_000)}`;
  const body = function* () {
    yield `${head}"planned_values":{"outputs":{`;
    for (let index = 0; index < 100; index += 1) yield `${index === 0 ? "" : ","}"o${index}":{"value":"${filler}"}`;
    yield `}}${tail}`;
  };
  await start([{ status: 200, body }]);
  await send();
  expect((await hcp.ended()).data.attributes.message).toBe("the plan is refused: 1 danger, 0 warnings");
});

test("stops with exit code 0, and closes its port", async () => {
  await start([answered(safePlan)]);
  stop.abort();
  expect(await ended).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});
