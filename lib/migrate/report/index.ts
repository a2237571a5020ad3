export type { RehearsalRecord, ReportData } from "./model";
export { renderReport } from "./page/page";
