import { createPlaces } from "../../../lib/live/run-checks/run";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Takes places one after another, each as soon as the previous place becomes slow. */
function enterSlowly(places: ReturnType<typeof createPlaces>, times: number): readonly (() => void)[] {
  return Array.from({ length: times }, () => {
    const leave = places.enter("a");
    jest.advanceTimersByTime(1_000);
    return leave;
  });
}

test("frees the place of a slow attempt for another, and reports that", () => {
  const onFree = jest.fn();
  const places = createPlaces(1, onFree);
  const leave = places.enter("a");
  jest.advanceTimersByTime(999);
  expect([places.isFree(), places.quickOf("a"), onFree.mock.calls.length]).toEqual([false, 1, 0]);
  jest.advanceTimersByTime(1);
  expect([places.isFree(), places.quickOf("a"), onFree.mock.calls.length]).toEqual([true, 0, 1]);
  leave();
  expect([places.isFree(), places.quickOf("a")]).toEqual([true, 0]);
});

test("lets an attempt that ends in time free its own place", () => {
  const places = createPlaces(2, () => {});
  const leaves = [places.enter("a"), places.enter("b")];
  expect(places.isFree()).toBe(false);
  leaves[0]?.();
  jest.advanceTimersByTime(10_000);
  expect([places.isFree(), places.quickOf("a"), places.quickOf("b")]).toEqual([true, 0, 0]);
});

test("limits slow attempts: a further one keeps its place until another has ended", () => {
  const places = createPlaces(1, () => {});
  const slow = enterSlowly(places, 8);
  const [leaveLast] = enterSlowly(places, 1);
  expect(places.isFree()).toBe(false);
  slow[3]?.();
  expect(places.isFree()).toBe(true);
  leaveLast?.();
  expect([places.isFree(), places.quickOf("a")]).toEqual([true, 0]);
});

test("leaves nothing behind if an attempt ends before it becomes slow", () => {
  const places = createPlaces(1, () => {});
  const slow = enterSlowly(places, 8);
  const [leaveLast] = enterSlowly(places, 1);
  leaveLast?.();
  slow[0]?.();
  expect([places.isFree(), places.quickOf("a")]).toEqual([true, 0]);
});
