import { compareCommand } from "./compare";
import { deprecationsCommand } from "./deprecations";
import { listCommand } from "./list";
import { methodsCommand } from "./methods";
import { requestCommand } from "./request";
import { showCommand } from "./show";
import { validateCommand } from "./validate";

export const apiCommands = {
  list: listCommand,
  show: showCommand,
  methods: methodsCommand,
  request: requestCommand,
  validate: validateCommand,
  compare: compareCommand,
  deprecations: deprecationsCommand,
};
