import { type Cloud, startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { type Operator, operatorOf } from "../../lib/rehearsal/by-hand";
import { lookAt } from "../../lib/rehearsal/look";

const project = "p1";
const zones = [{ project, name: "example-com", dnsName: "example.com." }];
let cloud: Cloud;
let operator: Operator;
let said: string[];

const post = (path: string, body: object) =>
  fetch(`${cloud.endpoints.http}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const authorize = (name: string, domain: string) =>
  post(`v1/projects/${project}/locations/global/dnsAuthorizations?dnsAuthorizationId=${name}`, { domain });

beforeEach(async () => {
  cloud = await startCloud({ speed: 1_000, faults: {} });
  said = [];
  const http = createHttpClient();
  const look = lookAt(cloud, http, () => [project], zones);
  operator = operatorOf({ cloud, http, look, addresses: [], zones, say: (line) => said.push(line) });
  await post(`dns/v1/projects/${project}/managedZones`, {
    name: "example-com",
    dnsName: "example.com.",
    description: "",
  });
});
afterEach(async () => {
  await operator.withdraw();
  await cloud.stop();
});

const records = async () => {
  const answer = await fetch(`${cloud.endpoints.http}dns/v1/projects/${project}/managedZones/example-com/rrsets`);
  const { rrsets } = (await answer.json()) as {
    readonly rrsets: readonly { readonly name: string; readonly type: string }[];
  };
  return rrsets.filter(({ type }) => type === "CNAME").map(({ name }) => name);
};

test("publishes the CNAME of each authorization that is there in place of the user, and takes it back", async () => {
  await authorize("a", "a.example.com");
  await authorize("b", "b.example.com");
  await operator.catchUp();
  expect((await records()).sort()).toEqual(["_acme-challenge.a.example.com.", "_acme-challenge.b.example.com."]);
  expect(said).toEqual(
    ["a", "b"].map((name) => expect.stringMatching(`^published by hand: _acme-challenge.${name}.example.com. CNAME `)),
  );
  await operator.catchUp();
  expect(said).toHaveLength(2);
  await operator.withdraw();
  expect(await records()).toEqual([]);
});

test("tells of one that lies in no zone, once", async () => {
  await authorize("c", "c.example.net");
  await operator.catchUp();
  await operator.catchUp();
  const name = `projects/${project}/locations/global/dnsAuthorizations/c`;
  expect(said).toEqual([`nobody can publish the CNAME of ${name}: _acme-challenge.c.example.net. lies in no zone`]);
});
