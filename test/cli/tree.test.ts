import { foldTo } from "../../lib/cli/style";
import { foldBranch, treeTable } from "../../lib/cli/tree";

const rows = [
  { label: "├─ zone", type: "string", text: "" },
  { label: "│  └─ name", type: "string", text: "Name of the zone in the project, which is not its DNS name" },
];

test("keeps branches beside a folded line", () => {
  expect(foldBranch("│  ├─ certificate shop for example.com", foldTo(34))).toBe(
    "│  ├─ certificate shop for\n│  │  example.com",
  );
});

test.each([
  [
    "every text in its line without a width",
    undefined,
    "├─ zone     string\n│  └─ name  string  Name of the zone in the project, which is not its DNS name\n",
  ],
  [
    "texts beside the types if there is room",
    50,
    "├─ zone     string\n│  └─ name  string  Name of the zone in the\n│                   project, which is not its DNS\n│                   name\n",
  ],
  [
    "texts below the types otherwise",
    36,
    "├─ zone  string\n│  └─ name  string\n│       Name of the zone in the\n│       project, which is not its\n│       DNS name\n",
  ],
])("has %s", (_, columns, expected) => {
  expect(treeTable(rows, columns)).toBe(expected);
});
