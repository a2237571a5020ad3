/** The actors of a migration, top to bottom in the picture. */
const actors = ["You", "check-plan", "deploy", "Google Cloud", "cert-migration", "People"] as const;
type Actor = (typeof actors)[number];

interface Step {
  readonly number: number;
  readonly title: readonly [string, string];
  /** The action of each actor in this step. */
  readonly parts: Readonly<Partial<Record<Actor, readonly string[]>>>;
}

/** In steps that begin a deployment, before the apply. */
const planGate = ["checks the plan:", "a gate"] as const;

const steps: readonly Step[] = [
  {
    number: 1,
    title: ["Certificates,", "authorizations"],
    parts: {
      You: ["list the domains"],
      "check-plan": planGate,
      deploy: ["creates them"],
      "cert-migration": ["inventory, doctor"],
      People: ["previous provider"],
    },
  },
  {
    number: 2,
    title: ["CNAME records", "published"],
    parts: {
      You: ["external DNS:", "publish them"],
      deploy: ["writes them", "in Cloud DNS"],
      "cert-migration": ["records --check"],
      People: ["previous provider"],
    },
  },
  {
    number: 3,
    title: ["Certificates", "ACTIVE"],
    parts: {
      "Google Cloud": ["checks CNAME and", "CAA, issues"],
      "cert-migration": ["wait: the gate"],
      People: ["previous provider"],
    },
  },
  {
    number: 4,
    title: ["Map, one entry", "per hostname"],
    parts: {
      "check-plan": planGate,
      deploy: ["creates them,", "behind the gate"],
      "cert-migration": ["status"],
      People: ["previous provider"],
    },
  },
  {
    number: 5,
    title: ["Entries", "ACTIVE"],
    parts: {
      "Google Cloud": ["updates front ends"],
      "cert-migration": ["wait --for entries"],
      People: ["previous provider"],
    },
  },
  {
    number: 6,
    title: ["Map on the", "target proxy"],
    parts: {
      deploy: ["attaches it"],
      "Google Cloud": ["serves by SNI"],
      "cert-migration": ["status"],
      People: ["previous provider"],
    },
  },
  {
    number: 7,
    title: ["Every hostname", "verified"],
    parts: { "cert-migration": ["verify: handshakes", "at each address"], People: ["previous provider"] },
  },
  {
    number: 8,
    title: ["Traffic", "moved"],
    parts: {
      You: ["set traffic.to,", "or roll back"],
      "check-plan": planGate,
      deploy: ["changes A, AAAA,", "behind the gate"],
      "cert-migration": ["verify: the gate,", "watch, report"],
      People: ["load balancer"],
    },
  },
];

const left = 124;
const columnWidth = 128;
const top = 74;
const rowHeight = 58;
const width = left + steps.length * columnWidth + 12;
const height = top + actors.length * rowHeight + 12;

/** Returns the picture of the eight steps and their actors, for light and dark pages. */
export function eightStepsPicture(): string {
  const told = steps.map(({ number, title, parts }) => {
    const who = Object.entries(parts).map(([actor, words]) => `${actor} ${words.join(" ")}`);
    return `${number} ${title.join(" ")}: ${who.join("; ")}.`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif">`,
    '<title id="title">The eight steps of a migration and who does what</title>',
    `<desc id="description">${told.join(" ")}</desc>`,
    "<style>",
    ".ground{fill:#fff}.lane{fill:#f6f8fa}.title{fill:#1f2328;font-size:13px;font-weight:600}.number{fill:#fff;font-size:13px;font-weight:700}.disc{fill:#0b57d0}",
    ".actor{fill:#1f2328;font-size:13px;font-weight:600}.part{fill:#fff;stroke:#8c959f}.word{fill:#1f2328;font-size:12px}.previous{fill:#fff1e5;stroke:#bc4c00}.load-balancer{fill:#dafbe1;stroke:#1a7f37}.gate{fill:#ddf4ff;stroke:#0969da;stroke-width:2}",
    "@media (prefers-color-scheme:dark){.ground{fill:#0d1117}.lane{fill:#161b22}.title,.actor,.word{fill:#e6edf3}.part{fill:#0d1117;stroke:#6e7681}.previous{fill:#3d2211;stroke:#f0883e}.load-balancer{fill:#12261e;stroke:#3fb950}.gate{fill:#0c2d6b;stroke:#58a6ff}}",
    "</style>",
    // The page around the picture may be light while the system is dark, and the other way round.
    `<rect class="ground" width="${width}" height="${height}" rx="6"/>`,
    ...actors.map(lane),
    ...steps.map(column),
    "</svg>",
    "",
  ].join("\n");
}

function lane(actor: Actor, row: number): string {
  const y = top + row * rowHeight;
  return [
    `<rect class="lane" x="6" y="${y}" width="${width - 12}" height="${rowHeight - 6}" rx="6"/>`,
    `<text class="actor" x="16" y="${y + rowHeight / 2 + 1}">${actor}</text>`,
  ].join("");
}

function column({ number, title, parts }: Step, index: number): string {
  const x = left + index * columnWidth;
  const center = x + columnWidth / 2;
  const heading = [
    `<circle class="disc" cx="${center}" cy="18" r="12"/>`,
    `<text class="number" x="${center}" y="22.5" text-anchor="middle">${number}</text>`,
    ...title.map(
      (line, at) => `<text class="title" x="${center}" y="${46 + at * 16}" text-anchor="middle">${line}</text>`,
    ),
  ];
  const boxes = actors.flatMap((actor, row) => {
    const words = parts[actor];
    return words === undefined ? [] : [box(actor, words, x, top + row * rowHeight)];
  });
  return [...heading, ...boxes].join("");
}

function box(actor: Actor, words: readonly string[], x: number, y: number): string {
  const style =
    actor === "People"
      ? words[0] === "previous provider"
        ? "previous"
        : "load-balancer"
      : words.some((word) => /: the gate|^a gate/.test(word))
        ? "gate"
        : "part";
  const first = y + (rowHeight - 6) / 2 + 4 - (words.length - 1) * 8;
  const lines = words.map(
    (word, at) =>
      `<text class="word" x="${x + columnWidth / 2}" y="${first + at * 16}" text-anchor="middle">${word}</text>`,
  );
  return `<rect class="${style}" x="${x + 3}" y="${y + 5}" width="${columnWidth - 6}" height="${rowHeight - 16}" rx="5"/>${lines.join("")}`;
}
