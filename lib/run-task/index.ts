export { createHcp, type Hcp } from "./hcp";
export type { TaskRequest } from "./request";
export { type TaskWork, workOn } from "./run-task";
export { createTaskServer } from "./server";
