import { readTerraformProgress, type TerraformProgress } from "../../lib/rehearsal/terraform-output";

type Runs = readonly (readonly [verb: string, ...pieces: string[]])[];

function progressOf(...runs: Runs): TerraformProgress | undefined {
  let last: TerraformProgress | undefined;
  const reader = readTerraformProgress((progress) => {
    last = progress;
  });
  for (const [verb, ...pieces] of runs) {
    reader.begin(verb);
    pieces.forEach(reader.read);
  }
  return last;
}

const plan = "\nPlan: 3 to add, 1 to change, 2 to destroy.\n";
const done = (verb: string) => `google_x.a: ${verb} complete after 1s [id=x]\n`;

test.each<[what: string, runs: Runs, progress: Omit<TerraformProgress, "program">]>([
  ["a run that has begun", [["init"]], { verb: "init", done: 0, total: undefined }],
  ["an apply after its plan", [["apply", plan]], { verb: "apply", done: 0, total: 6 }],
  [
    "an apply with imports",
    [["apply", "Plan: 9 to import, 3 to add, 0 to change, 0 to destroy.\n"]],
    { verb: "apply", done: 0, total: 3 },
  ],
  [
    "an apply that creates, changes and destroys",
    [["apply", plan, done("Creation"), done("Modifications"), done("Destruction"), "google_x.b: Creating...\n"]],
    { verb: "apply", done: 3, total: 6 },
  ],
  [
    "lines that come in pieces",
    [["apply", plan, "google_x.a: Creation comp", "lete after 1s\ngoogle_x.b: Creation complete after"]],
    { verb: "apply", done: 1, total: 6 },
  ],
  [
    "an apply of a saved plan",
    [
      ["plan", plan],
      ["apply", done("Creation")],
    ],
    { verb: "apply", done: 1, total: 6 },
  ],
  [
    "a repeated apply before its plan",
    [["apply", plan, done("Creation")], ["apply"]],
    { verb: "apply", done: 0, total: undefined },
  ],
  [
    "a plan without changes",
    [["apply", plan, done("Creation")], ["plan"]],
    { verb: "plan", done: 0, total: undefined },
  ],
])("shows the progress of %s", (_, runs, progress) => {
  expect(progressOf(...runs)).toEqual({ program: "terraform", ...progress });
});
