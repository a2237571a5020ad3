import type { OperatingService } from "../../lib/cloud";
import { makeZone, parent, startTestCloud } from "../support/cloud";

const changes = "/dns/v1/projects/p1/managedZones/z1/changes";
const addition = (name: string, address: string) => ({ name, type: "A", ttl: 60, rrdatas: [address] });

test("asks for the time of each operation by its service, and answers as done what takes none", async () => {
  const asked: OperatingService[] = [];
  const times = { dns: 500, compute: 500, certificatemanager: 500, networksecurity: 500 };
  await using cloud = await startTestCloud({
    operationMs: (service) => {
      asked.push(service);
      const time = times[service];
      times[service] = 0;
      return time;
    },
  });
  const make = (path: string, body: object) => cloud.make("POST", path, body);
  await makeZone(cloud, "z1", "example.com.");
  const address = (name: string) => make("/compute/v1/projects/p1/global/addresses", { name });
  const map = (id: string) => make(`/v1/${parent}/certificateMaps?certificateMapId=${id}`, {});
  expect([(await address("a1")).status, (await address("a2")).status]).toEqual(["PENDING", "DONE"]);
  expect([(await map("m1")).done, (await map("m2")).done]).toEqual([undefined, true]);
  expect(new Set(asked)).toEqual(new Set(["dns", "compute", "certificatemanager"]));
});

test("serves a change that takes no time after a pending one of the same zone, as changes keep their order", async () => {
  let next = 0;
  await using cloud = await startTestCloud({ operationMs: () => next });
  await makeZone(cloud, "z1", "example.com.");
  const name = "www.example.com.";
  next = 500;
  await cloud.make("POST", changes, { additions: [addition(name, "192.0.2.1")] });
  next = 0;
  const second = await cloud.make("POST", changes, {
    deletions: [addition(name, "192.0.2.1")],
    additions: [addition(name, "192.0.2.2")],
  });
  expect(second.status).toBe("pending");
  await cloud.clock.advance(500);
  expect(await cloud.make("GET", `${changes}/${second.id}`)).toMatchObject({ status: "done" });
  const { Resolver } = require("node:dns/promises") as typeof import("node:dns/promises");
  const resolver = new Resolver();
  resolver.setServers([cloud.endpoints.dns]);
  expect(await resolver.resolve4(name)).toEqual(["192.0.2.2"]);
  const third = await cloud.make("POST", changes, { additions: [addition("a.example.com.", "192.0.2.3")] });
  expect(third.status).toBe("done");
});
