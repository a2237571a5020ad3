import { createHmac, timingSafeEqual } from "node:crypto";
import { InputError, type Problem } from "../errors";
import { fieldsOf, isFields, parseJson } from "../json/fields";
import { quote } from "../text/quote";

/** A task of a run in HCP Terraform or Terraform Enterprise. */
export interface TaskRequest {
  readonly stage: string;
  /** Id of the result, as in `taskrs-2nH5dncYoXaMVQmJ`; the same for each delivery of a task. */
  readonly id: string;
  /** Token of this task; secret. */
  readonly token: string;
  /** Address of the plan's JSON. @default - the stage has no plan */
  readonly planUrl?: string;
  /** Address that receives the result. */
  readonly callbackUrl: string;
  /** Workspace, for messages; untrusted. */
  readonly workspace: string;
  /** Id of the run, for messages; untrusted. */
  readonly run: string;
}

/** Returns whether a body has a signature by one of the keys; several are valid while a key is rotated. */
export function isSigned(body: Uint8Array, signature: string | undefined, keys: readonly string[]): boolean {
  if (signature === undefined || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  const given = Buffer.from(signature, "hex");
  return keys.some((key) => timingSafeEqual(createHmac("sha512", key).update(body).digest(), given));
}

/**
 * Reads the request of a task.
 *
 * @param hosts hosts, with their port if it is not the default, that may get the token
 * @returns `verification` for the request with which HCP Terraform checks the address of a new task
 * @throws InputError with all problems
 */
export function readTaskRequest(text: string, hosts: readonly string[]): TaskRequest | "verification" {
  const body = parseJson(text);
  if (!isFields(body)) throw new InputError("run-task-request-invalid", "the request of the task is not a JSON object");
  const fields = fieldsOf(body);
  if (fields.stage === "test") return "verification";
  const problems: Problem[] = [];
  const invalid = (message: string) => problems.push({ code: "run-task-request-invalid", message });
  if (fields.payload_version !== 1)
    invalid(`payload_version is ${JSON.stringify(fields.payload_version)}; only 1 is known`);
  const textOf = (name: string): string => {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
    invalid(`${name} is missing, or not a text`);
    return "";
  };
  const addressOf = (name: string): string => {
    const address = textOf(name);
    const refusal = address === "" ? undefined : hostRefusal(address, hosts);
    if (refusal !== undefined) problems.push({ code: "run-task-host-refused", message: `${name}: ${refusal}` });
    return address;
  };
  const stage = textOf("stage");
  const hasPlan = stage === "post_plan" || stage === "pre_apply";
  const request = {
    stage,
    id: textOf("task_result_id"),
    token: textOf("access_token"),
    callbackUrl: addressOf("task_result_callback_url"),
    ...(hasPlan ? { planUrl: addressOf("plan_json_api_url") } : {}),
    workspace: String(fields.workspace_name ?? ""),
    run: String(fields.run_id ?? ""),
  };
  if (problems.length > 0) throw new InputError(problems);
  return request;
}

/** Returns why an address may not get the token; undefined if it may. */
function hostRefusal(address: string, hosts: readonly string[]): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "") return `${quote(address)} is not an address`;
  if (!hosts.includes(url.host)) {
    return `${quote(url.host)} is not a host of HCP Terraform; to send it the token of the task, add --hcp-host ${url.host}`;
  }
  return url.protocol === "https:" || isLoopback(url.hostname)
    ? undefined
    : `${quote(address)} is not encrypted; use https`;
}

function isLoopback(hostname: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === "[::1]";
}
