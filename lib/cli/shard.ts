import { InputError } from "../errors";
import { defined } from "../json/defined";
import type { Shard } from "../live/monitor";
import { quote } from "../text/quote";
import type { Io } from "./command";
import { value } from "./declare";
import * as load from "./load";
import { checked } from "./value-types";

const mostShards = 10_000;

interface ShardOption {
  readonly shard?: GivenShard | undefined;
}

/** A shard as the command line gives it. The environment of a job has what is missing. */
export interface GivenShard {
  /** From 1. @default - the index in the environment */
  readonly index?: number;
  /** @default - the number in the environment */
  readonly count?: number;
}

const shardType = checked<GivenShard>(
  "shard-malformed",
  (given) => {
    const parts = /^(?:(\d{1,5})|auto)(?:\/(\d{1,5}))?$/.exec(given);
    if (parts === null) return undefined;
    const [, index, count] = parts;
    if (index !== undefined && count === undefined) return undefined;
    if (count !== undefined && !isShard(Number(index ?? 1), Number(count))) return undefined;
    const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
    return defined({ index: numberOf(index), count: numberOf(count) });
  },
  `is not a shard; use INDEX/COUNT with an index from 1, as in 2/10, or auto, or auto/COUNT; at most ${mostShards}`,
);

export const shardOption = {
  "--shard <shard>": value(
    shardType,
    "only one of several parts of the hostnames: INDEX/COUNT with an index from 1, as in 2/10; auto in a Cloud Run job, auto/COUNT in an indexed Kubernetes Job",
  ),
} as const;

function isShard(index: number, count: number): boolean {
  return index >= 1 && index <= count && count <= mostShards;
}

/**
 * Returns the shard, completed from the environment of a job: `auto` reads `CLOUD_RUN_TASK_INDEX` and
 * `CLOUD_RUN_TASK_COUNT`, `auto/COUNT` reads `JOB_COMPLETION_INDEX`; both indexes count from 0.
 *
 * @throws InputError `shard-unknown`
 */
export function readShard({ index, count }: GivenShard, { env }: Pick<Io, "env">): Shard {
  if (index !== undefined && count !== undefined) return { index, count };
  const of = (name: string) => {
    const text = env[name];
    if (text === undefined || !/^\d{1,5}$/.test(text)) {
      const message = `--shard auto needs a number in ${name}, which is ${text === undefined ? "not set" : quote(text)}; give INDEX/COUNT instead`;
      throw new InputError("shard-unknown", message);
    }
    return Number(text);
  };
  const found =
    count === undefined
      ? { index: of("CLOUD_RUN_TASK_INDEX") + 1, count: of("CLOUD_RUN_TASK_COUNT") }
      : { index: of("JOB_COMPLETION_INDEX") + 1, count };
  if (isShard(found.index, found.count)) return found;
  const message = `--shard auto: there is no part ${found.index} of ${found.count}; give INDEX/COUNT instead`;
  throw new InputError("shard-unknown", message);
}

/** Returns whether a hostname is in the part that `--shard` names; without it, every hostname is. */
export function shardFilter({ shard: given }: ShardOption, io: Pick<Io, "env">): (hostname: string) => boolean {
  if (given === undefined) return () => true;
  const shard = readShard(given, io);
  const { isInShard } = load.monitor();
  return (hostname) => isInShard(hostname, shard);
}

/** Returns the shard as results name it, as in `2/10`; empty without `--shard`. */
export function shardIn({ shard }: ShardOption, io: Pick<Io, "env">) {
  if (shard === undefined) return {};
  const { index, count } = readShard(shard, io);
  return { shard: `${index}/${count}` };
}
