import { createHttpClient } from "../../../lib/http";
import { createCloudApi } from "../../../lib/terraform-provider/cloud-api";
import { zoneKind } from "../../../lib/terraform-provider/resources/dns";
import { openBindings, resourceSchema } from "../../../lib/terraform-provider/schema";
import { startServer } from "../../support/loopback";

const zone = { project: "p", name: "main", dns_name: "example.com.", force_destroy: true };

test("names the attempted action if a zone can't be emptied before its deletion", async () => {
  const recordSet = { name: "www.example.com.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] };
  const apex = { name: "example.com.", type: "NS", ttl: 300, rrdatas: ["ns.example.org."] };
  await using server = await startServer((request, response) => {
    response.writeHead(request.method === "GET" ? 200 : 403, { "content-type": "application/json" });
    response.end(
      JSON.stringify(request.method === "GET" ? { rrsets: [apex, recordSet] } : { error: { message: "no right" } }),
    );
  });
  const schema = resourceSchema(openBindings(), zoneKind.type);
  if (schema === undefined) throw new Error("the bindings have no zones");
  const call = {
    api: createCloudApi({ cloudUrl: server.url, http: createHttpClient(), accessToken: "t" }),
    settings: {
      project: "p",
      region: undefined,
      zone: undefined,
      accessToken: "t",
      userProjectOverride: false,
      billingProject: undefined,
      deletionPolicy: undefined,
      defaultLabels: {},
      attribution: "never",
    },
    schema,
    unique: () => "x",
    signal: new AbortController().signal,
  } as const;

  await expect(zoneKind.delete(zone, call)).rejects.toThrow(/^emptying google_dns_managed_zone 'main': .*no right/);
  expect(server.requests.at(-1)).toMatchObject({
    method: "POST",
    target: "/dns/v1/projects/p/managedZones/main/changes",
  });
});
