import type { Cause } from '../../domain/loop/step.ts';
import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { LinkState } from '../../domain/record/link-state.ts';

/**
 * A record that the lane (the workflow for many records) has processed. It contains the link's change count, and the number of times that
 * the link was put into the lane, both from when the work began.
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
  /** The link's newest plan, if its outcome is known, so that it will never be sent again; else null. */
  readonly spentPlan: string | null;
  /**
   * Why the record needs its own workflow instead of the lane (the workflow for many records): a write has an unknown outcome, or a remote
   * did not answer. Null if the lane can process it.
   */
  readonly needsOwn: 'a write is open' | 'unanswered' | null;
};

export type LaneOrder = {
  /** Whether bulk work may be among the records; false once it has used up its share of the quota. */
  readonly withBulk: boolean;
  /**
   * Whether echoes (records that only wait to read Lockstep's own write back) may be among the records; false if no request is to spare.
   */
  readonly withEchoes: boolean;
  /** Keys of records that the lane (the workflow for many records) is processing, so that they are left out. */
  readonly excluding: readonly string[];
  /** Keys of the only records that are wanted. If absent, all records of the lane are. */
  readonly only?: readonly string[];
  readonly limit: number;
};

/** The records in a tenant's lane, which is one workflow that processes many records in one activity. */
export interface LaneLedger {
  /**
   * Puts links into the lane (the workflow for many records); if there are many, they count as a burst. If a link is there already for
   * another cause, or has older unsynced changes, its cause becomes `any`, so that both sides are read.
   */
  takeInLane(tenant: string, keys: readonly string[], cause: Cause): Promise<void>;
  /**
   * Returns the records that the lane (the workflow for many records) is to process next: normal work, then bulk work, then echoes (own
   * writes to read back); within each, the longest waiting first.
   */
  nextInLane(tenant: string, order: LaneOrder): Promise<readonly LaneRecord[]>;
  /**
   * Takes links out of the lane (the workflow for many records), except links that changed or were woken since the work on them began.
   * Returns the keys of links that were taken out but are still due.
   */
  leaveLane(tenant: string, carried: readonly ProcessedRecord[]): Promise<readonly string[]>;
  /**
   * Moves a link from the lane (the workflow for many records) to its own workflow. A due link is marked due on the vendor's side. A link
   * that is not due, because only its report to users is missing, becomes due at `at`, so that it is woken even if the calling process
   * dies.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
}
