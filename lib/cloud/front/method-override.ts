import type { WireRequest } from "./wire";

/**
 * Returns the request that a POST with `x-http-method-override` represents. Clients send a GET this way if its query is
 * too long for a URL.
 */
export function withoutOverride(request: WireRequest): WireRequest {
  const wanted = request.headers["x-http-method-override"];
  if (wanted === undefined || request.httpMethod !== "POST") return request;
  const httpMethod = wanted.toUpperCase();
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "");
  if (httpMethod !== "GET" || !isForm) return { ...request, httpMethod };
  const separator = request.target.includes("?") ? "&" : "?";
  return { ...request, httpMethod, target: `${request.target}${separator}${request.body}`, body: "" };
}
