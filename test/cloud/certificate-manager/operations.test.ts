import { CloudError } from "../../../lib/cloud/cloud-error";
import { parent, refusalOf, type StartedManager, startCertificateManager } from "../../support/certificate-manager";

const operationName = /^projects\/p1\/locations\/global\/operations\/operation-\d+-[0-9a-f-]{36}$/;
const types = "type.googleapis.com/google.cloud.certificatemanager.v1.";

async function makeMap(cloud: StartedManager, id = "m1") {
  const { body } = await cloud.create("certificateMaps", id, { description: "d" });
  return body as { readonly name: string };
}

test("an operation is not done at first, and ends with the created resource", async () => {
  await using cloud = await startCertificateManager();
  const started = await makeMap(cloud);
  const metadata = {
    "@type": `${types}OperationMetadata`,
    createTime: "2026-11-21T00:00:00.000Z",
    target: `${parent}/certificateMaps/m1`,
    verb: "create",
    requestedCancellation: false,
    apiVersion: "v1",
  };
  expect(started).toEqual({ name: expect.stringMatching(operationName), metadata });
  await cloud.clock.advance(499);
  expect(await cloud.get(started.name)).toEqual(started);
  await cloud.clock.advance(1);
  expect(await cloud.get(started.name)).toEqual({
    name: started.name,
    metadata: { ...metadata, endTime: "2026-11-21T00:00:00.500Z" },
    done: true,
    response: { "@type": `${types}CertificateMap`, ...(await cloud.get(`${parent}/certificateMaps/m1`)) },
  });
});

test("an operation of a patch or a deletion states its verb", async () => {
  await using cloud = await startCertificateManager();
  await makeMap(cloud);
  const map = `v1/${parent}/certificateMaps/m1`;
  const patching = (await cloud.call("PATCH", `${map}?updateMask=description`, { description: "new" })).body;
  const deleting = (await cloud.call("DELETE", map)).body;
  await cloud.clock.advance(500);
  expect(await cloud.get(String(patching.name))).toMatchObject({
    metadata: { verb: "update" },
    done: true,
    response: { "@type": `${types}CertificateMap`, description: "new" },
  });
  expect(await cloud.get(String(deleting.name))).toMatchObject({
    metadata: { verb: "delete", target: `${parent}/certificateMaps/m1` },
    done: true,
    response: { "@type": "type.googleapis.com/google.protobuf.Empty" },
  });
});

test("an operation that a fault makes fail ends with the error, and changes nothing", async () => {
  let failing = true;
  await using cloud = await startCertificateManager({
    failOperation: (method) => (failing ? new CloudError("INTERNAL", `broken: ${method}`) : undefined),
  });
  const failed = async (answer: { readonly body: { readonly name?: string } }) => {
    await cloud.clock.advance(500);
    return cloud.get(String(answer.body.name));
  };
  const map = `v1/${parent}/certificateMaps/m1`;
  const error = (verb: string) => ({
    done: true,
    error: { code: 13, message: `broken: certificatemanager.projects.locations.certificateMaps.${verb}` },
  });

  expect(await failed(await cloud.create("certificateMaps", "m1", {}))).toMatchObject(error("create"));
  expect((await cloud.call("GET", map)).status).toBe(404);
  failing = false;
  await makeMap(cloud);
  failing = true;
  const patching = await cloud.call("PATCH", `${map}?updateMask=description`, { description: "new" });
  expect(await failed(patching)).toMatchObject(error("patch"));
  expect(await failed(await cloud.call("DELETE", map))).toMatchObject(error("delete"));
  expect((await cloud.call("GET", map)).body).toMatchObject({ description: "d" });
});

test("an operation is not created for an invalid call, even if a fault would make it fail", async () => {
  await using cloud = await startCertificateManager({ failOperation: () => new CloudError("INTERNAL", "broken") });
  const refusal = refusalOf(await cloud.create("certificateMaps", "M!", {}));
  expect(refusal.status).toBe(400);
  expect((await cloud.call("GET", `v1/${parent}/operations`)).body).toEqual({ operations: [] });
});

test("an operation is listed in its own location only, in pages, and by whether it is done", async () => {
  await using cloud = await startCertificateManager();
  await makeMap(cloud, "m1");
  await cloud.clock.advance(1_000);
  await makeMap(cloud, "m2");
  const list = async (query = "", within = parent) =>
    (await cloud.call("GET", `v1/${within}/operations${query}`)).body as {
      readonly operations: readonly { readonly metadata: { readonly target: string } }[];
      readonly nextPageToken?: string;
    };
  const targets = ({ operations }: Awaited<ReturnType<typeof list>>) =>
    operations.map(({ metadata }) => metadata.target.split("/").at(-1));
  expect(targets(await list())).toEqual(["m1", "m2"]);
  expect(targets(await list("?filter=done=true"))).toEqual(["m1"]);
  expect(targets(await list("", "projects/p2/locations/global"))).toEqual([]);
  const page = await list("?pageSize=1");
  expect(targets(page)).toEqual(["m1"]);
  expect(targets(await list(`?pageSize=1&pageToken=${page.nextPageToken}`))).toEqual(["m2"]);
});

test("an operation can be deleted, and can be cancelled without effect after its end", async () => {
  await using cloud = await startCertificateManager();
  const { name } = await makeMap(cloud);
  expect(await cloud.call("POST", `v1/${name}:cancel`, {})).toEqual({ status: 200, body: {} });
  await cloud.clock.advance(500);
  expect(await cloud.get(name)).toMatchObject({ done: true, response: { description: "d" } });
  expect(await cloud.call("DELETE", `v1/${name}`)).toEqual({ status: 200, body: {} });
  for (const [httpMethod, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", ":cancel"],
  ] as const) {
    expect(
      refusalOf(await cloud.call(httpMethod, `v1/${name}${path}`, httpMethod === "POST" ? {} : undefined)),
    ).toMatchObject({
      status: 404,
      message: `Resource '${name}' was not found`,
    });
  }
  expect((await cloud.call("GET", `v1/${parent}/certificateMaps/m1`)).status).toBe(200);
});

test("an operation is deleted if it is done and there are more than 10,000, the oldest first", async () => {
  await using cloud = await startCertificateManager();
  const { name } = await makeMap(cloud);
  const kept = cloud.store.collection("certificatemanager.operations");
  for (let number = 0; number < 9_999; number++) kept.set(`other ${number}`, { name: "x" });
  await makeMap(cloud, "m2");
  expect((await cloud.call("GET", `v1/${name}`)).status).toBe(200);
  await cloud.clock.advance(500);
  await makeMap(cloud, "m3");
  expect((await cloud.call("GET", `v1/${name}`)).status).toBe(404);
  expect(kept.size).toBe(10_001);
});

describe("locations", () => {
  test("are listed, in pages on request, and returned one by one", async () => {
    await using cloud = await startCertificateManager();
    const names = async (query = "") =>
      (await cloud.call("GET", `v1/projects/p1/locations${query}`)).body as {
        readonly locations: readonly { readonly name: string }[];
        readonly nextPageToken?: string;
      };
    const { locations } = await names();
    expect(locations).toContainEqual({ name: parent, locationId: "global" });
    const page = await names("?pageSize=1");
    expect(page.locations).toHaveLength(1);
    const next = await names(`?pageSize=1&pageToken=${page.nextPageToken}`);
    expect(next.locations).toHaveLength(1);
    expect(next.locations).not.toEqual(page.locations);
    expect(await cloud.get("projects/p1/locations/asia-east2")).toEqual({
      name: "projects/p1/locations/asia-east2",
      locationId: "asia-east2",
    });
    expect((await cloud.call("GET", "v1/projects/p1/locations/mars")).status).toBe(400);
  });
});

describe("a list", () => {
  test("of all locations contains the resources of every location in one project", async () => {
    await using cloud = await startCertificateManager();
    for (const within of [
      "projects/p1/locations/global",
      "projects/p1/locations/us-central1",
      "projects/p2/locations/global",
    ]) {
      await cloud.create("dnsAuthorizations", "a1", { domain: "example.com" }, within);
    }
    const { body } = await cloud.call("GET", "v1/projects/p1/locations/-/dnsAuthorizations");
    const items = (body as { readonly dnsAuthorizations: readonly { readonly name: string }[] }).dnsAuthorizations;
    expect(items.map(({ name }) => name)).toEqual([
      "projects/p1/locations/global/dnsAuthorizations/a1",
      "projects/p1/locations/us-central1/dnsAuthorizations/a1",
    ]);
  });

  test("excludes a project or map whose name only starts with the same text", async () => {
    await using cloud = await startCertificateManager();
    for (const within of ["projects/p1/locations/global", "projects/p10/locations/global"]) {
      await cloud.create("certificateMaps", "m", {}, within);
    }
    const { body } = await cloud.call("GET", "v1/projects/p1/locations/-/certificateMaps");
    expect((body as { readonly certificateMaps: readonly object[] }).certificateMaps).toHaveLength(1);
  });

  test.each([
    ["in order of name", "", ["a", "b", "c"]],
    ["in reverse order of name", "?orderBy=name desc", ["c", "b", "a"]],
    ["in order of description", "?orderBy=description", ["c", "a", "b"]],
    ["filtered by description", "?filter=description=2", ["a"]],
    ["filtered by label", "?filter=labels.env:*", ["b"]],
  ])("is returned %s", async (_, query, ids) => {
    await using cloud = await startCertificateManager();
    await cloud.create("certificateMaps", "c", { description: "1" });
    await cloud.create("certificateMaps", "a", { description: "2" });
    await cloud.create("certificateMaps", "b", { description: "3", labels: { env: "x" } });
    const { body } = await cloud.call("GET", `v1/${parent}/certificateMaps${query}`);
    const maps = (body as { readonly certificateMaps: readonly { readonly name: string }[] }).certificateMaps;
    expect(maps.map(({ name }) => name.split("/").at(-1))).toEqual(ids);
  });

  test.each(["?pageSize=-1", "?pageToken=garbage", "?orderBy=a b c", "?filter=((", "?pageSize=x"])(
    "is refused with %s",
    async (query) => {
      await using cloud = await startCertificateManager();
      expect((await cloud.call("GET", `v1/${parent}/certificateMaps${query}`)).status).toBe(400);
    },
  );
});
