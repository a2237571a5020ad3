import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import modules from "./modules.json";

const lib = join(__dirname, "..", "..", "lib");

interface ModuleRow {
  readonly purpose: readonly string[];
  /** A base module: every module may use it, so the picture lists it without arrows. */
  readonly base?: boolean;
}

const rowsOfTable: readonly (readonly [string, ModuleRow])[] = Object.entries(modules).flatMap(([name, row]) =>
  typeof row === "string" ? [] : [[name, row as ModuleRow] as const],
);

/** The purpose of each module of lib, in a few words. */
const purposes = Object.fromEntries(rowsOfTable.map(([name, { purpose }]) => [name, purpose]));

const baseModules = rowsOfTable.filter(([, { base }]) => base === true).map(([name]) => name);

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the imports between the folders of lib, read from the sources. */
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
const gapY = 54;
const bandHeight = 140;

/**
 * Returns the picture of the modules: each above the modules that it uses, with an arrow for every use that no other arrow implies. Base modules stand in
 * a band at the bottom, without arrows.
 */
export function architecturePicture(): string {
  const all = readImports();
  const missing = [...all.keys()].filter((folder) => purposes[folder] === undefined);
  if (missing.length > 0) throw new Error(`add to docs/generate/modules.json: ${missing.join(", ")}`);
  const imports = withoutBase(all);
  const arrowsOf = reduced(imports);
  const rows = layeredRows(imports, arrowsOf);
  const widths = rows.map((row) => row.reduce((sum, node) => sum + widthOf(node) + gapX, -gapX));
  const width = Math.max(...widths) + 2 * gapX;
  const bandTop = rows.length * (boxHeight + gapY) + 10 - gapY / 2;
  const height = bandTop + bandHeight + 10;
  const place = new Map<string, Point>();
  for (const [at, row] of rows.entries()) {
    let x = (width - (widths[at] ?? 0)) / 2;
    for (const node of row) {
      place.set(node, { x: x + widthOf(node) / 2, y: 10 + at * (boxHeight + gapY) });
      x += widthOf(node) + gapX;
    }
  }
  const arrows = [...arrowsOf].flatMap(([from, targets]) =>
    [...targets].sort().map((to) => {
      const between = rows.flatMap((row) => row.filter((node) => node.startsWith(`${from}>${to}>`)));
      return arrow([from, ...between, to].map((node) => place.get(node) ?? { x: 0, y: 0 }));
    }),
  );
  const boxes = [...place].flatMap(([folder, { x, y }]) => {
    const lines = purposes[folder];
    if (lines === undefined) return [];
    return [
      `<rect class="box" x="${x - boxWidth / 2}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/>`,
      `<text class="name" x="${x}" y="${y + 20}">${folder}</text>`,
      ...lines.map((line, at) => `<text class="word" x="${x}" y="${y + 38 + at * 15}">${line}</text>`),
    ].join("");
  });
  const told = [...all].map(([from, to]) => `${from} uses ${[...to].sort().join(", ") || "nothing"}`).join("; ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" text-anchor="middle">`,
    '<title id="title">The modules of lib and their dependencies</title>',
    `<desc id="description">${told}.</desc>`,
    "<style>",
    ".page{fill:#fff}.box{fill:#f6f8fa;stroke:#8c959f}.band{fill:none;stroke:#8c959f;stroke-dasharray:4 3}.name{fill:#1f2328;font-size:14px;font-weight:700}.word{fill:#57606a;font-size:12px}.arrow{fill:none;stroke:#8c959f;stroke-width:1.3}.head{fill:#8c959f}",
    "@media (prefers-color-scheme:dark){.page{fill:#0d1117}.box{fill:#161b22;stroke:#6e7681}.name{fill:#e6edf3}.word{fill:#9da7b3}}",
    "</style>",
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...arrows,
    ...boxes,
    ...baseBand(width, bandTop),
    "</svg>",
    "",
  ].join("\n");
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A bend of a long arrow has a place in each row that the arrow crosses, so that it passes between boxes. */
function widthOf(node: string): number {
  return node.includes(">") ? 8 : boxWidth;
}

function arrow(points: readonly Point[]): string {
  const curves = points.slice(1).map(({ x, y }, index) => {
    const before = points[index] ?? { x, y };
    const start = before.y + boxHeight;
    const end = y - (index === points.length - 2 ? 2 : 0);
    const bend = (end - start) / 2;
    return `${index === 0 ? `M${before.x} ${start}` : `L${before.x} ${start}`}C${before.x} ${start + bend} ${x} ${end - bend} ${x} ${end}`;
  });
  return `<path class="arrow" d="${curves.join("")}" marker-end="url(#head)"/>`;
}

function baseBand(width: number, top: number): readonly string[] {
  const columns = Math.ceil(baseModules.length / 2);
  const each = (width - 2 * gapX) / columns;
  return [
    `<rect class="band" x="${gapX / 2}" y="${top}" width="${width - gapX}" height="${bandHeight}" rx="6"/>`,
    `<text class="word" x="${width / 2}" y="${top + 16}">base modules: used by many others, arrows left out</text>`,
    ...baseModules.map((name, index) => {
      const x = gapX + ((index % columns) + 0.5) * each;
      const y = top + 40 + Math.floor(index / columns) * 56;
      const lines = purposes[name] ?? [];
      return [
        `<text class="name" x="${x}" y="${y}">${name}</text>`,
        ...lines.map((line, at) => `<text class="word" x="${x}" y="${y + 17 + at * 15}">${line}</text>`),
      ].join("");
    }),
  ];
}

function withoutBase(imports: Imports): Imports {
  return new Map(
    [...imports]
      .filter(([folder]) => !baseModules.includes(folder))
      .map(([folder, used]) => [folder, new Set([...used].filter((other) => !baseModules.includes(other)))]),
  );
}

/** Returns the rows of modules and bends, top to bottom. Within a row, a node stands below the center of the nodes that lead to it. */
function layeredRows(imports: Imports, arrowsOf: Imports): readonly (readonly string[])[] {
  const depths = depthsOf(imports);
  const rows: string[][] = Array.from({ length: Math.max(...depths.values()) + 1 }, (_, row) =>
    Object.keys(purposes).filter((folder) => depths.get(folder) === row),
  );
  const above = new Map<string, string[]>();
  for (const [from, targets] of arrowsOf) {
    for (const to of targets) {
      let last = from;
      for (let depth = (depths.get(from) ?? 0) + 1; depth < (depths.get(to) ?? 0); depth += 1) {
        const bend = `${from}>${to}>${depth}`;
        rows[depth]?.push(bend);
        above.set(bend, [last]);
        last = bend;
      }
      above.set(to, [...(above.get(to) ?? []), last]);
    }
  }
  const center = new Map<string, number>();
  return rows.map((row) => {
    const wanted = (node: string) => {
      const users = (above.get(node) ?? []).map((user) => center.get(user) ?? 0);
      return users.length === 0 ? 0 : users.reduce((sum, x) => sum + x, 0) / users.length;
    };
    const sorted = [...row].sort((one, other) => wanted(one) - wanted(other));
    const total = sorted.reduce((sum, node) => sum + widthOf(node) + gapX, -gapX);
    let x = -total / 2;
    for (const node of sorted) {
      center.set(node, x + widthOf(node) / 2);
      x += widthOf(node) + gapX;
    }
    return sorted;
  });
}

/** Returns the row of each folder: one below the lowest folder that imports it. */
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

/** Returns the imports that no chain of other imports implies. */
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
