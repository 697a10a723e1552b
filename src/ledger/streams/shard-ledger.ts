/** An attempt of the activity that reads a shard (a group of tenants). `attempt`: its id, unique among all attempts of all runs. */
export type ShardReader = { readonly shard: number; readonly attempt: string };

/** The beats of a process: which of its attempts still read their shards, and which shards nobody reads any more. */
export type Beats = {
  readonly current: readonly string[];
  /** Each silent shard is returned to one process only, and again after another `deadMs` of silence. */
  readonly silent: readonly ShardReader[];
};

/**
 * Which attempt reads each shard, and when it last showed that its worker lives. All times are PostgreSQL's, because the clocks of workers
 * may differ by more than a worker may be silent.
 */
export interface ShardLedger {
  /** Makes an attempt the reader of its shard, in place of any other. Forgets shards from number `of` on, because there are fewer now. */
  takeShard(reader: ShardReader, of: number): Promise<void>;
  /** Makes an attempt the reader of its shard, unless `insteadOf` no longer is. */
  replaceReader(reader: ShardReader, insteadOf: string): Promise<void>;
  /**
   * Notes that a process still runs these attempts. `deadMs`: also find other shards whose reader was silent for this many milliseconds;
   * null to find none. One statement.
   */
  beatShards(attempts: readonly string[], deadMs: number | null): Promise<Beats>;
}
