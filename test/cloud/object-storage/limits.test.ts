import { CloudError } from "../../../lib/cloud/cloud-error";
import { json } from "../../../lib/cloud/front";
import { ByteBudget, Objects, readPlan } from "../../../lib/cloud/object-storage/objects";
import { UploadSessions } from "../../../lib/cloud/object-storage/upload-sessions";
import { ownDescription } from "../../../lib/discovery";

const description = ownDescription("storage:v1");
const method = description.method("storage.objects.insert");
const plan = (name: string) =>
  readPlan({ description, method, parameters: { bucket: "b-1", name }, body: {}, caller: "anonymous" }, undefined);
const answer = (resource: object) => json(200, resource);

function storage(totalBytes: number, openUploads = 3) {
  const budget = new ByteBudget({ objectBytes: 1_000_000, totalBytes, openUploads });
  const clock = { now: () => new Date(0), after: () => () => undefined };
  const objects = new Objects(clock, budget);
  let number = 0;
  const sessions = new UploadSessions({
    clock,
    budget,
    makeId: () => `s${++number}`,
    finish: (which, content) => objects.put(which, content, "http://127.0.0.1/"),
  });
  return { budget, objects, sessions };
}

describe("the limit of all objects together", () => {
  it("refuses an object beyond it, and has room again after a deletion or a replacement by less", () => {
    const { budget, objects } = storage(10_000);
    objects.put(plan("a"), new Uint8Array(8_000), "");
    expect(() => objects.put(plan("b"), new Uint8Array(8_000), "")).toThrow(
      expect.objectContaining({ httpStatus: 413 }),
    );
    objects.put(plan("a"), new Uint8Array(100), "");
    objects.put(plan("b"), new Uint8Array(8_000), "");
    objects.clear();
    expect(budget.takenBytes).toBe(0);
  });

  it("counts pieces of unfinished uploads, and releases them with their session", () => {
    const { budget, sessions } = storage(400_000);
    const id = sessions.begin({ plan: plan("a"), total: undefined, answer });
    const piece = new Uint8Array(262_144);
    sessions.receive(id, piece, "bytes 0-262143/*");
    expect(() => sessions.receive(id, piece, "bytes 262144-524287/*")).toThrow(CloudError);
    expect(sessions.receive(id, new Uint8Array(), "bytes */*").headers).toEqual({ range: "bytes=0-262143" });
    sessions.cancel(id);
    expect(budget.takenBytes).toBe(0);
  });

  it("counts the content of a finished upload once", () => {
    const { budget, objects, sessions } = storage(400_000);
    const id = sessions.begin({ plan: plan("a"), total: 300_000, answer });
    expect(sessions.receive(id, new Uint8Array(300_000), "bytes 0-299999/300000").status).toBe(200);
    expect(budget.takenBytes).toBeLessThan(320_000);
    objects.clear();
    sessions.clear();
    expect(budget.takenBytes).toBe(0);
  });
});

it("refuses uploads beyond the number that may be open, not beyond finished uploads", () => {
  const { sessions } = storage(1_000_000, 2);
  for (let count = 0; count < 6; count++) {
    const id = sessions.begin({ plan: plan(`o${count}`), total: 1, answer });
    sessions.receive(id, new Uint8Array(1), "bytes 0-0/1");
  }
  for (const name of ["a", "b"]) sessions.begin({ plan: plan(name), total: 1, answer });
  expect(() => sessions.begin({ plan: plan("c"), total: 1, answer })).toThrow(
    expect.objectContaining({ status: "RESOURCE_EXHAUSTED" }),
  );
});

it("refuses metadata of more than 8 KiB", () => {
  const body = { name: "a", metadata: { key: "x".repeat(8_192) } };
  const call = { description, method, parameters: { bucket: "b-1" }, body, caller: "anonymous" };
  expect(() => readPlan(call, undefined)).toThrow(/at most 8192/);
});
