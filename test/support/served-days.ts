import { passDays } from "../../lib/rehearsal/days/days";
import { type DaysFailure, daysFailures } from "../../lib/rehearsal/days/failures";
import type { DaysResult } from "../../lib/rehearsal/days/model";
import type { TestCloud } from "./cloud";
import { servedHostnames, startServedCloud } from "./served-cloud";

interface DaysCase {
  readonly days: number;
  /** Name of the failure. @default - none */
  readonly failure?: string;
  /** @default false */
  readonly repairs?: boolean;
  /** Kinds of the certificates. @default - every kind */
  readonly kinds?: readonly (keyof typeof servedHostnames)[];
  /** Called with the cloud before the first day. @default - nothing */
  readonly prepare?: (cloud: TestCloud) => Promise<unknown>;
}

/** Lets days pass in a cloud that serves a hostname by each kind of certificate. Terraform does not run. */
export async function serveForDays({ days, failure, repairs = false, kinds, prepare }: DaysCase): Promise<DaysResult> {
  const { cloud, prober, reader, setApi, replaceUpload } = await startServedCloud(kinds);
  const chosen: DaysFailure | undefined = daysFailures.find(({ name }) => name === failure);
  if (failure !== undefined && chosen === undefined) throw new Error(`${failure} is not a failure`);
  try {
    await prepare?.(cloud);
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
        ...(chosen && { failure: chosen }),
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
