import { basename } from "node:path";

/** Names of the program that a rehearsal runs, for messages. */
export interface ProgramName {
  /** Name of the command. */
  readonly command: "terraform" | "tofu";
  /** Name of the product. */
  readonly product: "Terraform" | "OpenTofu";
}

/** @param program name on PATH, or a path */
export function programNameOf(program: string): ProgramName {
  return /tofu/i.test(basename(program))
    ? { command: "tofu", product: "OpenTofu" }
    : { command: "terraform", product: "Terraform" };
}
