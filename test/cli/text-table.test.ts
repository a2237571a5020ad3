import { formatTable } from "../../lib/cli/text-table";

const head = ["what", "name", "for"];
const rows = [
  ["gate", "-", "before entries: 'cert-migration wait' until certificate pay is ACTIVE"],
  ["forwarding rule", "shop-https-ipv4-4aa33c3f4157", "IPv4 203.0.113.7, port 443"],
];
const linesOf = (columns?: number) => formatTable(head, rows, undefined, columns).trimEnd().split("\n");

test.each<[string, number | undefined, readonly string[]]>([
  [
    "stays on one line per row without a terminal",
    undefined,
    [
      "what             name                          for",
      "gate             -                             before entries: 'cert-migration wait' until certificate pay is ACTIVE",
      "forwarding rule  shop-https-ipv4-4aa33c3f4157  IPv4 203.0.113.7, port 443",
    ],
  ],
  [
    "wraps the widest column between words",
    100,
    [
      "what             name                          for",
      "gate             -                             before entries: 'cert-migration wait' until",
      "                                               certificate pay is ACTIVE",
      "forwarding rule  shop-https-ipv4-4aa33c3f4157  IPv4 203.0.113.7, port 443",
    ],
  ],
  [
    "wraps further columns when the last one is as narrow as it can be",
    70,
    [
      "what        name                          for",
      "gate        -                             before entries:",
      "                                          'cert-migration wait' until",
      "                                          certificate pay is ACTIVE",
      "forwarding  shop-https-ipv4-4aa33c3f4157  IPv4 203.0.113.7, port 443",
      "rule",
    ],
  ],
  [
    "puts the cells of a row below each other if the longest words do not fit",
    50,
    [
      "what  name  for",
      "gate  -",
      "  before entries: 'cert-migration wait' until",
      "  certificate pay is ACTIVE",
      "forwarding rule  shop-https-ipv4-4aa33c3f4157",
      "  IPv4 203.0.113.7, port 443",
    ],
  ],
])("a table %s", (_, columns, lines) => {
  expect(linesOf(columns)).toEqual(lines);
});

test("colors each part of a wrapped cell without its padding, and not the head", () => {
  const painted = formatTable(head, rows, (cell, column) => (column === 0 ? `<${cell}>` : cell), 70);
  expect(painted).toContain("\n<gate>        -  ");
  expect(painted).toContain("\n<forwarding>  shop");
  expect(painted).toContain("\n<rule>\n");
});

test("makes every cell safe before it is measured", () => {
  expect(formatTable(["a", "b"], [["\u001b[2J", "x"]])).toBe("a          b\n\\u{1b}[2J  x\n");
});
