import type { ReportData } from "./model";
import { standingsOf } from "./standing";
import { verdictOf } from "./verdict";

/** Returns the verdict of the report in one sentence; the text is untrusted. */
export function summarizeReport(data: ReportData): string {
  return verdictOf(data, standingsOf(data)).sentence;
}
