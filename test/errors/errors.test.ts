import { InputError, type Problem } from "../../lib/errors";

const problems: readonly Problem[] = [
  { code: "option-unknown", message: "'--a' is not an option" },
  { code: "value-missing", message: "'--b' has no value" },
];

test("an InputError reports its problems in the form of all findings", () => {
  expect(new InputError(problems).findings).toEqual(
    problems.map(({ code, message }) => ({ code, severity: "error", subject: "", message, remedy: "" })),
  );
});

test("a finding of an InputError has no further fields of its problem", () => {
  const problem = { code: "option-unknown", message: "'--a' is not an option", line: 1 } as const;
  expect(new InputError([problem]).findings.flatMap(Object.keys)).not.toContain("line");
});
