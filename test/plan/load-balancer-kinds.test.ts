import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadBalancerKinds } from "../../lib/plan";

const root = join(__dirname, "../..");

/** The files of `lib` that have to know a kind of load balancer by its name. */
const knowing: readonly string[] = [
  "lib/constructs/load-balancer.ts",
  "lib/inventory/project/to-migration.ts",
  "lib/plan/load-balancer-kinds.ts",
  "lib/plan/spec-load-balancer.ts",
];

test("only a few files of lib name a kind of load balancer", () => {
  const literal = new RegExp(`"(?:${Object.keys(loadBalancerKinds).join("|")})"`);
  const files = readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `lib/${file}`)
    .filter((file) => literal.test(readFileSync(join(root, file), "utf8")));
  expect(files.sort()).toEqual(knowing);
});

test("the page on extending names every file that knows a kind of load balancer", () => {
  const page = readFileSync(join(root, "docs/contributing/extending.md"), "utf8");
  const [, section = ""] = /## Add a load balancer kind\n([\s\S]*?)\n## /.exec(page) ?? [];
  expect(knowing.filter((file) => !section.includes(`\`${file}\``))).toEqual([]);
});
