import type { StackJson } from "../../../lib/rehearsal/stack";
import { reportDangers } from "./judge";
import { disturbed, type Scenario, type SceneAct, smallSpec } from "./scenario";
import { afterwards, answered, failuresMet, refused } from "./shown";

const harmed = { completes: false, failedHandshakes: "some" } as const;
const certificateManager = "certificatemanager.projects.locations";
const takesMinutes = { domain: "*", failureReason: "CONFIG", times: 6 } as const;

/** Renames the map of the plain stack, so that Terraform replaces the map and all entries. */
function withOtherMap(stack: StackJson): StackJson {
  const resource = stack.resource as Readonly<Record<string, unknown>>;
  const google_certificate_manager_certificate_map = { map: { name: "next-map" } };
  return { ...stack, resource: { ...resource, google_certificate_manager_certificate_map } };
}

const replaceMap: SceneAct = {
  name: "the map gets another name",
  run: async (stage, scene) => {
    const next = withOtherMap(scene.stackOf(scene.spec));
    await stage.terraform.write(next);
    await reportDangers(stage, scene);
    const replaced = await stage.pipeline.deployStack(next);
    await stage.prober.everyHostname();
    return replaced;
  },
};

const destroyAll: SceneAct = {
  name: "traffic goes back, and everything is destroyed, its records too",
  run: async (stage, scene) => {
    const back = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 } as const;
    if (!(await stage.moveTraffic(back))) return false;
    await reportDangers(stage, scene, "-destroy");
    const { exitCode } = await stage.terraform.destroy();
    await stage.pass(120);
    await stage.prober.everyHostname();
    return exitCode === 0;
  },
};

const rename: SceneAct = {
  name: "the migration gets another name",
  run: async (stage, scene) => {
    const renamed = { ...scene.spec, name: "store" };
    await stage.terraform.write(scene.stackOf(renamed));
    await reportDangers(stage, scene);
    const deployed = await scene.deploy(stage, renamed);
    await stage.prober.everyHostname();
    return deployed;
  },
};

/** Measures the failures without the protections of this project. */
export const contrastScenarios: readonly Scenario[] = [
  {
    name: "without-the-constructs",
    summary:
      "the same resources written plainly: map attached and traffic moved at once, certificates issued meanwhile",
    plain: true,
    course: { order: "traffic at once" },
    faults: { issuance: [takesMinutes] },
    expect: harmed,
  },
  {
    name: "without-the-constructs-rotation",
    summary:
      "the same resources written plainly: a certificate with another domain is created and replaces the old one at once",
    plain: true,
    extras: true,
    faults: { issuance: [{ ...takesMinutes, domain: "added.by-rehearsal.*" }] },
    expect: harmed,
  },
  {
    name: "without-the-constructs-map-replaced",
    summary:
      "the same resources written plainly: the map gets another name, its entries are deleted first, and then it can't be, as the proxy has it",
    plain: true,
    acts: [replaceMap],
    proofs: [
      answered(`${certificateManager}.certificateMaps.certificateMapEntries.delete`, "entries deleted", 4),
      refused(400, "deletions of a map that the proxy still has", `${certificateManager}.certificateMaps.delete`),
    ],
    expect: { ...harmed, converges: false, messages: ["check-plan refuses"] },
  },
  {
    name: "deletion-with-its-records",
    summary: "everything is destroyed as it is, with the records of names that are served: they resolve no more",
    acts: [destroyAll],
    proofs: [
      answered(`${certificateManager}.dnsAuthorizations.delete`, "authorizations deleted"),
      failuresMet(/^DNS/, "kinds of failures for want of an address"),
    ],
    expect: { ...harmed, converges: false, messages: ["check-plan refuses"] },
  },
  {
    name: "migration-renamed",
    summary:
      "the migration's construct gets another id without 'moved' blocks: Terraform destroys under the former addresses what it creates under the present ones",
    acts: [rename],
    proofs: [
      answered(`${certificateManager}.certificateMaps.create`, "maps made, one of them under the new name", 2),
      answered(`${certificateManager}.certificateMaps.delete`, "maps deleted"),
    ],
    expect: { ...harmed, messages: ["check-plan refuses"] },
  },
  disturbed("without-a-gate-for-entries", {
    spec: { ...smallSpec, gate: "precondition" },
    extras: true,
    proofs: [
      afterwards(
        `${certificateManager}.certificates.delete`,
        `${certificateManager}.certificateMaps.certificateMapEntries.patch`,
        (seconds) => seconds < 240,
        "certificates deleted before front ends knew of what replaces them",
      ),
    ],
    expect: harmed,
  }),
  disturbed("without-a-gate", {
    spec: { ...smallSpec, gate: "none" },
    extras: true,
    expect: harmed,
  }),
];
