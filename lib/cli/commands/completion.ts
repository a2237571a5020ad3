import type { CommandDetails, ExitCode, Invocation, Io } from "../command";
import type { CompletedProgram } from "../completion";

/**
 * Creates the command `completion`.
 *
 * @param program returns the program to complete; called when the command runs
 */
export const completionCommand = (program: () => CompletedProgram): CommandDetails => ({
  description:
    "Prints a script that lets a shell complete commands, options, their choices and files. Everything is in the script: completion runs no program.",
  arguments: [{ name: "shell", description: "the shell that reads the script", choices: ["bash", "zsh", "fish"] }],
  examples: [
    {
      command: "source <(cert-migration completion bash)",
      what: "for this session; add the line to ~/.bashrc for all sessions",
    },
    { command: "cert-migration completion zsh > ~/.zfunc/_cert-migration", what: "in a folder of fpath" },
    {
      command: "cert-migration completion fish > ~/.config/fish/completions/cert-migration.fish",
      what: "for all sessions of fish",
    },
  ],
  run: (invocation, io) => runCompletion(invocation, io, program()),
});

async function runCompletion({ arguments: given }: Invocation, io: Io, program: CompletedProgram): Promise<ExitCode> {
  const { bashCompletion, completionModel, fishCompletion, zshCompletion } =
    require("../completion") as typeof import("../completion");
  const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
  const shell = given.shell as keyof typeof scripts;
  io.stdout.write(scripts[shell](completionModel(program)));
  return 0;
}
