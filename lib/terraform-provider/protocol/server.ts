import { join } from "node:path";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { BugError, InputError, ServiceError } from "../../errors";
import type { Diagnostic, Message } from "./messages";

/**
 * Answers one call.
 *
 * @param peer address of the connection, for example `127.0.0.1:40123`; each provider block of Terraform has its own
 */
export type MethodHandler = (request: Message, peer: string) => Message | Promise<Message>;

export interface PluginServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves plugin protocol 5 on a free port of 127.0.0.1. An exception becomes an error diagnostic; a call without a
 * handler is answered with UNIMPLEMENTED.
 *
 * @param handlers by the names of the service's calls, for example `PlanResourceChange`
 */
export async function startPluginServer(handlers: Readonly<Record<string, MethodHandler>>): Promise<PluginServer> {
  // Schemas and states exceed gRPC's default limits.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const implementation: UntypedServiceImplementation = {};
  for (const [name, handler] of Object.entries(handlers)) implementation[name] = answerWith(handler);
  server.addService(readService(), implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    close: async () => server.forceShutdown(),
  };
}

function readService(): ServiceDefinition {
  const definition = loadSync(join(__dirname, "tfplugin5.proto"), {
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const service = definition["tfplugin5.Provider"];
  if (service === undefined || "format" in service) throw new BugError("tfplugin5.proto has no service Provider");
  return service as ServiceDefinition;
}

function answerWith(handler: MethodHandler): handleUnaryCall<Message, Message> {
  return (call, callback) => {
    void Promise.resolve()
      .then(() => handler(call.request, call.getPeer()))
      .catch((error: unknown): Message => ({ diagnostics: diagnose(error) }))
      .then((answer) => callback(null, answer));
  };
}

/** Returns an error in the format that Terraform shows. */
export function diagnose(error: unknown): readonly Diagnostic[] {
  if (error instanceof InputError) {
    return error.problems.map(({ message, code }) => ({ severity: "ERROR", summary: message, detail: `(${code})` }));
  }
  if (error instanceof ServiceError) {
    return [{ severity: "ERROR", summary: error.message, detail: `(${error.reason ?? error.code})` }];
  }
  const { message, stack } = error as Error;
  return [{ severity: "ERROR", summary: `the provider stand-in failed: ${message}`, detail: stack ?? "" }];
}
