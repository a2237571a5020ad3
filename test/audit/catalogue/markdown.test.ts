import { catalogueMarkdown, eventCatalogue, eventNames } from "../../../lib/audit";

const page = catalogueMarkdown();

test.each(eventNames)("has one row for %s with its message", (name) => {
  const rows = page.split("\n").filter((line) => line.startsWith(`| \`${name}\``));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain(`\`${eventCatalogue[name].message}\``);
});

test("has as many cells in every row as in its header", () => {
  const tables = page.split("\n\n").filter((block) => block.startsWith("|"));
  for (const table of tables) {
    const cells = table.split("\n").map((line) => line.split(" | ").length);
    expect(new Set(cells).size).toBe(1);
  }
  expect(tables).toHaveLength(6);
});

test("shows in a row the service's name, the weight and origin of parameters, and types other than string", () => {
  expect(page).toContain("| `CREATE_HOSTED_MAIL_SETTING`<br>also `CREATE_GMAIL_SETTING` |");
  expect(page).toContain("| `ASSIGN_ROLE` | **`ROLE_NAME`**, **`USER_EMAIL`**, `ORG_UNIT_NAME` *(observed)* |");
  expect(page).toContain("**`NUMBER_OF_COMPANY_OWNED_DEVICES`: integer**");
});
