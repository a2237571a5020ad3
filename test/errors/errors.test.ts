import { BugError, InputError, type Problem, ServiceError } from "../../lib/errors";

const own = { BugError, InputError, ServiceError };

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

test.each(["InputError", "ServiceError", "BugError"] as const)(
  "an error of another copy of the package is an instance of %s, and of no other error type",
  (name) => {
    jest.isolateModules(() => {
      const copies: typeof own = require("../../lib/errors");
      expect(copies[name]).not.toBe(own[name]);
      const errors = {
        InputError: new copies.InputError(problems),
        ServiceError: new copies.ServiceError("x", { code: "option-unknown", retryable: false }),
        BugError: new copies.BugError("x"),
      };
      const instances = Object.entries(errors).filter(([, error]) => error instanceof own[name]);
      expect(instances.map(([type]) => type)).toEqual([name]);
      expect(new Error("x") instanceof own[name]).toBe(false);
      expect(errors[name] instanceof Error).toBe(true);
    });
  },
);
