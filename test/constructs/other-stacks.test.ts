import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeUrlMap } from "@cdktf/provider-google/lib/compute-url-map";
import { LocalBackend, TerraformOutput, type TerraformStack, TerraformVariable } from "cdktf";
import { AdminChangeAlerts, DnsPublication, type ManagedCertMigration, WildcardCertWithAuth } from "../../lib";
import { migrate } from "../support/migrate";
import { useStandIn } from "../support/stand-in";
import { newApp, newStack, onlyAddress, onlyResource, type SynthesizedStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";
import { mistakesOf } from "../support/terraform-check";

jest.setTimeout(60_000);

const prefix = "//certificatemanager.googleapis.com/";
const mapType = "google_certificate_manager_certificate_map";

const proxyOf = (stack: TerraformStack, { certificateMapReference }: ManagedCertMigration) =>
  new ComputeTargetHttpsProxy(stack, "proxy", {
    name: "web",
    urlMap: "web",
    certificateMap: certificateMapReference as string,
  });

/** Synthesizes stacks. CDKTF resolves references between stacks when it prepares the app. */
function synthesizeAll(...stacks: readonly [TerraformStack, TerraformStack]): readonly SynthesizedStack[] {
  for (const stack of stacks) stack.prepareStack();
  return stacks.map(synthesize);
}

/** Returns the outputs that a stack has for other stacks, by the value. */
function outputsForOthers(stack: SynthesizedStack): readonly unknown[] {
  const names = Object.keys(stack.output ?? {}).filter((name) => name.startsWith("cross-stack-output"));
  return names.map((name) => stack.output?.[name]?.value);
}

test("the reference to the map is the address of the map within its stack", () => {
  const stack = newStack();
  proxyOf(stack, migrate(stack));
  const synthesized = synthesize(stack);
  expect(onlyResource(synthesized, "google_compute_target_https_proxy").certificate_map).toBe(
    `${prefix}\${${onlyAddress(synthesized, mapType)}.id}`,
  );
  expect(mistakesOf(synthesized)).toEqual([]);
});

test.each<[string, string, (stack: TerraformStack) => ManagedCertMigration]>([
  ["a map of the migration", `\${${mapType}.shop_map_26C0B81C.id}`, (stack) => migrate(stack)],
  [
    "a map of the same stack",
    `\${${mapType}.web.id}`,
    (stack) =>
      migrate(stack, { existingCertificateMap: new CertificateManagerCertificateMap(stack, "web", { name: "web" }) }),
  ],
  [
    "a variable of the stack",
    "${var.map}",
    (stack) => {
      new TerraformVariable(stack, "map", { type: "string" });
      return migrate(stack, { existingCertificateMap: "${var.map}" });
    },
  ],
  [
    "an attribute of a module of the stack",
    '${module.maps["web"].ids[0]}',
    (stack) => migrate(stack, { existingCertificateMap: '${module.maps["web"].ids[0]}' }),
  ],
  [
    "a path with a variable",
    "${var.project}",
    (stack) => migrate(stack, { existingCertificateMap: "projects/${var.project}/locations/global/certificateMaps/m" }),
  ],
  [
    "a value of the stack",
    "${var.map}",
    (stack) =>
      migrate(stack, {
        existingCertificateMap: new TerraformVariable(stack, "map", { type: "string" }).stringValue,
      }),
  ],
])("the reference to the map leads to %s from another stack through an output", (_, value, make) => {
  const app = newApp();
  const [own, other] = [newStack(app, "own"), newStack(app, "other")];
  proxyOf(other, make(own));
  const [first = {}, second = {}] = synthesizeAll(own, other);
  const { certificate_map: map } = onlyResource(second, "google_compute_target_https_proxy");
  expect(map).toContain("data.terraform_remote_state.");
  expect(mistakesOf(second)).toEqual([]);
  expect(outputsForOthers(first)).toEqual([value]);
});

test("the reference to the map is the same text in every stack if it is a literal, and absent without a map", () => {
  const id = "projects/p/locations/global/certificateMaps/web";
  expect(migrate(newStack(), { existingCertificateMap: id }).certificateMapReference).toBe(`${prefix}${id}`);
  expect(migrate(newStack(), { phase: "issue" }).certificateMapReference).toBeUndefined();
});

test("the reference to the map is accepted as the existing map of a construct in another stack", () => {
  const app = newApp();
  const [own, other] = [newStack(app, "own"), newStack(app, "other")];
  const certificateMap = migrate(own).certificateMapReference as string;
  new WildcardCertWithAuth(other, "wild", { domain: "example.net", dns: DnsPublication.external(), certificateMap });
  const [, synthesized = {}] = synthesizeAll(own, other);
  expect(mistakesOf(synthesized)).toEqual([]);
  expect(JSON.stringify(synthesized.resource?.google_certificate_manager_certificate_map_entry)).toContain(
    "data.terraform_remote_state.",
  );
});

test("the log bucket of alerts leads to the bucket from another stack through an output", () => {
  const app = newApp();
  const [own, other] = [newStack(app, "own"), newStack(app, "other")];
  const props = { organizationId: "123456789012", project: "my-project" };
  const { logBucketId } = new AdminChangeAlerts(own, "alerts", props);
  new AdminChangeAlerts(own, "more", { ...props, logBucket: logBucketId });
  new AdminChangeAlerts(other, "alerts", { ...props, logBucket: logBucketId });

  const [first = {}, second = {}] = synthesizeAll(own, other);
  const metrics = Object.values(second.resource?.google_logging_metric ?? {});
  expect(metrics.map(({ bucket_name: name }) => String(name)).join()).toContain("data.terraform_remote_state.");
  const bucket = `\${${onlyAddress(first, "google_logging_project_bucket_config")}.id}`;
  expect(outputsForOthers(first)).toEqual([bucket]);
  const ownMetrics = Object.values(first.resource?.google_logging_metric ?? {});
  expect(new Set(ownMetrics.map(({ bucket_name: name }) => name))).toEqual(new Set([bucket]));
});

describe("Terraform", () => {
  const standIn = useStandIn({ operationMs: 20 });

  test("attaches a map of another stack to a proxy, and plans no change afterwards", async () => {
    const states = mkdtempSync(join(tmpdir(), "states-"));
    try {
      const app = newApp();
      const [own, other] = [newStack(app, "own"), newStack(app, "other")];
      for (const stack of [own, other]) {
        new LocalBackend(stack, { path: join(states, `${stack.node.id}.tfstate`) });
      }
      const migration = migrate(own, { gate: "none", dns: DnsPublication.external() });
      const urls = new ComputeUrlMap(other, "urls", {
        name: "web",
        defaultUrlRedirect: { stripQuery: false, httpsRedirect: true },
      });
      const proxy = proxyOf(other, migration);
      proxy.urlMap = urls.id;
      new TerraformOutput(other, "map", { staticId: true, value: proxy.certificateMap });
      const [first = {}, second = {}] = synthesizeAll(own, other);
      await using ownDirectory = await openTerraform(standIn.provider);
      await using otherDirectory = await openTerraform(standIn.provider);
      await ownDirectory.apply(first);
      await otherDirectory.apply(second);
      expect(await otherDirectory.succeed("output", "-raw", "map")).toMatch(
        /^\/\/certificatemanager\.googleapis\.com\/projects\/my-project\/locations\/global\/certificateMaps\//,
      );
      expect(await otherDirectory.plan()).toBe(0);
    } finally {
      rmSync(states, { recursive: true });
    }
  });
});
