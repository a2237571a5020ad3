import { defineGroup } from "../../behavior";
import { type Answer, type Json, refusalOf, type Side } from "../../side";
import { protoFile } from "../../sources";

const reason = protoFile("api/error_reason.proto");
const proto = protoFile("api/serviceusage/v1/serviceusage.proto");
const client = "lib/google/client.ts";

/** APIs that the suite can do without, with a method that only reads. */
const candidates = [
  { id: "networksecurity", method: "networksecurity.projects.locations.serverTlsPolicies.list" },
  { id: "privateca", method: "privateca.projects.locations.caPools.list" },
] as const;

interface Fixture {
  readonly service: string;
  /** Answer of a call to the disabled API. */
  readonly answer: Answer;
}

const nameOf = (side: Side, id: string) => `projects/${side.project}/services/${id}.googleapis.com`;

/** Changes an API of the rehearsal cloud; the APIs of a project of Google Cloud stay as they are. */
async function change(side: Side, verb: "enable" | "disable", id: string): Promise<Answer | undefined> {
  if (side.kind !== "rehearsal") return undefined;
  const options = { isOwn: true, mayBeBlocked: true };
  return side.call(`serviceusage.services.${verb}`, { name: nameOf(side, id) }, {}, options);
}

/** Calls an API that the project has not enabled. */
async function callDisabled(side: Side): Promise<Fixture> {
  const [first] = candidates;
  await change(side, "enable", first.id);
  await change(side, "disable", first.id);
  for (const { id, method } of candidates) {
    const name = nameOf(side, id);
    if ((await side.make("serviceusage.services.get", { name })).state !== "DISABLED") continue;
    const parent = `${side.location("us-central1")}`;
    const answer = await side.call(method, { parent }, undefined, { mayBeBlocked: true });
    await change(side, "enable", id);
    return { service: `${id}.googleapis.com`, answer };
  }
  throw new Error(`the project has enabled ${candidates.map(({ id }) => id).join(" and ")}`);
}

export const disabledApi = defineGroup<Fixture>({
  service: "service-usage",
  concept: "disabled-api",
  prepare: callDisabled,
  behaviors: [
    {
      word: "refusal",
      statement: "A call to a disabled API is refused with 403 PERMISSION_DENIED.",
      source: reason,
      reliedOnBy: ["api-disabled", client],
      expected: { status: 403, code: "PERMISSION_DENIED" },
      observe: async (_, { answer }) => refusalOf(answer),
    },
    {
      word: "details",
      statement: "The refusal has an `ErrorInfo` with the reason `SERVICE_DISABLED`, the API and the project.",
      source: reason,
      reliedOnBy: ["api-disabled", client],
      expected: { reason: "SERVICE_DISABLED", domain: "googleapis.com", isService: true, hasConsumer: true },
      observe: async (_, { answer, service }) => {
        const { details = [] } = answer.body.error as { readonly details?: readonly Json[] };
        const info = details.find((detail) => detail["@type"] === "type.googleapis.com/google.rpc.ErrorInfo");
        const metadata = (info?.metadata ?? {}) as Json;
        return {
          reason: info?.reason,
          domain: info?.domain,
          isService: metadata.service === service,
          hasConsumer: /^projects\/[^/]+$/.test(String(metadata.consumer)),
        };
      },
    },
    {
      word: "disable-again",
      statement: "Disabling an API that is not enabled is refused with 400 FAILED_PRECONDITION.",
      source: proto,
      reliedOnBy: ["service-disabled"],
      staysInRehearsal: true,
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side) => {
        const [{ id }] = candidates;
        await change(side, "disable", id);
        const again = await change(side, "disable", id);
        await change(side, "enable", id);
        return again === undefined ? undefined : refusalOf(again);
      },
    },
  ],
});
