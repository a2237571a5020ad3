import type { CodeMeaning } from "../findings/codes";
import { reportedTables } from "./tables";

/**
 * Describes a code and the commands that report it or end with it. The same code may have another meaning for other
 * commands.
 */
export interface ExplainedCode extends CodeMeaning {
  readonly code: string;
  /** Names of commands, or an expression for several of them; at least one. */
  readonly commands: readonly string[];
}

/**
 * Returns every code that a command reports or refuses with. A code with the same meaning for several commands appears
 * once.
 */
export function allCodes(): readonly ExplainedCode[] {
  const byKey = new Map<string, ExplainedCode>();
  for (const { commands, codes } of reportedTables) {
    for (const [code, { severity, meaning, remedy }] of Object.entries(codes)) {
      const key = JSON.stringify([code, meaning, remedy]);
      const known = byKey.get(key);
      byKey.set(key, {
        code,
        commands: [...(known?.commands ?? []), ...commands],
        severity: known?.severity ?? severity,
        meaning: `${meaning.charAt(0).toUpperCase()}${sentence(meaning).slice(1)}`,
        remedy: sentence(remedy),
      });
    }
  }
  return [...byKey.values()];
}

/** Removes the final period, which only some tables have. */
function sentence(text: string): string {
  return text.replace(/\.$/, "");
}
