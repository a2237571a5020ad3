import type { CompletedProgram } from "../completion";
import { argument, defineCommand } from "../declare";
import * as load from "../load";
import { oneOf } from "../value-types";

/** @param program returns the program to complete; called when the command runs */
export const completionCommand = (program: () => CompletedProgram) =>
  defineCommand({
    description:
      "Prints a script that lets a shell complete commands, options, their choices and files. Everything is in the script: completion runs no program.",
    arguments: {
      shell: argument({ description: "the shell that reads the script" }, oneOf("bash", "zsh", "fish")),
    },
    options: {},
    examples: {
      "source <(cert-migration completion bash)": "for this session; add the line to ~/.bashrc for all sessions",
      "cert-migration completion zsh > ~/.zfunc/_cert-migration": "in a folder of fpath",
      "cert-migration completion fish > ~/.config/fish/completions/cert-migration.fish": "for all sessions of fish",
    },
    run: async ({ arguments: { shell } }, io) => {
      const { bashCompletion, completionModel, fishCompletion, zshCompletion } = load.completion();
      const script = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
      io.stdout.write(script(completionModel(program())));
      return 0;
    },
  });
