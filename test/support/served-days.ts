import { passDays } from "../../lib/rehearsal/days/days";
import type { DaysResult } from "../../lib/rehearsal/days/model";
import { type DaysTrouble, daysTroubles } from "../../lib/rehearsal/days/troubles";
import { servedHostnames, startServedCloud } from "./served-cloud";

interface DaysCase {
  readonly days: number;
  /** Name of the trouble. @default - none */
  readonly trouble?: string;
  /** @default false */
  readonly repairs?: boolean;
}

/** Lets days pass in a cloud that serves a hostname by each kind of certificate. Terraform does not run. */
export async function serveForDays({ days, trouble, repairs = false }: DaysCase): Promise<DaysResult> {
  const { cloud, prober, reader, setApi, replaceUpload } = await startServedCloud();
  const chosen: DaysTrouble | undefined = daysTroubles.find(({ name }) => name === trouble);
  if (trouble !== undefined && chosen === undefined) throw new Error(`${trouble} is not a trouble`);
  try {
    return await passDays(
      {
        cloud,
        prober,
        reader,
        setApi,
        noteCertificates: async () => undefined,
        pipeline: { planIsEmpty: async () => true },
      },
      {
        days,
        repairs,
        replaceUploads: replaceUpload,
        signal: new AbortController().signal,
        ...(chosen && { trouble: chosen }),
      },
    );
  } finally {
    await prober.stop();
    await cloud.stop();
  }
}

/** Returns the name of the policy that watches the days of a hostname. */
export function daysPolicyOf(kind: "managed" | "uploaded"): string {
  return `days of ${servedHostnames[kind]}`;
}
