import type { Command } from "./command";
import { inventoryCommand } from "./commands/inventory";
import { verifyCommand } from "./commands/verify";
import { waitCommand } from "./commands/wait";

/** Every command of `cert-migration`, in the order in which help shows them. */
export const commands: readonly Command[] = [inventoryCommand, waitCommand, verifyCommand];

/** What the first word of a two-word command stands for. */
export const groups: Readonly<Record<string, string>> = {};
