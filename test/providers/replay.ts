import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { sendJson } from "../support/loopback";
import { makeCertificate } from "../support/make-certificate";
import type { SentRequest } from "./recorder";
import type { Recording } from "./run-stacks";
import { recordedStacks } from "./stacks";

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
type Ask = (httpMethod: string, path: string, body?: object) => Promise<Answer>;

/**
 * Sends recorded requests to a cloud in their order, with substitutes for omitted values.
 *
 * @returns requests whose response has another status than the recording
 */
export async function replay(recording: Recording): Promise<readonly string[]> {
  const stacks = recordedStacks([
    makeCertificate(["legacy.example.com"]),
    makeCertificate(["legacy.example.com"], { key: 1 }),
  ]);
  const wrong: string[] = [];
  for (const [name, steps] of Object.entries(recording)) {
    await using cloud = await startLoadBalancerCloud();
    await stacks.find((stack) => stack.name === name)?.prepare?.((...words) => cloud.call(...words));
    for (const [step, requests] of Object.entries(steps)) {
      for (const request of requests) {
        const { status, body } = await send(request, askerOf(cloud.url));
        if (status === request.status) continue;
        const { httpMethod, target } = request;
        wrong.push(
          `${name}, ${step}: ${httpMethod} ${target} answered ${status}, not ${request.status}: ${JSON.stringify(body)}`,
        );
      }
    }
  }
  return wrong;
}

function askerOf(cloudUrl: string): Ask {
  return (httpMethod, path, body) => sendJson(httpMethod, new URL(path, cloudUrl), body);
}

const { certificatePem, privateKeyPem } = makeCertificate(["legacy.example.com"]);

/** Substitutes for omitted values that the service does not generate. */
const substitutes: Readonly<Record<string, string>> = {
  "(certificate)": certificatePem,
  "(private key)": privateKeyPem,
};

async function send({ httpMethod, target, body }: SentRequest, ask: Ask): Promise<Answer> {
  if (body === undefined) return ask(httpMethod, target.slice(1));
  const ofService = await valuesOfService(target, body, ask);
  const text = JSON.stringify(body, (_, value: unknown) => {
    if (typeof value !== "string") return value;
    return (
      substitutes[value] ?? ofService.get(value) ?? value.replace(/^\(endpoint\)\//, "https://www.googleapis.com/")
    );
  });
  return ask(httpMethod, target.slice(1), JSON.parse(text) as object);
}

/**
 * Returns current values of the service: fingerprints of the changed resource, data of the record sets in its zone,
 * and addresses.
 */
async function valuesOfService(target: string, body: unknown, ask: Ask): Promise<ReadonlyMap<string, string>> {
  const text = JSON.stringify(body);
  const found = new Map<string, string>();
  if (/\((?:label )?fingerprint\)/.test(text)) {
    const path = new URL(target, "http://127.0.0.1").pathname.replace(/\/set[A-Z]\w*$/, "");
    const { body: resource } = await ask("GET", path.slice(1));
    found.set("(fingerprint)", String(resource.fingerprint));
    found.set("(label fingerprint)", String(resource.labelFingerprint));
  }
  if (text.includes("(uuid)")) {
    const { additions = [], deletions = [] } = body as Readonly<
      Record<string, readonly { name: string; rrdatas: string[] }[]>
    >;
    for (const { name, rrdatas } of [...additions, ...deletions]) {
      const listed = await ask(
        "GET",
        `${target
          .split("?")[0]
          ?.slice(1)
          .replace(/changes$/, "rrsets")}?name=${name}`,
      );
      const [served] = (listed.body.rrsets ?? []) as readonly { readonly rrdatas: readonly string[] }[];
      for (const rrdata of rrdatas) {
        found.set(rrdata, served?.rrdatas[0] ?? rrdata.replace("(uuid)", "00000000-0000-4000-8000-000000000000"));
      }
    }
  }
  if (text.includes("(IPv6 address)")) {
    const project = /projects\/([^/]+)\//.exec(target)?.[1];
    const { body: address } = await ask("GET", `compute/v1/projects/${project}/global/addresses/v6`);
    found.set("(IPv6 address)", String(address.address));
  }
  return found;
}
