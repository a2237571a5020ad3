import { symptoms } from "../../docs/generate/troubleshooting";
import { allCodes } from "../../lib/explain/codes";
import { sectionOf } from "../support/pages";

const page = sectionOf("change-window.md", "Troubleshooting by message");

test("lists each message of another program once", () => {
  const messages = symptoms.flatMap((symptom) => symptom.messages);
  expect(messages.filter((message, index) => messages.indexOf(message) !== index)).toEqual([]);
  for (const message of messages) expect(page.split(`\`${message}\``)).toHaveLength(2);
});

test("names only codes that explain knows, also in the tables written manually", () => {
  const codes = new Set(allCodes().map(({ code }) => code));
  const named = [...page.matchAll(/[(`[]((?:[a-z]+-)+[a-z]+)[)`\]]/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !/^cert-migration$/.test(name));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !codes.has(name))).toEqual([]);
});
