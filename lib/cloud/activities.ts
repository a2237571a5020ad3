/** The audit log: records of administrators' actions, kept in the store and served by specification 2. */
import { type ActivityStore, answerActivityRequest, createActivityStore } from "../audit";
import { json, type WireAnswer, type WireRequest } from "./front";
import type { Clock, Store } from "./state";

export function openActivities(store: Store, clock: Clock): ActivityStore {
  const kept = store.collection<string>("audit.records");
  return createActivityStore({
    now: () => clock.now(),
    log: {
      read: () => [...kept.values()],
      append: (record) => {
        kept.set(String(kept.size + 1), record);
        store.commit();
      },
    },
  });
}

/** Answers a request for the audit log; returns undefined for any other request. */
export function answerActivities(
  { httpMethod, target, headers }: WireRequest,
  store: ActivityStore,
  clock: Clock,
): WireAnswer | undefined {
  if (!target.startsWith("/admin/reports/")) return undefined;
  const request = { method: httpMethod, url: target, authorization: headers.authorization };
  const { status, body } = answerActivityRequest(request, { store, now: () => clock.now() });
  return json(status, body);
}
