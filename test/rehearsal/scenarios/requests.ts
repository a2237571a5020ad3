import type { Cloud } from "../../../lib/cloud";
import { createHttpClient } from "../../../lib/http";

/** Sends a request to the cloud outside of Terraform. */
export async function ask(cloud: Cloud, httpMethod: string, path: string, body?: object): Promise<unknown> {
  const { text } = await createHttpClient().send({
    method: httpMethod,
    url: `${cloud.endpoints.http}${path}`,
    purpose: "acting past Terraform",
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  return JSON.parse(text);
}
