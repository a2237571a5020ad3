import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface SeenByHcp {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface HcpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | (() => Iterable<string>);
}

export const token = "task-token.atlasv1.secret";

/**
 * Starts a server that answers as the run task API of HCP Terraform is documented: the address of a plan redirects to a
 * storage on another host, and a result is a PATCH with the token of the task.
 *
 * @param answers answers of the plan's address, in their order; the last one is repeated
 */
export async function startHcp(answers: { plan: HcpAnswer[]; storage: HcpAnswer[]; callback?: HcpAnswer[] }) {
  const seen: SeenByHcp[] = [];
  const arrivals: (() => void)[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const { method = "", url = "", headers } = request;
      seen.push({
        method,
        url,
        authorization: headers.authorization,
        body: text === "" ? undefined : JSON.parse(text),
      });
      const list = url.startsWith("/api/v2/plans")
        ? answers.plan
        : url.startsWith("/storage")
          ? answers.storage
          : (answers.callback ?? [{ status: 200 }]);
      const [next] = list;
      const { status, headers: sent = {}, body = "" } = (list.length > 1 ? list.shift() : next) ?? { status: 404 };
      response.writeHead(status, sent);
      if (typeof body === "string") response.end(body);
      else {
        for (const chunk of body()) response.write(chunk);
        response.end();
      }
      for (const arrived of arrivals.splice(0)) arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    seen,
    results: () => seen.filter(({ method }) => method === "PATCH").map(({ body }) => body as TaskResult),
    /** Resolves when a result other than `running` has arrived. */
    ended: async (count = 1): Promise<TaskResult> => {
      for (;;) {
        const done = seen
          .flatMap(({ method, body }) => (method === "PATCH" ? [body as TaskResult] : []))
          .filter(({ data }) => data.attributes.status !== "running");
        const last = done[count - 1];
        if (last !== undefined) return last;
        await new Promise<void>((resolve) => arrivals.push(resolve));
      }
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export type HcpServer = Awaited<ReturnType<typeof startHcp>>;

export interface TaskResult {
  readonly data: {
    readonly type: string;
    readonly attributes: { readonly status: string; readonly message: string };
    readonly relationships?: {
      readonly outcomes: { readonly data: readonly { readonly attributes: Record<string, unknown> }[] };
    };
  };
}

/** Returns the request of a task, as the documentation shows it. */
export function taskRequest(host: string, change: object = {}) {
  return {
    payload_version: 1,
    stage: "post_plan",
    access_token: token,
    capabilities: { outcomes: true },
    configuration_version_download_url: `http://${host}/api/v2/configuration-versions/cv-1/download`,
    configuration_version_id: "cv-1",
    is_speculative: false,
    organization_name: "shop",
    plan_json_api_url: `http://${host}/api/v2/plans/plan-6AFmRJW1PFJ7qbAh/json-output`,
    run_app_url: `http://${host}/app/shop/certificates/runs/run-1`,
    run_created_at: "2026-11-21T00:00:00.000Z",
    run_created_by: "ann",
    run_id: "run-1",
    run_message: "Triggered via UI",
    task_result_callback_url: `http://${host}/api/v2/task-results/5ea8d46c/callback`,
    task_result_enforcement_level: "mandatory",
    task_result_id: "taskrs-1",
    vcs_branch: null,
    workspace_id: "ws-1",
    workspace_name: "certificates",
    workspace_working_directory: null,
    ...change,
  };
}

function signatureOf(body: string, key: string): string {
  return createHmac("sha512", key).update(body).digest("hex");
}

/** Sends a request as HCP Terraform does. @param key key of the signature; undefined for a request without one */
export async function deliver(url: string, request: unknown, key: string | undefined) {
  const body = typeof request === "string" ? request : JSON.stringify(request);
  const signature = key === undefined ? {} : { "x-tfc-task-signature": signatureOf(body, key) };
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...signature },
  });
  return { status: response.status, text: await response.text() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
