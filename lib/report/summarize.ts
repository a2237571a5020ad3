import type { ReportData } from "./model";
import { standingsOf } from "./standing";
import { verdictOf } from "./verdict";

/** The verdict that stands at the top of the report, in one sentence; untrusted. */
export function summarizeReport(data: ReportData): string {
  return verdictOf(data, standingsOf(data)).sentence;
}
