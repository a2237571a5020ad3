import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import {
  commandMethods,
  deployedTypes,
  deployerPermissions,
  permissionsOf,
  permissionsOfCommand,
  permissionsOfType,
  readerPermissions,
} from "../../docs/generate/permissions";
import { ownDescription } from "../../lib/discovery";
import { projectNeeds } from "../../lib/live/doctor/project-needs";
import type { DoctorSubject } from "../../lib/live/doctor/subject";

const root = join(__dirname, "..", "..");
const page = readFileSync(join(root, "docs", "permissions.md"), "utf8");

const textsBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, folder, name), "utf8"));

const listed = [...new Set(Object.values(commandMethods).flat())];

test("lists each method that lib/google calls by its name", () => {
  const called = textsBelow("lib/google").flatMap((text) =>
    [
      ...text.matchAll(
        /"((?:compute|certificatemanager\.projects|dns|privateca|cloudbilling|cloudresourcemanager|serviceusage)\.[A-Za-z.]+)"/g,
      ),
    ]
      .map(([, method = ""]) => method)
      .filter((method) => !method.endsWith(".com")),
  );
  expect(called.length).toBeGreaterThan(10);
  expect(called.filter((method) => !listed.includes(method))).toEqual([]);
});

test("lists no method that lib/google does not call", () => {
  const text = textsBelow("lib/google").join("\n");
  // The client of Certificate Manager names its methods otherwise, and collections of references are paths.
  const byName = listed.filter((method) =>
    /^(?:dns|monitoring|privateca|cloudbilling|cloudresourcemanager|serviceusage)\./.test(method),
  );
  expect(byName.filter((method) => !text.includes(`"${method}"`))).toEqual([]);
});

test.each([
  ["certificatemanager.projects.locations.certificates.list", ["certificatemanager.certs.list"]],
  ["compute.regionTargetHttpsProxies.list", ["compute.regionTargetHttpsProxies.list"]],
  ["cloudresourcemanager.projects.testIamPermissions", []],
])("derives the permissions of %s", (method, permissions) => {
  expect(permissionsOf(method)).toEqual(permissions);
});

const described: readonly [prefix: string, id: string][] = [
  ["compute", "compute:v1"],
  ["dns", "dns:v1"],
  ["certificatemanager", "certificatemanager:v1"],
  ["privateca", "privateca:v1"],
];

test.each(described)("lists only methods of %s that its description has", (prefix, id) => {
  const description = ownDescription(id as Parameters<typeof ownDescription>[0]);
  const known = new Set([...description.methods()].map((method) => method.id));
  const unknown = listed.filter((method) => method.startsWith(`${prefix}.`) && !known.has(method));
  // Collections that doctor lists by their path, without a description.
  expect(
    unknown.filter((method) => !/\.(?:sslPolicies|regionSslPolicies|networks|subnetworks)\.list$/.test(method)),
  ).toEqual([]);
});

test("names each resource type that the constructs create", () => {
  const imported = textsBelow("lib/constructs")
    .flatMap((text) => [...text.matchAll(/^import \{[^}]*\} from "@cdktf\/provider-google\/lib\/([a-z-]+)"/gm)])
    .map(([, name = ""]) => `google_${name.replaceAll("-", "_")}`)
    // Resources of AdminChangeAlerts, and the settings of the provider.
    .filter((type) => !/^google_(?:logging|project_iam)_|^google_provider$/.test(type));
  expect([...new Set(imported)].sort()).toEqual(deployedTypes.map(({ type }) => type).sort());
});

/** Everything that a migration can need, for a global or a regional load balancer. */
function subjectWith(proxy: string, region?: string): DoctorSubject {
  return {
    project: "p",
    alerts: { project: "p", hostnames: ["example.com"] },
    balancer: {
      project: "p",
      proxies: [{ id: `projects/p/global/${proxy}/x`, origin: "new" }],
      rules: [{ name: "r", address: "203.0.113.7" }],
      ...(region === undefined ? {} : { region }),
    },
    map: {
      usesMap: region === undefined,
    },
    dns: {
      domains: [{}],
      zones: [{ project: "p", name: "z" }],
      zonesUnnamed: false,
    },
    certificates: {
      private: [{ domains: [], issuer: {} }],
      made: ["c"],
    },
  } as unknown as DoctorSubject;
}

test.each([
  ["a global HTTPS proxy", subjectWith("targetHttpsProxies")],
  ["a global SSL proxy", subjectWith("targetSslProxies")],
  ["a regional HTTPS proxy", subjectWith("targetHttpsProxies", "europe-west1")],
])("gives the role for deployments what doctor asks for with %s", (_, subject) => {
  const needed = projectNeeds(subject).flatMap(({ roles }) =>
    roles.flatMap(({ permissions, toDelete }) => [...permissions, ...toDelete]),
  );
  expect(needed.length).toBeGreaterThan(20);
  expect(needed.filter((permission) => !deployerPermissions().includes(permission))).toEqual([]);
});

test("keeps the role for plans free of permissions that change anything", () => {
  expect(readerPermissions().filter((permission) => !/\.(?:get|getIamPolicy|list)$/.test(permission))).toEqual([]);
});

test("shows the permissions of each command, type and role on the page", () => {
  for (const command of Object.keys(commandMethods)) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${command}\` |`)) ?? "";
    expect([...row.matchAll(/`([a-z]+\.[A-Za-z.]+)`/g)].map(([, name]) => name)).toEqual(permissionsOfCommand(command));
  }
  for (const deployed of deployedTypes) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${deployed.type}\` |`)) ?? "";
    expect([...row.matchAll(/`([a-z]+\.[A-Za-z.]+)`/g)].map(([, name]) => name)).toEqual(permissionsOfType(deployed));
  }
  const roles = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => parse(block));
  expect(roles.map((role) => role.includedPermissions)).toEqual([readerPermissions(), deployerPermissions()]);
});
