import { exchangeKit } from "./exchange-kit";

const messagesOnly = "super(problems.map((problem) => problem.message)";
const messagesWithCodes = `super(problems.map(({ code, message: text }) => text + " [" + code + "]")`;

/**
 * Rewrites a source file for jsii, which compiles it for other languages with the package names of CDK Terrain.
 *
 * - jsii has no type for lists that can't change: `readonly string[]` becomes `string[]`. Each language copies a list
 *   that it passes.
 * - jsii has no type for text that has been checked: `Hostname` becomes `string`.
 * - The code of an `@example` has no fences.
 * - A message of an error names its codes, because jsii passes nothing else of an error.
 * - The types inside functions are not checked again, because `npm run check:types` checks them.
 *
 * @param text TypeScript
 */
export function jsiiSource(text: string): string {
  const plain = exchangeKit(text)
    .replace(/\breadonly ((?:\w+|\([^()]*\))\[\])/g, "$1")
    .replace(/^export type Hostname = .*;$/m, "export type Hostname = string;")
    .replace(/^\s*\* ```(?:ts)?\n/gm, "")
    .replace(messagesOnly, messagesWithCodes);
  return `// @ts-nocheck\n${plain}`;
}
