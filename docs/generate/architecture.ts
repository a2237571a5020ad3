import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import modules from "./modules.json";

const lib = join(__dirname, "..", "..", "lib");

/** What each module of lib is for, in a few words. */
const purposes = Object.fromEntries(
  Object.entries(modules).flatMap(([name, row]) => (typeof row === "string" ? [] : [[name, row.purpose]])),
);

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Which folder of lib imports from which, as the code has it. */
function readImports(): Imports {
  const folders = readdirSync(lib).filter((name) => statSync(join(lib, name)).isDirectory());
  return new Map(
    folders.map((folder) => {
      const used = new Set<string>();
      for (const file of filesOf(join(lib, folder))) {
        for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from|require\(|import\()\s*"(\.[^"]+)"/g)) {
          const [other = ""] = relative(lib, resolve(dirname(file), path)).split(sep);
          if (other !== folder && folders.includes(other)) used.add(other);
        }
      }
      return [folder, used];
    }),
  );
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

const boxWidth = 176;
const boxHeight = 64;
const gapX = 26;
const gapY = 46;

/** The folders of lib, each below all that use it, with an arrow for every import that no other arrow implies. */
export function architecturePicture(): string {
  const imports = readImports();
  const missing = [...imports.keys()].filter((folder) => purposes[folder] === undefined);
  if (missing.length > 0) throw new Error(`say in docs/generate/modules.json what ${missing.join(", ")} is for`);
  const depths = depthsOf(imports);
  const rows = Array.from({ length: Math.max(...depths.values()) + 1 }, (_, row) =>
    Object.keys(purposes).filter((folder) => depths.get(folder) === row),
  );
  const width = Math.max(...rows.map((row) => row.length)) * (boxWidth + gapX) + gapX;
  const height = rows.length * (boxHeight + gapY) + 20;
  const place = new Map(
    rows.flatMap((row, at) =>
      row.map((folder, index) => {
        const start = (width - row.length * (boxWidth + gapX) + gapX) / 2;
        return [folder, { x: start + index * (boxWidth + gapX), y: 10 + at * (boxHeight + gapY) }] as const;
      }),
    ),
  );
  const arrows = [...reduced(imports)].flatMap(([from, targets]) =>
    [...targets].sort().map((to) => {
      const a = place.get(from) ?? { x: 0, y: 0 };
      const b = place.get(to) ?? { x: 0, y: 0 };
      const [x1, y1, x2, y2] = [a.x + boxWidth / 2, a.y + boxHeight, b.x + boxWidth / 2, b.y - 2];
      const bend = (y2 - y1) / 2;
      return `<path class="arrow" d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}" marker-end="url(#head)"/>`;
    }),
  );
  const boxes = [...place].map(([folder, { x, y }]) => {
    const lines = purposes[folder] ?? [];
    return [
      `<rect class="box" x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/>`,
      `<text class="name" x="${x + boxWidth / 2}" y="${y + 20}">${folder}</text>`,
      ...lines.map((line, at) => `<text class="word" x="${x + boxWidth / 2}" y="${y + 38 + at * 15}">${line}</text>`),
    ].join("");
  });
  const told = [...imports].map(([from, to]) => `${from} uses ${[...to].sort().join(", ") || "nothing"}`).join("; ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" text-anchor="middle">`,
    '<title id="title">The folders of lib, and what each builds on</title>',
    `<desc id="description">${told}.</desc>`,
    "<style>",
    ".box{fill:#f6f8fa;stroke:#8c959f}.name{fill:#1f2328;font-size:14px;font-weight:700}.word{fill:#57606a;font-size:12px}.arrow{fill:none;stroke:#8c959f;stroke-width:1.3}.head{fill:#8c959f}",
    "@media (prefers-color-scheme:dark){.box{fill:#161b22;stroke:#6e7681}.name{fill:#e6edf3}.word{fill:#9da7b3}}",
    "</style>",
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...arrows,
    ...boxes,
    "</svg>",
    "",
  ].join("\n");
}

/** How far below the top each folder stands: one more than the lowest of those that import from it. */
function depthsOf(imports: Imports): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const depthOf = (folder: string, path: readonly string[]): number => {
    if (path.includes(folder)) throw new Error(`folders import each other: ${[...path, folder].join(", ")}`);
    const known = depths.get(folder);
    if (known !== undefined) return known;
    const users = [...imports].flatMap(([other, used]) => (used.has(folder) ? [other] : []));
    const depth = Math.max(-1, ...users.map((other) => depthOf(other, [...path, folder]))) + 1;
    depths.set(folder, depth);
    return depth;
  };
  for (const folder of imports.keys()) depthOf(folder, []);
  return depths;
}

/** Without what follows from others. */
function reduced(imports: Imports): Imports {
  const reach = (folder: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const queue = [...(imports.get(folder) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      queue.push(...(imports.get(next) ?? []));
    }
    return found;
  };
  return new Map(
    [...imports].map(([folder, used]) => [
      folder,
      new Set(
        [...used].filter((other) => ![...used].some((between) => between !== other && reach(between).has(other))),
      ),
    ]),
  );
}
