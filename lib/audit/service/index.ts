export { errorReply, type ListRequest, listActivities, type ServiceReply } from "./list";
export { activityRecord, type NewActivity, type NewEvent } from "./record";
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
  createActivityStore,
  type RecordLog,
  type StoredActivity,
} from "./store";
