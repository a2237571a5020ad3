import { createAPIRequest } from "googleapis-common";
import { ApiDescription } from "../lib/discovery";
import { generateDescription } from "./generated-description";
import { inTurns, type Measurement, medianOf, ratiosOf, type Side } from "./measurement";

/**
 * Returns the shortest time of several runs of `work`, in milliseconds, each after garbage collection. The shortest run
 * has the least other load of the machine.
 */
function timeOf(work: () => unknown, runs: number): number {
  const times: number[] = [];
  for (let run = -3; run < runs; run += 1) {
    globalThis.gc?.();
    const started = performance.now();
    const result = work();
    const time = performance.now() - started;
    // Keeps the result referenced, as a program does that reads a description.
    if (run >= 0 && result !== undefined) times.push(time);
  }
  return Math.min(...times);
}

/** Compares parsing and indexing a description with parsing its JSON alone. */
export async function measureParsing(short: boolean): Promise<readonly Measurement[]> {
  const text = JSON.stringify(generateDescription(1_000));
  const against = async (what: string, goal: number, work: () => unknown): Promise<Measurement> => {
    const runs = await inTurns(short ? 3 : 7, (side) => timeOf(side === "own" ? work : () => JSON.parse(text), 15));
    const size = `1000 methods (${(text.length / 1e6).toFixed(1)} MB)`;
    return {
      what: `reading a description of ${size} ${what}, time against JSON.parse`,
      goal,
      ratios: ratiosOf(runs, Number),
      detail: `${medianOf(runs, "own", Number).toFixed(1)} ms and ${medianOf(runs, "peer", Number).toFixed(1)} ms`,
    };
  };
  return [
    await against("and indexing its methods by id", 1.3, () => ApiDescription.parse(text)),
    await against("and finding the method of a first URL", 2, () =>
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

/**
 * Compares building a validated request with `googleapis-common`, which checks only the names of required parameters.
 * Neither side sends the request.
 */
export async function measureRequests(short: boolean): Promise<readonly Measurement[]> {
  const document = generateDescription(1_000);
  const api = ApiDescription.parse(document);
  const measurements: Measurement[] = [];
  for (const { what, id, path, required, parameters } of cases) {
    const url = `${document.rootUrl}${document.servicePath}${path}`;
    const runs = await inTurns(short ? 3 : 7, (side) =>
      side === "own" ? ownMicroseconds(api, id, parameters) : peerMicroseconds(url, required, parameters),
    );
    const rate = (side: Side) => Math.round(1e6 / medianOf(runs, side, Number));
    measurements.push({
      what: `making a validated request ${what}, time against googleapis-common`,
      goal: 0.1,
      ratios: ratiosOf(runs, Number),
      detail: `${rate("own")} and ${rate("peer")} a second`,
    });
  }
  return measurements;
}

/** Time of one request, in microseconds. */
async function peerMicroseconds(url: string, required: readonly string[], parameters: object): Promise<number> {
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
  return ((performance.now() - started) * 1_000) / count;
}

const answer = { data: {}, status: 200, statusText: "OK", ok: true, headers: new Headers(), config: {} };

/** Time of one request, in microseconds. */
function ownMicroseconds(api: ApiDescription, id: string, parameters: (typeof cases)[number]["parameters"]): number {
  const count = 100_000;
  const started = performance.now();
  for (let request = 0; request < count; request += 1) api.request(id, { parameters });
  return ((performance.now() - started) * 1_000) / count;
}
