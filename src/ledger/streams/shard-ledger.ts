/** The attempt of a Temporal activity that reads a shard (a group of tenants). `attempt`: its id, unique among all attempts of all runs. */
export type ShardReader = { readonly shard: number; readonly attempt: string };

/**
 * The answer to a process that reports which of its activity attempts are alive. `current`: those that still are the readers of their
 * shards (groups of tenants). An attempt that is missing there was replaced by another one.
 */
export type Beats = {
  readonly current: readonly string[];
  /**
   * Shards whose reader was not reported alive for `deadMs` milliseconds, with that reader. A silent shard is returned to one process only.
   * If the silence goes on for another `deadMs` milliseconds, it is returned again.
   */
  readonly silent: readonly ShardReader[];
};

/**
 * Stores which activity attempt reads each shard (a group of tenants), and when that attempt was last reported alive. All times are
 * PostgreSQL's, because the clocks of two workers may differ by more than the allowed silence.
 */
export interface ShardLedger {
  /**
   * Makes a Temporal activity attempt the reader of its shard (a group of tenants), in place of any former reader. `of`: the present number
   * of shards, which are numbered from 0 to `of` - 1. Deletes stored shards with the number `of` or a higher one, because they no longer
   * exist.
   */
  takeShard(reader: ShardReader, of: number): Promise<void>;
  /** Makes an activity attempt the reader of its shard (a group of tenants), if the attempt `insteadOf` is still the reader. */
  replaceReader(reader: ShardReader, insteadOf: string): Promise<void>;
  /**
   * Stores that a process still runs these activity attempts, and finds other shards whose reader has been silent for `deadMs`
   * milliseconds. If `deadMs` is null, finds none. One statement.
   */
  beatShards(attempts: readonly string[], deadMs: number | null): Promise<Beats>;
}
