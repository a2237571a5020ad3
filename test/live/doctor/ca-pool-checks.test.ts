import type { RoleBinding } from "../../../lib/google";
import { grantIn, judgeCaPool, serviceAgentOf } from "../../../lib/live/doctor/ca-pool-checks";
import { agentOf, fromPool, makePool, poolOf } from "./problems/pools";
import { healthySpec, startWorld, type World } from "./world";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test("finds nothing if the pool can issue the certificates, and reads each pool only", async () => {
  const place = await world.place();
  await makePool(world, place);
  const before = world.cloud.requests().length;

  const { findings, checks } = await world.examine(fromPool()(healthySpec(place), place), place);

  expect(findings).toEqual([]);
  expect(checks.filter(({ check }) => check === "caPools")).toEqual([
    { check: "caPools", subject: poolOf(place), outcome: "passed", notes: [] },
    { check: "caPools", subject: `${poolOf(place)} (service agent)`, outcome: "passed", notes: [] },
  ]);
  const requests = world.cloud.requests().slice(before);
  expect(requests.filter(({ mutation }) => mutation)).toEqual([]);
  expect(checks).toContainEqual(
    expect.objectContaining({ subject: `${place.project} (roles/certificatemanager.owner)`, outcome: "passed" }),
  );
});

test("accepts a role on the project of the pool, and reads the project's policy only as far as it may", async () => {
  const place = await world.place();
  await makePool(world, place, { members: [] });
  const members = [`serviceAccount:${await agentOf(world, place)}`];
  const iamBindings = [{ role: "roles/privateca.certificateRequester", members }];
  await world.cloud.make("PUT", "/_cloud/project", { project: place.project, iamBindings });
  const spec = fromPool()(healthySpec(place), place);

  expect((await world.examine(spec, place)).findings).toEqual([]);

  const method = "cloudresourcemanager.projects.getIamPolicy";
  world.cloud.faults.set({ requests: [{ method, status: "PERMISSION_DENIED" }] });
  const denied = await world.examine(spec, place);
  world.cloud.faults.set({});
  expect(denied.findings.map(({ code }) => code)).toEqual(["ca-pool-grant-missing"]);
  expect(denied.checks.find(({ subject }) => subject.endsWith("(service agent)"))?.notes).toEqual([
    expect.stringMatching(/^roles on the project of the CA pool: /),
  ]);
});

test("accepts a grant that Terraform makes in the same stack", async () => {
  const place = await world.place();
  await makePool(world, place, { members: [] });
  const values = { ca_pool: poolOf(place), role: "roles/privateca.certificateRequester", member: "serviceAccount:x" };
  const type = "google_privateca_ca_pool_iam_member";
  const stack = {
    resources: [{ address: `${type}.cm`, type, isLookedUp: false, values }],
    resolve: (text: string) => text,
  };

  const { findings, checks } = await world.examine(fromPool()(healthySpec(place), place), place, { source: { stack } });

  expect(findings).toEqual([]);
  expect(checks.find(({ subject }) => subject.endsWith("(service agent)"))?.notes).toEqual([
    `Terraform grants roles on ${poolOf(place)}`,
  ]);
});

test("names an expression of the policy whose result can't be known", async () => {
  const place = await world.place();
  const expression = "subject_alt_names.size() < 3";
  const identityConstraints = { allowSubjectAltNamesPassthrough: true, celExpression: { expression } };
  await makePool(world, place, { issuancePolicy: { identityConstraints } });

  const { findings, checks } = await world.examine(fromPool()(healthySpec(place), place), place);

  expect(findings).toEqual([]);
  expect(checks.find(({ check }) => check === "caPools")).toMatchObject({
    outcome: "unknown",
    notes: [`whether the issuance policy allows the names: ${expression}`],
  });
});

const agent = serviceAgentOf("123456789012");
const requester = "roles/privateca.certificateRequester";
const held = (role: string, member = `serviceAccount:${agent}`, isConditional = false): RoleBinding => ({
  role,
  members: ["user:a@example.com", member],
  isConditional,
});

test.each<readonly [string, readonly RoleBinding[], string]>([
  ["the role to request certificates", [held("roles/viewer"), held(requester)], "granted"],
  ["a role for everybody", [held(requester, "allAuthenticatedUsers")], "granted"],
  ["the basic role of owners", [held("roles/owner")], "granted"],
  ["no role", [], "missing"],
  ["a role that only reads", [held("roles/privateca.auditor")], "missing"],
  [
    "the role of another project's service agent",
    [held(requester, `serviceAccount:${serviceAgentOf("1")}`)],
    "missing",
  ],
  ["the role under a condition", [held(requester, undefined, true)], "unknown"],
  ["a custom role", [held("projects/p/roles/requester")], "unknown"],
])("with %s, a request of the service agent is decided", (_, bindings, expected) => {
  expect(grantIn(bindings, agent)).toBe(expected);
});

test("advises to activate a subordinate CA that waits for its certificate", () => {
  const name = "projects/p/locations/l/caPools/c";
  const authorities = [{ name: `${name}/certificateAuthorities/sub`, state: "AWAITING_USER_ACTIVATION", chainPem: [] }];
  const request = { dnsNames: ["a.internal"], keyAlgorithm: "RSA_2048", lifetimeMs: 1 } as const;
  const { findings } = judgeCaPool(
    { name, tier: "ENTERPRISE", issuancePolicy: {} },
    authorities,
    [request],
    new Date(0),
  );
  expect(findings.map(({ code, command }) => [code, command])).toEqual([
    ["ca-pool-without-ca", "gcloud privateca subordinates describe sub --pool=c --location=l --project=p"],
  ]);
});
