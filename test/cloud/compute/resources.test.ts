import { type ComputeResource, createResources } from "../../../lib/cloud/compute/resources";
import { openStore } from "../../../lib/cloud/state";

const resource = (members: object) => members as ComputeResource;

describe("an address", () => {
  it("is not available while it is reserved or a forwarding rule uses it", () => {
    const resources = createResources(openStore());
    resources.set("projects/p1/global/addresses/a1", resource({ address: "203.0.113.1" }));
    resources.set("projects/p1/global/forwardingRules/r1", resource({ IPAddress: "203.0.113.2" }));
    const isTaken = () =>
      ["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((address) => resources.addresses.isTaken(address));
    expect(isTaken()).toEqual([true, true, false]);
    resources.delete("projects/p1/global/addresses/a1");
    resources.delete("projects/p1/global/forwardingRules/r1");
    expect(isTaken()).toEqual([false, false, false]);
  });
});
