import type { Cause } from '../../domain/loop/step.ts';
import type { LinkState } from '../../domain/record/link-state.ts';

/** A record, and how often it had been told of, and been given to the lane, when its work began. */
export type ProcessedRecord = {
  readonly key: string;
  readonly generation: number;
  readonly laneGeneration: number;
};

/** A record that the lane is to carry. */
export type LaneRecord = ProcessedRecord & {
  readonly state: LinkState;
  /** The share of the vendor's quota that its requests come out of; absent where they are not of bulk work. */
  readonly bulkShare?: number;
  /** All that it is due for is that a write of ours be read back, as far as is known. */
  readonly isEcho?: true;
  /** By what it was woken. */
  readonly cause: Cause;
  /** Why only its own workflow can go on with it; null where the lane can. */
  readonly needsOwn: 'a write is open' | 'unanswered' | null;
};

export type LaneOrder = {
  /** Of bulk work, whose share of the quota is used up, nothing is given. */
  readonly withBulk: boolean;
  /** Nor of what waits for its echo alone, where no request is spare. */
  readonly withEchoes: boolean;
  /** Keys that are under way already. */
  readonly excluding: readonly string[];
  readonly limit: number;
};

/** The records of a tenant that its lane carries. */
export interface LaneLedger {
  /**
   * Gives links to the lane, so that its next look finds them; by any cause those that were told of before as well: whoever looks at
   * them may have read what no mark tells any more. Many that are given together are a burst from then on.
   */
  takeInLane(tenant: string, keys: readonly string[], cause: Cause): Promise<void>;
  /** What the lane is to carry next, which is begun with that: what is no bulk work first, what waits for its echo alone last, and of each what waits longest. */
  nextInLane(tenant: string, order: LaneOrder): Promise<readonly LaneRecord[]>;
  /**
   * Takes links out of the lane, but for those that were told of, or woken, since their work began; the keys of those that are due
   * still, although nothing was told of them.
   */
  leaveLane(tenant: string, carried: readonly ProcessedRecord[]): Promise<readonly string[]>;
  /**
   * Takes a link out of the lane for its own workflow: where it is due, the vendor's side is to be read again. Where it is not, what is
   * left of its work is to tell its users, so that it is due from `at` on: whoever wakes it may die before that.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
}
