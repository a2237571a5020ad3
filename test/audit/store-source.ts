import { type ActivitySource, type ActivityStore, listActivities, parseActivity } from "../../lib/audit";

/** Lists a store without a socket, in small pages. */
export function storeSource(store: ActivityStore, now: () => Date, pageSize = 7): ActivitySource {
  return {
    name: "store",
    async *pages({ startTime, endTime }) {
      let pageToken = "";
      do {
        const query = new Map([
          ["startTime", startTime?.toISOString() ?? ""],
          ["endTime", endTime?.toISOString() ?? ""],
          ["maxResults", String(pageSize)],
          ["pageToken", pageToken],
        ]);
        const { status, body } = listActivities(store, { userKey: "all", applicationName: "admin", query }, now());
        if (status !== 200) throw new Error(JSON.stringify(body));
        const page = body as { readonly items?: readonly unknown[]; readonly nextPageToken?: string };
        yield { activities: (page.items ?? []).map((item) => parseActivity(item)), unreadable: [], warnings: [] };
        pageToken = page.nextPageToken ?? "";
      } while (pageToken !== "");
    },
  };
}
