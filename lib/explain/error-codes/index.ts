import type { CodeMeaning } from "../../findings/codes";
import { commandErrors, commandLineErrors, rehearsalErrors, serviceErrors } from "./commands";
import { certificateFileErrors, documentErrors, hostnameErrors } from "./inputs";
import { constructErrors, splitErrors } from "./synthesis";

/** Codes of errors that end a command, with the commands that report them. */
export const errorTables: readonly {
  readonly commands: readonly string[];
  readonly codes: Readonly<Record<string, CodeMeaning>>;
}[] = [
  { commands: ["plan", "inventory"], codes: hostnameErrors },
  { commands: ["plan", "inventory"], codes: certificateFileErrors },
  { commands: ["plan"], codes: documentErrors },
  { commands: ["splitMigration"], codes: splitErrors },
  { commands: ["synth"], codes: constructErrors },
  { commands: ["every command"], codes: commandLineErrors },
  { commands: ["every command"], codes: serviceErrors },
  ...commandErrors,
  { commands: ["rehearse"], codes: rehearsalErrors },
];
