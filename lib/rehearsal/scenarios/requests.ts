import type { Cloud, LoggedRequest } from "../../cloud";
import { createHttpClient } from "../../http";
import type { Proof } from "./scenario";

/** Requests of a method that were answered well. */
export function answered(method: string, what: string, atLeast = 1): Proof {
  return { what, atLeast, shows: (request) => request.method === method && request.status < 300 };
}

/** Requests that were refused with a status of HTTP. */
export function refused(status: number, what: string): Proof {
  return { what, shows: (request: LoggedRequest) => request.status === status };
}

/** Sends a request to the cloud as somebody else would, past Terraform. */
export async function ask(cloud: Cloud, httpMethod: string, path: string, body?: object): Promise<unknown> {
  const { text } = await createHttpClient().send({
    method: httpMethod,
    url: `${cloud.endpoints.http}${path}`,
    purpose: "acting past Terraform",
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  return JSON.parse(text);
}
