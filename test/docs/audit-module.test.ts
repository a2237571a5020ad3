import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "@swc/core";
import { type Cloud, startCloud } from "../../lib/cloud";
import { runWith, testIo } from "../support/io";

const page = readFileSync(join(__dirname, "..", "..", "docs", "audit-module.md"), "utf8");
const examples = [...page.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)];

/** Runs an example of the page without changes, and returns its output. */
async function printed(code: string): Promise<string> {
  const lines: string[] = [];
  const console = { log: (...words: readonly unknown[]) => lines.push(`${words.join(" ")}\n`) };
  const { code: script } = transformSync(code.replace(/^main\(\);$/m, "export const done = main();"), {
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  const exported: { done?: Promise<void> } = {};
  // The example imports this package by its published name.
  const load = (name: string) => {
    expect(name).toBe("cdktf-google-cert-migration/audit");
    return require("../../lib/audit");
  };
  new Function("require", "exports", "console", script)(load, exported, console);
  await exported.done;
  return lines.join("");
}

test("contains examples, each with its output", () => {
  expect(examples).toHaveLength(2);
  expect(page.match(/```ts\n/g)).toHaveLength(examples.length);
});

test.each(examples.map(([, code = "", output = ""], index) => [index + 1, code, output] as const))(
  "example %i prints what the page shows",
  async (_, code, output) => {
    expect(await printed(code)).toBe(output);
  },
);

describe("the rehearsal cloud", () => {
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await startCloud();
  });
  afterAll(() => cloud.stop());

  test("records an activity and finds it with the page's commands", async () => {
    const [, body, path] = /curl --data '(.*)' http:\/\/127\.0\.0\.1:8080\/(\S+)/.exec(page) ?? [];
    const answer = await fetch(`${cloud.endpoints.http}${path}`, { method: "POST", body: body ?? "" });
    expect([path, answer.status]).toEqual(["_cloud/activities", 200]);
    const commands = [...page.matchAll(/^cert-migration (audit .* --endpoint \S+ .*)$/gm)];
    expect(commands).toHaveLength(2);
    for (const [, line = ""] of commands) {
      const io = testIo({ now: () => new Date() });
      const words = line.replace(/http:\/\/127\.0\.0\.1:8080/, cloud.endpoints.http).split(" ");
      expect([await runWith(words, io), io.out()]).toEqual([0, expect.stringContaining("Building b1 created")]);
    }
  });

  test("writes the log to the path on the page", async () => {
    const [, path] = /`GET \/(admin\/reports\/\S+)`/.exec(page) ?? [];
    expect((await fetch(`${cloud.endpoints.http}${path}?access_token=any`)).status).toBe(200);
  });
});

test.each(["/discovery/v1", "/admin/reports", "POST /_cloud/activities"])("'cloud --help' names %s", async (place) => {
  const io = testIo();
  expect(await runWith(["cloud", "--help"], io)).toBe(0);
  expect(io.out().replace(/\s+/g, " ")).toContain(place);
});
