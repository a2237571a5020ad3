import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import { CloudError } from "../cloud-error";
import type { Cloud } from "../cloud-model";
import { readFaultPlan } from "../faults";
import { isJsonObject, json, refusal, type WireAnswer, type WireRequest } from "../front";
import { projectSettings, readProjectSettings } from "../projects";
import type { Store } from "../state";

/** Performs a control call; its result becomes the JSON answer. */
type ControlCall = (cloud: Cloud, body: unknown, store: Store) => unknown;

const endOfTimeMs = Date.UTC(2200, 0);
const mostAdvanceMs = 10 * 365 * 24 * 3_600_000;

const calls: Readonly<Record<string, ControlCall>> = {
  "GET endpoints": ({ endpoints }) => endpoints,
  "GET listeners": (cloud) => cloud.loadBalancers.listeners(),
  "GET requests": (cloud) => cloud.requests(),
  "GET handshakes": (cloud) => cloud.loadBalancers.handshakes(),
  "GET clock": ({ clock }) => ({ now: clock.now().toISOString() }),
  "POST clock": async ({ clock }, body) => {
    checkFields(body, ["advanceMs"]);
    const ms = isJsonObject(body) ? body.advanceMs : undefined;
    if (typeof ms !== "number" || !(ms >= 0 && ms <= mostAdvanceMs))
      throw new InputError(
        "clock-malformed",
        `'advanceMs' must be a number of milliseconds from 0 to ${mostAdvanceMs}, which are ten years`,
      );
    if (clock.now().getTime() + ms > endOfTimeMs)
      throw new InputError(
        "clock-malformed",
        `'advanceMs' ${ms} leads beyond the year 2200, where this cloud's time ends`,
      );
    await clock.advance(ms);
    return { now: clock.now().toISOString() };
  },
  "GET faults": ({ faults }) => ({ plan: faults.plan, faultCounts: faults.counts() }),
  "PUT faults": ({ faults }, body, store) => {
    faults.set(readFaultPlan(body));
    store.collection("cloud").set("faults", faults.plan);
    return { plan: faults.plan };
  },
  "POST settle": async (cloud, body) => {
    checkFields(body, []);
    await cloud.loadBalancers.settle();
    return cloud.loadBalancers.listeners();
  },
  "PUT project": (_cloud, body, store) => {
    const { project, settings } = readProjectSettings(body);
    projectSettings(store).set(project, settings);
    return { project, ...settings };
  },
  "POST activities": ({ activities }, body) => activities.ingest(body).raw,
  "POST reset": async (cloud, body) => {
    checkFields(body, []);
    await cloud.reset();
    return {};
  },
};

export async function answerControl(request: WireRequest, cloud: Cloud, store: Store): Promise<WireAnswer> {
  const name = request.target.replace(/\?.*$/s, "").replace(/^\/_cloud\/+/, "");
  const call = calls[`${request.httpMethod} ${name}`];
  if (call === undefined) {
    const known = Object.keys(calls).join(", ");
    return refusal(
      new CloudError(
        "NOT_FOUND",
        `unknown control call ${request.httpMethod} ${name.slice(0, 100)}; there are ${known}`,
      ),
      "status",
    );
  }
  try {
    const answer = await call(cloud, readBody(request.body), store);
    store.commit();
    return json(200, answer as object);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return refusal(new CloudError("INVALID_ARGUMENT", error.message), "status");
  }
}

function readBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError("control-body-malformed", `the body is not JSON: ${quote((error as Error).message)}`);
  }
}

/** Checks the fields of a body. @throws InputError for an unknown field, so that no misspelled field is ignored */
function checkFields(body: unknown, known: readonly string[]): void {
  const unknown = (isJsonObject(body) ? Object.keys(body) : [])
    .filter((name) => !known.includes(name))
    .map(
      (name): Problem => ({
        code: "control-field-unknown",
        message: `this call has no field ${quote(name)}; it has ${known.length === 0 ? "none" : known.map(quote).join(", ")}`,
      }),
    );
  if (unknown.length > 0) throw new InputError(unknown);
}
