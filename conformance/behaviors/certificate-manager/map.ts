import { defineGroup } from "../../behavior";
import { isRefused, refusalOf } from "../../side";
import { aip, pages, providerFile } from "../../sources";

import { create, get, nameOf, patch, tryCreate, tryPatch, tryRemove } from "./resources";

const service = "services/certificatemanager";
const mapTests = providerFile(`${service}/resource_certificate_manager_certificate_map_generated_test.go`);

export const certificateMap = defineGroup<string>({
  service: "certificate-manager",
  concept: "map",
  prepare: (side) =>
    create(side, "certificateMaps", "map", { description: "My acceptance test certificate map", labels: { a: "b" } }),
  behaviors: [
    {
      word: "resource",
      statement: "A created map is returned with its name, description, labels and two times, and without targets.",
      source: [pages.managerProto, mapTests],
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: {
        name: "projects/{project}/locations/global/certificateMaps/{prefix}-map",
        description: "My acceptance test certificate map",
        labels: { a: "b" },
        createTime: "{time}",
        updateTime: "{time}",
      },
      observe: (side, name) => get(side, name),
    },
    {
      word: "regional",
      statement: "A map in a region is refused: maps are global.",
      source: pages.maps,
      reliedOnBy: ["map-not-allowed"],
      expected: true,
      observe: async (side) => isRefused(await tryCreate(side, "certificateMaps", "map-regional", {}, "us-central1")),
    },
    {
      word: "duplicate-id",
      statement: "A second map with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side) => refusalOf(await tryCreate(side, "certificateMaps", "map", {})),
    },
    {
      word: "unknown-field-in-mask",
      statement: "A mask with an unknown field is refused with 400 INVALID_ARGUMENT.",
      source: aip(134),
      reliedOnBy: ["lib/cloud/front/field-mask.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, name) => refusalOf(await tryPatch(side, name, "colour", {})),
    },
    {
      word: "mask-spelling",
      statement: "A mask may spell fields in snake case, as Terraform's provider does not, and as gcloud does.",
      source: "https://protobuf.dev/programming-guides/json/",
      reliedOnBy: ["lib/cloud/front/field-mask.ts"],
      expected: "in snake case",
      observe: async (side, name) => {
        await patch(side, name, "description", { description: "in snake case" });
        return (await get(side, name)).description;
      },
    },
    {
      word: "update-time",
      statement: "A patch moves `updateTime` and keeps `createTime`.",
      source: [pages.managerProto, aip(148)],
      reliedOnBy: ["lib/cloud/certificate-manager/resource-handlers.ts"],
      expected: { isCreateTimeKept: true, isUpdateTimeLater: true },
      observe: async (side, name) => {
        const before = await get(side, name);
        await side.wait(2_000);
        await patch(side, name, "description", { description: "later" });
        const after = await get(side, name);
        return {
          isCreateTimeKept: before.createTime === after.createTime,
          isUpdateTimeLater: Date.parse(String(after.updateTime)) > Date.parse(String(before.updateTime)),
        };
      },
    },
    {
      word: "missing",
      statement: "The deletion of a map that does not exist is refused with 404 NOT_FOUND.",
      source: aip(135),
      reliedOnBy: ["deletion-of-the-whole"],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) => refusalOf(await tryRemove(side, nameOf(side, "certificateMaps", "map-missing"))),
    },
  ],
});
