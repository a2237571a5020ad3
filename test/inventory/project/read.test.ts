import { createRestApi, projectLister } from "../../../lib/google";
import { createHttpClient } from "../../../lib/http";
import { readProjectResources } from "../../../lib/inventory/project";
import { startServer } from "../../support/loopback";

const proxy = {
  name: "web",
  selfLink: "https://compute.googleapis.com/compute/v1/projects/p/global/targetHttpsProxies/web",
};
const items = { global: { targetHttpsProxies: [proxy] } };
const purpose = "listing the target HTTPS proxies of project p";

/** Reads a project in which only the list of target HTTPS proxies has content. */
async function read(answer: object) {
  await using server = await startServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.target.includes("/aggregated/targetHttpsProxies") ? answer : {}));
  });
  const api = createRestApi({ endpoint: server.url, http: createHttpClient({ retry: { maxAttempts: 1 } }) });
  const options = { project: "p", dnsProjects: [], lister: projectLister(api), signal: new AbortController().signal };
  const {
    compute: { proxies },
    unread,
  } = await readProjectResources(options);
  return { proxies, unread };
}

test.each<[what: string, answer: object, reason: string]>([
  [
    "a location with only a warning",
    { items: { ...items, "regions/x": { warning: { code: "UNREACHABLE" } } } },
    "regions/x did not answer",
  ],
  [
    "a location with another warning",
    { items: { ...items, "regions/x": { warning: { code: "PARTIAL_SUCCESS" } } } },
    "regions/x warned with PARTIAL_SUCCESS",
  ],
  ["a warning about the page", { items, warning: { code: "UNREACHABLE" } }, "the service did not answer"],
  [
    "several unreachable locations",
    { items, unreachables: ["regions/y", "regions/x"] },
    "regions/x did not answer, regions/y did not answer",
  ],
])("reports %s as an incomplete list, and keeps the resources of other locations", async (_, answer, reason) => {
  expect(await read(answer)).toEqual({
    proxies: [proxy],
    unread: [{ what: "target HTTPS proxies", project: "p", reason: `${purpose}: ${reason}` }],
  });
});

test("does not report locations without resources", async () => {
  const warning = { code: "NO_RESULTS_ON_PAGE", message: "There are no results for scope 'regions/x' on this page." };
  expect(await read({ items: { ...items, "regions/x": { warning } }, warning })).toEqual({
    proxies: [proxy],
    unread: [],
  });
});
