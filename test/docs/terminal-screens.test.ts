import { terminalPicture, terminalPictures } from "../../docs/generate/terminal-screens";
import { pageText } from "../support/pages";

const pictures = new Map(terminalPictures());
/** The texts of a picture, as a reader sees them. */
const textsOf = (picture: string) => [...picture.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);

test("the tutorial shows both screens of the rehearsal that it runs, each with an alternative text", () => {
  const tutorial = pageText("tutorial.md");
  const shown = [...tutorial.matchAll(/!\[([^\]]+)\]\(([\w-]+\.svg)\)/g)].map(([, , path = ""]) => path);
  expect(shown).toEqual(["rehearsal-board.svg", "rehearsal-result.svg", "eight-steps.svg"]);
  for (const picture of pictures.values()) {
    const [command = ""] = textsOf(picture);
    expect(tutorial).toContain(`\n${command.replace(/^\$ /, "")}\n`);
  }
});

test("the recorded rehearsal has no failed handshake: every row of the board, and the verdict", () => {
  const board = textsOf(pictures.get("rehearsal-board.svg") ?? "");
  expect(board.filter((text) => / (?:[-+~] ){8}.* 0$/.test(text))).toHaveLength(6);
  expect(board.some((text) => / handshakes, 0 failed /.test(text))).toBe(true);
  expect(textsOf(pictures.get("rehearsal-result.svg") ?? "").join("")).toMatch(/PASSED: 0 of \d+ handshakes failed/);
});

test.each([...pictures])("%s has its own background in both color schemes, before any text", (_, picture) => {
  expect(picture.match(/\.ground\{fill:#[0-9a-f]+/g)).toHaveLength(2);
  expect(/<\/style>\s*<rect class="(\w+)"/.exec(picture)?.[1]).toBe("ground");
});

test("a color continues in the next line until it ends, and each piece begins at its column", () => {
  const picture = terminalPicture("A title", "run <it>", 20, ["ok \u001b[1m\u001b[32mA & B", "C\u001b[0m\u001b[39m D"]);
  const pieces = [...picture.matchAll(/<text( class="[^"]*")? x="([\d.]+)" y="[\d.]+" textLength[^>]*>([^<]*)</g)];
  expect(pieces.map(([, style = "", x, text]) => [style.trim(), Number(x), text])).toEqual([
    ["", 18, "ok "],
    ['class="bold green"', 43.2, "A &amp; B"],
    ['class="bold green"', 18, "C"],
    ["", 26.4, " D"],
  ]);
  expect(textsOf(picture)[0]).toBe("$ run &lt;it&gt;");
  expect(picture).toContain(">ok A &amp; B; C D</desc>");
});

test.each(["\u001b[2K", "\u001b[41mred ground"])("refuses a screen with the sequence %j", (line) => {
  expect(() => terminalPicture("A title", "run", 20, [line])).toThrow(/not a color|no style/);
});
