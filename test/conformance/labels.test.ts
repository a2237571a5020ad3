import { startRehearsalSide } from "../../conformance/rehearsal-side";
import type { Json } from "../../conformance/side";

const project = "conformance-sandbox";
const region = "us-central1";

test.each<[string, string, Readonly<Record<string, string>>, Json, string]>([
  ["a global address", "compute.globalAddresses", { project }, { name: "cf000000-ip" }, "address"],
  ["a regional address", "compute.addresses", { project, region }, { name: "cf000000-ip" }, "address"],
])("%s gets the label of the run after its creation", async (_, collection, parameters, body, word) => {
  await using rehearsal = await startRehearsalSide();
  const { side } = rehearsal;
  await side.run(`${collection}.insert`, parameters, body);
  const found = await side.make(`${collection}.get`, { ...parameters, [word]: String(body.name) });
  expect(found.labels).toEqual({ conformance: "cf000000" });
});

test("a dashboard has the label of the run beside its own", async () => {
  await using rehearsal = await startRehearsalSide();
  const { side } = rehearsal;
  const body = { displayName: side.name("board"), labels: { purpose: "" }, gridLayout: { widgets: [] } };
  const made = await side.make("monitoring.projects.dashboards.create", { parent: `projects/${project}` }, body);
  expect(made.labels).toEqual({ conformance: "cf000000", purpose: "" });
});
