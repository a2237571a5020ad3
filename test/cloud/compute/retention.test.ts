import { createIds } from "../../../lib/cloud/compute/links";
import { createMutate } from "../../../lib/cloud/compute/mutations";
import { createComputeOperations } from "../../../lib/cloud/compute/operations";
import { type ComputeResource, createResources } from "../../../lib/cloud/compute/resources";
import type { Call } from "../../../lib/cloud/front";
import { createCloudClock, openStore } from "../../../lib/cloud/state";
import { ownDescription } from "../../../lib/discovery";

const description = ownDescription("compute:v1");
const method = description.method("compute.urlMaps.insert");
const after = { name: "u1", id: "1", selfLink: "https://www.googleapis.com/compute/v1/projects/p1/global/urlMaps/u1" };

/** Sends this number of inserts at the same time, each with a different id. */
function insertMany(count: number, operationMs: number) {
  const clock = createCloudClock({ speed: 0 });
  const store = openStore();
  const operations = createComputeOperations({
    store,
    clock,
    ids: createIds(store, ""),
    operationMs,
    longestWaitMs: 1_000,
  });
  const resources = createResources(store);
  const mutate = createMutate({
    store,
    clock,
    resources,
    operations,
    failOperation: () => undefined,
    onChange: () => undefined,
  });
  const names = Array.from({ length: count }, (_, index) => {
    const requestId = `00000000-0000-0000-0000-${String(index + 1).padStart(12, "0")}`;
    const call: Call = { description, method, parameters: { project: "p1", requestId }, body: {}, caller: "anonymous" };
    return String(mutate(call, () => ({ after: after as ComputeResource })).name);
  });
  const isKept = (index: number) => operations.get(`projects/p1/global/operations/${names[index]}`) !== undefined;
  return { store, isKept };
}

describe("operations", () => {
  it("are deleted beyond 10,000, oldest first, with their requestIds", () => {
    const { store, isKept } = insertMany(10_003, 0);
    expect(store.collection("compute.operations").size).toBe(10_000);
    expect([0, 2, 3, 10_002].map(isKept)).toEqual([false, false, true, true]);
    expect(store.collection("compute.requests").size).toBe(10_000);
  });

  it("are never deleted while they run", () => {
    const { isKept } = insertMany(10_003, 1_000);
    expect([0, 10_002].map(isKept)).toEqual([true, true]);
  });
});
