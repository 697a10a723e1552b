import type { Cause } from '../../domain/loop/step.ts';
import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { LinkState } from '../../domain/record/link-state.ts';

/**
 * A record that the lane (the workflow for many records) has processed. Two numbers from the start of this work show later whether the
 * record changed meanwhile. `generation`: how many changes had been reported for the record. `laneGeneration`: how often the record had
 * been put into the lane.
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
  /**
   * The link's newest plan (decision), if it was already executed and its outcome is stored, so that it will never be sent again. Else
   * null.
   */
  readonly spentPlan: string | null;
  /**
   * Why the lane (the workflow for many records) must leave the record to a workflow of its own. `a write is open`: a write was sent and
   * its outcome is not known. `unanswered`: a remote system did not answer. Null if the lane can process the record.
   */
  readonly needsOwn: 'a write is open' | 'unanswered' | null;
};

export type LaneOrder = {
  /**
   * Whether `nextInLane` may return bulk work (records of a backfill or an undo). False once bulk work has used up its share of the
   * vendor's quota.
   */
  readonly withBulk: boolean;
  /**
   * Whether `nextInLane` may return echoes (records that only wait to read Lockstep's own write back). False if the vendor's quota has no
   * request to spare.
   */
  readonly withEchoes: boolean;
  /** Keys of records to leave out, because the lane (the workflow for many records) is processing them already. */
  readonly excluding: readonly string[];
  /**
   * Keys of the only records that `nextInLane` may return. If absent, it may return all records of the lane (the workflow for many
   * records).
   */
  readonly only?: readonly string[];
  readonly limit: number;
};

/** The records in a tenant's lane, which is one workflow that processes many records in one activity. */
export interface LaneLedger {
  /**
   * Puts links into the lane (the workflow for many records). `cause`: the side (CRM or vendor) whose change was reported. If a link is in
   * the lane already for another cause, or has older unsynced changes, its cause becomes `any`, so that Lockstep reads both sides. If
   * `keys` are many, their links count as a burst from now on: Lockstep may combine its requests about them.
   */
  takeInLane(tenant: string, keys: readonly string[], cause: Cause): Promise<void>;
  /**
   * Returns the records that the lane (the workflow for many records) is to process next: first work that is neither bulk work nor an echo,
   * then bulk work, then echoes (Lockstep's own writes to read back). Within each of the three, the record that waits longest comes first.
   */
  nextInLane(tenant: string, order: LaneOrder): Promise<readonly LaneRecord[]>;
  /**
   * Takes links out of the lane (the workflow for many records), except links that changed or were put into the lane again since the work
   * on them began. Returns the keys of links that were taken out but are still due.
   */
  leaveLane(tenant: string, carried: readonly ProcessedRecord[]): Promise<readonly string[]>;
  /**
   * Moves a link from the lane (the workflow for many records) to its own workflow. A link that is due already is marked so that Lockstep
   * reads the vendor again. A link whose changes are synced, but whose report to CRM users is missing, becomes due at `at`. The link is due
   * in both cases. So a periodic check signals its workflow even if the calling process dies before it sends the signal.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
}
