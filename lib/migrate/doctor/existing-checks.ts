import type { LiveCertificate } from "../../google";
import { type DoctorFinding, finding } from "./model";

/** Something that is there, and a certificate's state where it is one. */
type Live = { readonly name: string } & Partial<Pick<LiveCertificate, "state" | "expireTime">>;

/** Holds what the migration takes for existing against what is there. */
export function judgeExisting(ids: readonly string[], live: readonly Live[], now: Date): readonly DoctorFinding[] {
  const there = new Map(live.map((resource) => [resource.name, resource]));
  return ids.flatMap((id) => {
    const resource = there.get(id);
    if (resource === undefined) return [finding("existing-missing", id, `there is no ${id}`)];
    const { state = "ACTIVE", expireTime } = resource;
    if (state !== "ACTIVE") return [finding("existing-not-active", id, `${id} is ${state}`)];
    if (expireTime === undefined || new Date(expireTime) > now) return [];
    return [finding("existing-not-active", id, `${id} expired at ${expireTime}`)];
  });
}
