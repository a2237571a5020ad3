import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDescriptionService, descriptionsFromFolder } from "../../../lib/discovery";
import { errorOf, temporaryFolder } from "../client/workshop";
import { sampleDescription } from "./samples";

async function folderWith(files: Readonly<Record<string, unknown>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder.path, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

describe("a folder of descriptions", () => {
  it("returns every description in it, ready to be served", async () => {
    await using folder = await folderWith({
      "shop.v2.json": sampleDescription("shop:v2"),
      "shop.v1.json": sampleDescription("shop:v1"),
      "notes.txt": "not read",
    });
    const { descriptions, refused } = await descriptionsFromFolder(folder.path);
    expect({ ids: descriptions.map(({ id }) => id), refused }).toEqual({ ids: ["shop:v1", "shop:v2"], refused: [] });
    const { answer } = createDescriptionService({ descriptions, baseUrl: "http://apis.test/" });
    const { body } = answer({ method: "GET", url: "/discovery/v1/apis?name=shop&preferred=true" });
    expect(JSON.parse(body).items).toHaveLength(1);
  });

  it("names every file that is not a description, and why", async () => {
    await using folder = await folderWith({
      "a.json": sampleDescription("shop:v1"),
      "b.json": { ...sampleDescription("shop:v1"), revision: "20261122" },
      "c.json": "{ this is not JSON",
      "d.json": { kind: "discovery#directoryList", items: [] },
      "e.json": { kind: "discovery#restDescription" },
      "f\u001b[2J.json": "[]",
    });
    await mkdir(join(folder.path, "g.json"));
    execFileSync("mkfifo", [join(folder.path, "h.json")]);
    const { descriptions, refused } = await descriptionsFromFolder(folder.path);
    expect(descriptions.map(({ document }) => document.revision)).toEqual(["20261121"]);
    expect(refused.map(({ code, message }) => [code, message])).toEqual([
      ["description-duplicate", "'b.json' is left out: 'a.json' is a description of 'shop:v1' already"],
      ["description-not-json", expect.stringMatching(/^'c\.json' is left out: the description is not JSON: /)],
      ["description-kind", expect.stringMatching(/^'d\.json' is left out: this is not an API description: /)],
      ["description-malformed", expect.stringMatching(/^'e\.json' is left out: '\/name' is missing/)],
      ["description-malformed", expect.stringMatching(/^'e\.json' is left out: '\/version' is missing/)],
      ["description-kind", expect.stringMatching(/^'f\\u\{1b\}\[2J\.json' is left out: this is not /)],
      ["file-unreadable", "'g.json' is left out: it is not a file"],
      ["file-unreadable", "'h.json' is left out: it is not a file"],
    ]);
    expect(refused.at(-1)?.file).toBe("h.json");
  });

  it("fails if it does not exist", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "gone");
    expect(await errorOf(descriptionsFromFolder(path))).toMatchObject({
      code: "folder-unreadable",
      message: `the folder '${path}' can't be read (ENOENT); name a folder with descriptions, one *.json each`,
    });
  });
});
