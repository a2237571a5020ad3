import { createAPIRequest } from "googleapis-common";
import { ApiDescription } from "../lib/discovery";
import { generateDescription } from "./generated-description";
import { type Measurement, median } from "./measurement";

/** Time of one run of `work`, in milliseconds: the best of as many runs as asked, each with a clean heap; whatever else the machine does only adds. */
function timeOf(work: () => unknown, runs: number): number {
  const times: number[] = [];
  for (let run = -3; run < runs; run += 1) {
    globalThis.gc?.();
    const started = performance.now();
    const result = work();
    const time = performance.now() - started;
    // The result lives as long as the measurement, as it does for whoever reads a description.
    if (run >= 0 && result !== undefined) times.push(time);
  }
  return Math.min(...times);
}

/** Parsing and indexing against parsing the JSON alone, in turns, so that all meet the same machine. */
export function measureParsing(short: boolean): readonly Measurement[] {
  const text = JSON.stringify(generateDescription(1_000));
  const against = (what: string, goal: number, work: () => unknown): Measurement => {
    const rounds = Array.from({ length: short ? 3 : 7 }, () => {
      const json = timeOf(() => JSON.parse(text), 15);
      const own = timeOf(work, 15);
      return { json, own, ratio: own / json };
    }).sort((a, b) => a.ratio - b.ratio);
    const { json, own, ratio } = rounds[Math.floor(rounds.length / 2)] as (typeof rounds)[number];
    const size = `1000 methods (${(text.length / 1e6).toFixed(1)} MB)`;
    return {
      what: `reading a description of ${size} ${what}, time against JSON.parse`,
      goal,
      ratio,
      detail: `${own.toFixed(1)} ms and ${json.toFixed(1)} ms`,
    };
  };
  return [
    against("and indexing its methods by id", 1.3, () => ApiDescription.parse(text)),
    against("and finding the method of a first URL", 2, () =>
      ApiDescription.parse(text).match("GET", "/library/v1/projects/my-project-1/things7/my-thing"),
    ),
  ];
}

const cases = [
  {
    what: "with two path variables",
    id: "library.things7.get",
    path: "projects/{project}/things7/{thing}",
    required: ["project", "thing"],
    parameters: { project: "my-project-1", thing: "my-thing" },
  },
  {
    what: "with five query parameters",
    id: "library.things7.list",
    path: "projects/{project}/things7",
    required: ["project"],
    parameters: {
      project: "my-project-1",
      maxResults: 100,
      filter: "name=a*",
      orderBy: "name",
      pageToken: "abc==",
      returnPartialSuccess: true,
    },
  },
] as const;

/** Making a validated request against `googleapis-common` making its own, which checks required names alone; nothing is sent. */
export async function measureRequests(short: boolean): Promise<readonly Measurement[]> {
  const document = generateDescription(1_000);
  const api = ApiDescription.parse(document);
  const measurements: Measurement[] = [];
  for (const { what, id, path, required, parameters } of cases) {
    const ratios: { readonly peer: number; readonly own: number }[] = [];
    for (let round = 0; round < (short ? 3 : 7); round += 1) {
      const peer = await peerRequestsPerSecond(
        `${document.rootUrl}${document.servicePath}${path}`,
        required,
        parameters,
      );
      ratios.push({ peer, own: ownRequestsPerSecond(api, id, parameters) });
    }
    const peer = median(ratios.map((round) => round.peer));
    const own = median(ratios.map((round) => round.own));
    measurements.push({
      what: `making a validated request ${what}, time against googleapis-common`,
      goal: 0.1,
      ratio: peer / own,
      detail: `${Math.round(own)} and ${Math.round(peer)} a second`,
    });
  }
  return measurements;
}

async function peerRequestsPerSecond(url: string, required: readonly string[], parameters: object): Promise<number> {
  const count = 5_000;
  const options = { url, method: "GET", apiVersion: "", adapter: async () => answer };
  const started = performance.now();
  for (let request = 0; request < count; request += 1) {
    await createAPIRequest({
      options,
      params: { ...parameters },
      requiredParams: required,
      pathParams: required,
      context: { _options: {} },
    } as unknown as Parameters<typeof createAPIRequest>[0]);
  }
  return (count / (performance.now() - started)) * 1_000;
}

const answer = { data: {}, status: 200, statusText: "OK", ok: true, headers: new Headers(), config: {} };

function ownRequestsPerSecond(
  api: ApiDescription,
  id: string,
  parameters: (typeof cases)[number]["parameters"],
): number {
  const count = 100_000;
  const started = performance.now();
  for (let request = 0; request < count; request += 1) api.request(id, { parameters });
  return (count / (performance.now() - started)) * 1_000;
}
