import type { Parameters } from "./resource-kinds";
import type { Json } from "./side";

/** How to ask for the end of an operation. */
interface OperationEnd {
  readonly method: string;
  readonly parameters: Parameters;
  /** Root of the API that has the operation. @default - the root of the method's API */
  readonly rootUrl?: string;
  readonly isDone: (operation: Json) => boolean;
}

/** Returns how to ask for the end of an answer; undefined if the answer is not an operation or a change. */
export function operationEnd(id: string, parameters: Parameters, answer: Json): OperationEnd | undefined {
  const service = id.slice(0, id.indexOf("."));
  const { name, kind, id: changeId } = answer;
  if (kind === "compute#operation") return ofCompute(parameters, answer);
  if (kind === "dns#change") {
    const { project = "", managedZone = "" } = parameters;
    return {
      method: "dns.changes.get",
      parameters: { project, managedZone, changeId: String(changeId) },
      isDone: ({ status }) => status === "done",
    };
  }
  if (typeof name !== "string" || !/(?:^|\/)operations\//.test(name)) return undefined;
  const isDone = ({ done }: Json) => done === true;
  if (service === "serviceusage") return { method: "serviceusage.operations.get", parameters: { name }, isDone };
  // The path is the same in all services with locations, and the description of Certificate Manager has it.
  const described = service === "logging" ? service : "certificatemanager";
  const rootUrl = `https://${service}.googleapis.com/`;
  return { method: `${described}.projects.locations.operations.get`, parameters: { name }, rootUrl, isDone };
}

function ofCompute({ project = "" }: Parameters, { name, region }: Json): OperationEnd {
  const isDone = ({ status }: Json) => status === "DONE";
  const operation = String(name);
  if (typeof region !== "string") {
    return { method: "compute.globalOperations.get", parameters: { project, operation }, isDone };
  }
  const parameters = { project, region: region.split("/").at(-1) ?? "", operation };
  return { method: "compute.regionOperations.get", parameters, isDone };
}
