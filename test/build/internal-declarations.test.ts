import { internalDeclarations, withoutDocComments } from "../../build/internal-declarations";

const files: Readonly<Record<string, string>> = {
  "dist/index.d.ts":
    '/** Exports no Inner. */\nexport * from "./constructs";\nexport { type Public } from "./plan/public";\n',
  "dist/constructs/index.d.ts": 'export { Gate } from "./gate";\n',
  "dist/constructs/gate.d.ts": "export declare class Gate {\n}\n",
  "dist/plan/public.d.ts": "export interface Public {\n}\nexport interface Other {\n}\n",
  "dist/plan/inner.d.ts": "export interface Inner {\n}\n",
};

test("finds the files that have no type of an entry point", () => {
  const found = internalDeclarations(Object.keys(files), ["dist/index.d.ts"], (path) => files[path]);
  expect([...found]).toEqual(["dist/plan/inner.d.ts"]);
});

test("removes doc comments, and keeps everything else", () => {
  const text = '/** One. */\ninterface A {\n    /**\n     * Two.\n     */\n    b: "/** c */";\n}\n';
  expect(withoutDocComments(text)).toBe('interface A {\n    b: "/** c */";\n}\n');
});
