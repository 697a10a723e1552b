import type { Cause } from '../../domain/loop/step.ts';
import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { LinkState } from '../../domain/record/link-state.ts';

/** A record that the lane has processed. Its `generation` and lane count are those from the start of the work. */
export type ProcessedRecord = {
  readonly key: string;
  readonly generation: number;
  readonly laneGeneration: number;
};

export type LaneRecord = ProcessedRecord & {
  readonly state: LinkState;
  readonly work: WorkClass;
  readonly cause: Cause;
  /** Why only the record's own workflow can continue: a write has an unknown outcome, or a remote did not answer. Null if the lane can. */
  readonly needsOwn: 'a write is open' | 'unanswered' | null;
};

export type LaneOrder = {
  /** False: return no bulk work, because its share of the quota is used up. */
  readonly withBulk: boolean;
  /** False: return no records that only await their echo, because no request is spare. */
  readonly withEchoes: boolean;
  /** Keys of records that the lane is processing already. */
  readonly excluding: readonly string[];
  readonly limit: number;
};

/** The records that a tenant's lane processes. */
export interface LaneLedger {
  /** Adds links to the lane, many as a burst. The cause becomes `any` if the link has another cause or older open changes. */
  takeInLane(tenant: string, keys: readonly string[], cause: Cause): Promise<void>;
  /** The lane's next records, marked as begun: normal work, then bulk work, then echoes; within each, the longest waiting first. */
  nextInLane(tenant: string, order: LaneOrder): Promise<readonly LaneRecord[]>;
  /** Removes links from the lane, unless they were marked or woken since their work began. Returns keys of removed due links. */
  leaveLane(tenant: string, carried: readonly ProcessedRecord[]): Promise<readonly string[]>;
  /**
   * Moves a link from the lane to its own workflow. A due link is marked due on the vendor's side. A link that is not due has only a report
   * to users left; it becomes due at `at`, so that it is woken again if the waking process dies.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
}
