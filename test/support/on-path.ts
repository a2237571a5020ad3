import { findTerraform } from "../../lib/rehearsal/find-terraform";

/** Returns whether a program of Terraform or OpenTofu is on PATH. */
export function isOnPath(name: string): boolean {
  try {
    return findTerraform(name, process.env.PATH ?? "") === name;
  } catch {
    return false;
  }
}
