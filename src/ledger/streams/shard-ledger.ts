/** The activity attempt that reads a shard (a group of tenants). `attempt`: its id, unique among all attempts of all runs. */
export type ShardReader = { readonly shard: number; readonly attempt: string };

/**
 * The result of a process's report that its attempts live: which attempts still read their shards, and which shards nobody reads any more.
 */
export type Beats = {
  readonly current: readonly string[];
  /** Shards whose reader was silent. Each is returned to one process only, and again after another `deadMs` of silence. */
  readonly silent: readonly ShardReader[];
};

/**
 * Stores which activity attempt reads each shard (a group of tenants), and when its worker last reported that it lives. All times are
 * PostgreSQL's, because the clocks of two workers may differ by more than the allowed silence.
 */
export interface ShardLedger {
  /**
   * Makes an attempt the reader of its shard (a group of tenants), instead of any other. Deletes shards with the number `of` or a higher
   * one, because there are fewer shards now.
   */
  takeShard(reader: ShardReader, of: number): Promise<void>;
  /** Makes an attempt the reader of its shard, if the attempt `insteadOf` still is. */
  replaceReader(reader: ShardReader, insteadOf: string): Promise<void>;
  /**
   * Stores that a process still runs these attempts. With `deadMs`, also finds other shards whose reader has been silent for that many
   * milliseconds; null finds none. One statement.
   */
  beatShards(attempts: readonly string[], deadMs: number | null): Promise<Beats>;
}
