import type { Command, ExitCode, Invocation, Io } from "../command";

export const completionCommand: Command = {
  name: "completion",
  summary: "print completions for a shell",
  description:
    "Prints a script that lets a shell complete commands, options, their choices and files. Everything is in the script: pressing the key runs no program.",
  arguments: [{ name: "shell", description: "the shell that reads the script", choices: ["bash", "zsh", "fish"] }],
  examples: [
    { command: "source <(cert-migration completion bash)", what: "for this session; in ~/.bashrc for all" },
    { command: "cert-migration completion zsh > ~/.zfunc/_cert-migration", what: "in a folder of fpath" },
    {
      command: "cert-migration completion fish > ~/.config/fish/completions/cert-migration.fish",
      what: "for all sessions of fish",
    },
  ],
  run: runCompletion,
};

async function runCompletion({ arguments: given }: Invocation, io: Io): Promise<ExitCode> {
  const { bashCompletion, completionModel, fishCompletion, zshCompletion } =
    require("../completion") as typeof import("../completion");
  const { globalOptions, groups, loadCommands } = require("../table") as typeof import("../table");
  const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
  const shell = given.shell as keyof typeof scripts;
  io.stdout.write(scripts[shell](completionModel(loadCommands(), groups, globalOptions)));
  return 0;
}
