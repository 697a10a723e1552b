import type { Cause } from '../../domain/loop/step.ts';
import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { LinkState } from '../../domain/record/link-state.ts';

/**
 * A record that the lane (the workflow for many records) has processed, with the change count and the lane count that its link had when
 * that work began.
 */
export type ProcessedRecord = {
  readonly key: string;
  readonly generation: number;
  readonly laneGeneration: number;
};

export type LaneRecord = ProcessedRecord & {
  readonly state: LinkState;
  readonly work: WorkClass;
  readonly cause: Cause;
  /** The newest plan, if its outcome is known, so that nobody sends it any more; else null. */
  readonly spentPlan: string | null;
  /**
   * Why the record needs its own workflow instead of the lane (the workflow for many records): a write has an unknown outcome, or a remote
   * did not answer. Null if the lane can process it.
   */
  readonly needsOwn: 'a write is open' | 'unanswered' | null;
};

export type LaneOrder = {
  /** Whether to return records of bulk work too; false once bulk work has used its share of the quota. */
  readonly withBulk: boolean;
  /** Whether to return records that only wait to read their own write back; false if no request is spare. */
  readonly withEchoes: boolean;
  /** Keys of records that the lane (the workflow for many records) is already processing. */
  readonly excluding: readonly string[];
  readonly limit: number;
};

/** The records in a tenant's lane, which is one workflow that processes many records in one activity. */
export interface LaneLedger {
  /**
   * Adds links to the lane (the workflow for many records); many at once count as a burst. If a link is there for another cause or has
   * older unhandled changes, its cause becomes `any`, so that both sides are read.
   */
  takeInLane(tenant: string, keys: readonly string[], cause: Cause): Promise<void>;
  /**
   * Returns the records that the lane (the workflow for many records) is to process next: normal work, then bulk work, then echoes (own
   * writes to read back); within each, the longest waiting first.
   */
  nextInLane(tenant: string, order: LaneOrder): Promise<readonly LaneRecord[]>;
  /**
   * Removes links from the lane (the workflow for many records), unless they changed or were woken since their work began. Returns keys of
   * removed links that are still due.
   */
  leaveLane(tenant: string, carried: readonly ProcessedRecord[]): Promise<readonly string[]>;
  /**
   * Moves a link from the lane (the workflow for many records) to its own workflow. A due link is marked due on the vendor's side. A link
   * that is not due, because it only has a report to users left, becomes due at `at`, so that it is woken even if the calling process dies.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
}
