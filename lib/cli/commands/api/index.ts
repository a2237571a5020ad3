import type { Command } from "../../command";
import { compareCommand } from "./compare";
import { deprecationsCommand } from "./deprecations";
import { listCommand } from "./list";
import { methodsCommand } from "./methods";
import { requestCommand } from "./request";
import { showCommand } from "./show";
import { validateCommand } from "./validate";

export const apiCommands: readonly Command[] = [
  listCommand,
  showCommand,
  methodsCommand,
  requestCommand,
  validateCommand,
  compareCommand,
  deprecationsCommand,
];
