export { errorReply, type ListRequest, listActivities, type ServiceReply } from "./list";
export { openRecordLog } from "./record-log";
export {
  type ActivityServer,
  type ActivityServiceOptions,
  answerActivityRequest,
  type ServiceRequest,
  startActivityServer,
} from "./server";
export {
  type ActivityStore,
  type ActivityStoreOptions,
  activityRecord,
  createActivityStore,
  type NewActivity,
  type NewEvent,
  type RecordLog,
  type StoredActivity,
} from "./store";
