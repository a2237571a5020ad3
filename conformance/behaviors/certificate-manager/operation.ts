import { defineGroup } from "../../behavior";
import { type Json, refusalOf } from "../../side";
import { aip, pages, providerFile } from "../../sources";

const polling = providerFile("services/certificatemanager/certificate_manager_operation.go");
const service = "certificatemanager.projects.locations";

interface Fixture {
  readonly first: Json;
  readonly ended: Json;
  readonly name: string;
}

export const operation = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "operation",
  prepare: async (side) => {
    const id = `${service}.certificateMaps.create`;
    const parameters = { parent: side.location(), certificateMapId: side.name("operation") };
    const first = await side.make(id, parameters, { description: "made by an operation" });
    const ended = await side.ended(id, parameters, first);
    return { first, ended, name: `${side.location()}/certificateMaps/${side.name("operation")}` };
  },
  behaviors: [
    {
      word: "name",
      statement: "A mutation answers with an operation, whose name is below the location of the resource.",
      source: [pages.managerProto, polling],
      reliedOnBy: ["operations-hang"],
      expected: "projects/{project}/locations/global/operations/{operation}",
      observe: async (_, { first }) => first.name,
    },
    {
      word: "metadata",
      statement: "The metadata of an operation name the target, the verb and the version of the API.",
      source: `${pages.managerRest}/v1/OperationMetadata`,
      reliedOnBy: ["lib/cloud/certificate-manager/operations.ts"],
      expected: {
        "@type": "type.googleapis.com/google.cloud.certificatemanager.v1.OperationMetadata",
        apiVersion: "v1",
        createTime: "{time}",
        endTime: "{time}",
        requestedCancellation: false,
        target: "projects/{project}/locations/global/certificateMaps/{prefix}-operation",
        verb: "create",
      },
      observe: async (_, { ended }) => ended.metadata,
    },
    {
      word: "response",
      statement: "The response of an ended creation is the resource, with its type.",
      source: [aip(151), pages.managerProto],
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: {
        "@type": "type.googleapis.com/google.cloud.certificatemanager.v1.CertificateMap",
        name: "projects/{project}/locations/global/certificateMaps/{prefix}-operation",
        description: "made by an operation",
        createTime: "{time}",
        updateTime: "{time}",
      },
      observe: async (_, { ended }) => ended.response,
    },
    {
      word: "done",
      statement: "An ended operation has `done: true` and no error.",
      source: [aip(151), polling],
      reliedOnBy: ["operations-hang"],
      expected: { done: true, hasError: false },
      observe: async (_, { ended }) => ({ done: ended.done, hasError: "error" in ended }),
    },
    {
      word: "missing",
      statement: "An operation that does not exist is refused with 404 NOT_FOUND.",
      source: aip(151),
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side) => {
        const name = `${side.location()}/operations/${side.name("missing")}`;
        return refusalOf(await side.call(`${service}.operations.get`, { name }));
      },
    },
    {
      word: "deletion",
      statement: "The response of an ended deletion is empty, and the resource is refused with 404 afterwards.",
      source: [aip(135), pages.managerProto],
      reliedOnBy: ["left-behind"],
      expected: {
        response: { "@type": "type.googleapis.com/google.protobuf.Empty" },
        verb: "delete",
        after: { status: 404, code: "NOT_FOUND" },
      },
      observe: async (side, { name }) => {
        const { response, metadata } = await side.run(`${service}.certificateMaps.delete`, { name });
        const after = refusalOf(await side.call(`${service}.certificateMaps.get`, { name }));
        return { response, verb: (metadata as Json).verb, after };
      },
    },
    {
      word: "location",
      statement: "The location `global` is returned by its name and its id.",
      source: `${pages.managerRest}/v1/projects.locations`,
      reliedOnBy: ["lib/cloud/certificate-manager/names.ts"],
      expected: { name: "projects/{project}/locations/global", locationId: "global" },
      observe: async (side) => {
        const { name, locationId } = await side.make(`${service}.get`, { name: side.location() });
        return { name, locationId };
      },
    },
    {
      word: "unknown-location",
      statement: "A creation in a location that does not exist is refused.",
      source: `${pages.managerRest}/v1/projects.locations`,
      reliedOnBy: ["region-not-allowed"],
      expected: true,
      observe: async (side) => {
        const parameters = { parent: side.location("nowhere1"), dnsAuthorizationId: side.name("nowhere") };
        const body = { domain: side.host("nowhere") };
        const { status } = await side.call(`${service}.dnsAuthorizations.create`, parameters, body, {
          mayBeBlocked: true,
        });
        return status >= 400 && status < 500;
      },
    },
  ],
});
