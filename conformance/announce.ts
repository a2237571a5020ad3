import { createInterface } from "node:readline";
import type { Group } from "./behavior";
import { costsOf } from "./costs";
import { recordRun } from "./dry-run";
import type { Identity } from "./normalize";
import { permissionsOf } from "./permissions";
import { kindCreatedBy } from "./resource-kinds";

/** Returns what a run creates, costs, takes and needs, from a run of the same behaviors on the rehearsal cloud. */
export async function announcement(groups: readonly Group[], identity: Identity, limitMs: number): Promise<string> {
  const { requests, movedMs } = await recordRun(groups);
  // A dry run deletes only what exists in the end, and the zone is checked before.
  const deleting = requests.flatMap(({ createdKind = "" }) => kindCreatedBy(createdKind)?.remove ?? []);
  const methods = [...new Set([...requests.map(({ id }) => id), ...deleting, "dns.managedZones.get"])];
  const counts = new Map<string, number>();
  for (const { createdKind } of requests) {
    if (createdKind !== undefined) counts.set(createdKind, (counts.get(createdKind) ?? 0) + 1);
  }
  const created = [...counts].map(([kind, count]) => `  ${count} ${nameOf(kind)}`);
  return [
    `Project ${identity.project}, zone ${identity.zone}. All names begin with ${identity.prefix}, and all records are`,
    `below ${identity.prefix}.${identity.domain}. Everything else stays untouched.`,
    "",
    "Creates at most, and deletes at the end:",
    ...created,
    "",
    "Costs:",
    ...costsOf([...counts.keys()]).map((line) => `  ${line}`),
    "",
    `Sends about ${requests.length} requests. Takes at least ${Math.ceil(movedMs / 60_000)} minutes. Google issues`,
    `certificates within minutes to an hour. After ${limitMs / 60_000} minutes, the run stops and deletes.`,
    "",
    "Needs these permissions:",
    ...permissionsOf(methods).map((permission) => `  ${permission}`),
    "",
    "",
  ].join("\n");
}

/** Returns the name of a kind for people. @param method for example `certificatemanager.….certificates.create` */
function nameOf(method: string): string {
  const parts = method.split(".");
  return `${parts.at(-2)} (${parts[0]})`;
}

/** Asks whether to go on. Anything but `yes` is a refusal, and so is the end of the input. */
export function isAgreed(
  { input, out, signal }: { input: NodeJS.ReadableStream; out: (text: string) => void; signal: AbortSignal },
  question: string,
): Promise<boolean> {
  out(`${question} Type 'yes': `);
  return new Promise((resolve) => {
    const lines = createInterface({ input });
    lines.once("line", (line) => {
      resolve(line.trim() === "yes");
      lines.close();
    });
    lines.once("close", () => resolve(false));
    signal.addEventListener("abort", () => lines.close(), { once: true });
    if (signal.aborted) lines.close();
  });
}
