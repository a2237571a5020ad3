import { kitVersions } from "../../../../lib/cli/commands/rehearse/rehearsed";
import { devDependencies } from "../../../../package.json";

const stackOf = (version: string) => ({ "//": { metadata: { version } } });

test("reports only the kit that synthesized the stack, although both are installed", () => {
  const { cdktf, cdktn, "@cdktf/provider-google": bindings } = devDependencies;
  expect(kitVersions(stackOf(cdktf))).toEqual({ cdktf, "@cdktf/provider-google": bindings });
  expect(Object.keys(kitVersions(stackOf(cdktn)))).not.toContain("cdktf");
  expect(kitVersions(stackOf(cdktn))).toMatchObject({ cdktn });
});

test.each([stackOf("9.9.9"), {}, undefined])("reports no kit for a stack that no kit synthesized: %j", (stack) => {
  expect(kitVersions(stack)).toEqual({});
});
