import modules from "./modules.json";

interface ModuleRow {
  readonly purpose: readonly string[];
  readonly uses: readonly string[];
  /** A base module: every module may use it, so the picture lists it without arrows. */
  readonly base?: boolean;
}

const rowsOfTable: readonly (readonly [string, ModuleRow])[] = Object.entries(modules).flatMap(([name, row]) =>
  typeof row === "string" ? [] : [[name, row as ModuleRow] as const],
);

/** The purpose of each module of lib, in a few words. */
const purposes = Object.fromEntries(rowsOfTable.map(([name, { purpose }]) => [name, purpose]));

const baseModules = rowsOfTable.filter(([, { base }]) => base === true).map(([name]) => name);

type Uses = ReadonlyMap<string, ReadonlySet<string>>;

/** The modules of lib and the modules that each may import, from the table. */
export const usesOfModules: Uses = new Map(rowsOfTable.map(([name, { uses }]) => [name, new Set(uses)]));

const boxWidth = 176;
const boxHeight = 64;
const gapX = 26;
const gapY = 54;
const bandHeight = 140;

/**
 * Returns the picture of the modules. Each module is above the modules that it uses, with an arrow for every use
 * that no other arrow implies. Base modules are in a row at the bottom, without arrows.
 */
export function architecturePicture(): string {
  const uses = withoutBase(usesOfModules);
  const arrowsOf = reduced(uses);
  const rows = layeredRows(uses, arrowsOf);
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
  const sentences = [...usesOfModules].map(([from, to]) => `${from} uses ${[...to].sort().join(", ") || "nothing"}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" text-anchor="middle">`,
    '<title id="title">The modules of lib and their dependencies</title>',
    `<desc id="description">${sentences.join("; ")}.</desc>`,
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

function withoutBase(uses: Uses): Uses {
  return new Map(
    [...uses]
      .filter(([folder]) => !baseModules.includes(folder))
      .map(([folder, used]) => [folder, new Set([...used].filter((other) => !baseModules.includes(other)))]),
  );
}

/**
 * Returns the rows of modules and bends, top to bottom. Within a row, a node is below the center of the nodes that
 * lead to it.
 */
function layeredRows(uses: Uses, arrowsOf: Uses): readonly (readonly string[])[] {
  const depths = depthsOf(uses);
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

/** Returns the row of each folder: one below the lowest folder that uses it. */
function depthsOf(uses: Uses): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const depthOf = (folder: string, path: readonly string[]): number => {
    if (path.includes(folder)) throw new Error(`folders import each other: ${[...path, folder].join(", ")}`);
    const known = depths.get(folder);
    if (known !== undefined) return known;
    const users = [...uses].flatMap(([other, used]) => (used.has(folder) ? [other] : []));
    const depth = Math.max(-1, ...users.map((other) => depthOf(other, [...path, folder]))) + 1;
    depths.set(folder, depth);
    return depth;
  };
  for (const folder of uses.keys()) depthOf(folder, []);
  return depths;
}

/** Returns the uses that no chain of other uses implies. */
function reduced(uses: Uses): Uses {
  const reach = (folder: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const queue = [...(uses.get(folder) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      queue.push(...(uses.get(next) ?? []));
    }
    return found;
  };
  return new Map(
    [...uses].map(([folder, used]) => [
      folder,
      new Set(
        [...used].filter((other) => ![...used].some((between) => between !== other && reach(between).has(other))),
      ),
    ]),
  );
}
