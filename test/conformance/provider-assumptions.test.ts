import { idOf } from "../../conformance/behavior";
import { groups } from "../../conformance/behaviors";
import { providerAssumptions } from "../../conformance/provider-assumptions";

test("every assumption of the provider's tests names behaviors that exist, or a reason", () => {
  const ids = new Set(groups.flatMap((group) => group.behaviors.map((behavior) => idOf(group, behavior))));
  const wrong = providerAssumptions.flatMap(({ test: name, assumption, behaviors, reason }) => {
    const unknown = (behaviors ?? []).filter((id) => !ids.has(id));
    const hasOne = (behaviors ?? []).length > 0 !== ((reason ?? "") !== "");
    return hasOne && unknown.length === 0 ? [] : [`${name}: ${assumption} ${unknown.join(", ")}`];
  });
  expect(wrong).toEqual([]);
});

test("no assumption of the provider's tests appears twice", () => {
  const rows = providerAssumptions.map(({ file, test: name, assumption }) => `${file} ${name}: ${assumption}`);
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
});

test("every assumption of the provider's tests is one sentence of a test function of a test file", () => {
  const wrong = providerAssumptions.filter(({ file, test: name, assumption }) => {
    const isFile = /^(?:certificatemanager|compute|dns)\/[a-z_0-9]+_test\.go$/.test(file);
    const isSentence = /^[A-Z`].*\.$/.test(assumption) && assumption.split(" ").length <= 30;
    return !isFile || !isSentence || !/^Test\w+$/.test(name);
  });
  expect(wrong).toEqual([]);
});
