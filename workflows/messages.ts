/** Inputs, signals and queries of workflows, as plain JSON. Clients import this file, never a workflow. */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { PeriodProgress } from '../src/domain/audit/audit-period.ts';
import type { AuditTotals } from '../src/domain/audit/audit-result.ts';
import type { BackfillOrder } from '../src/domain/backfill/backfill.ts';
import type { OwnPace } from '../src/domain/backfill/pace.ts';
import type { BackfillProgress } from '../src/domain/backfill/progress.ts';
import type { UndoCounts, UndoRunOrder } from '../src/domain/backfill/undo-run.ts';
import type { KeyProof } from '../src/domain/loop/key-proof.ts';
import type { OperationGroup } from '../src/domain/loop/operation-groups.ts';
import type { Cause, SyncState } from '../src/domain/loop/step.ts';
import type { WorkClass } from '../src/domain/loop/work-class.ts';
import type { LinkState } from '../src/domain/record/link-state.ts';
import type { CrmPosition } from '../src/domain/streams/crm-cursor.ts';

export type SyncOpportunityInput = {
  readonly tenant: string;
  /** The key of the record's link (the stored pair of CRM record and vendor record); also the last part of the workflow id. */
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  /** The record's state when the workflow run started, from its search attribute in Temporal; null if it had none. */
  readonly syncState: LinkState | null;
  /** True if the record is parked (left to a later retry) because a remote did not answer. */
  readonly isUnanswered?: true;
  /** True if a `recordWaits` workflow is running for the record, which shows in Temporal that the record waits for a person. */
  readonly isShownWaiting?: true;
  /** The class (urgency) of the work. Absent in inputs of older versions, where the class is `interactive`. */
  readonly work?: WorkClass;
  /**
   * The state of the record's state machine that the previous workflow run passed on at the end of a wait, because its history was long or
   * newer workers had started. Absent in the first run.
   */
  readonly carried?: SyncState;
};

export type Wake = { readonly cause: Cause } & Pick<SyncOpportunityInput, 'work'>;

/**
 * Signals `guardTenant` (the workflow that watches a paused operation group) that further records wait for the end of the pause, so that
 * CRM users must be notified of them.
 */
export const workWaitsSignal = defineSignal('workWaits');
/**
 * Signals that an operator ends the current wait of `guardTenant` (the workflow that watches a paused operation group), of a record's
 * workflow or of a lane (the workflow for many records).
 */
export const probeNowSignal = defineSignal('probeNow');

/**
 * Signals a record's workflow that the record must be read. Webhooks, polls, sweeps (queries for changes in the CRM) and operators send it.
 */
export const wakeSignal = defineSignal<[Wake]>('wake');

export type LaneCounts = {
  readonly processed: number;
  /** How many records the lane (the workflow for many records) left to their own workflows. */
  readonly delegated: number;
};

/** The input of the lane, the workflow for many records. `soFar`: the counts that the previous run passed on when its history was long. */
export type SyncOpportunitiesInput = TenantInput & { readonly soFar?: LaneCounts };

/** Signals the lane, a tenant's workflow for many records, that the ledger (Lockstep's database) has records for it. */
export const laneSignal = defineSignal('recordsWait');

/**
 * Signals a stream's workflow that a user's request waits in the CRM, so that the stream (a regular read of changed rows) must be read
 * again.
 */
export const requestSignal = defineSignal('request');

/** A record's state, with the code and field of each issue. */
export type RecordStatus = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly issues: readonly string[];
};

export type RecordWaitsInput = RecordStatus & { readonly tenant: string; readonly key: string };

/**
 * Sends a `recordWaits` workflow the current status of its record. If the record does not wait for a person any more, the workflow ends.
 * Sent after each sync of a record that waits for a person, or waited before.
 */
export const statusSignal = defineSignal<[RecordStatus]>('status');

export type SyncStatus = {
  readonly phase: string;
  readonly syncState: LinkState | null;
  readonly doing: string;
  readonly failures: number;
};

export const statusQuery = defineQuery<SyncStatus>('status');

/**
 * The shard (group of tenants) to read: its number (`shard`, from 0), the number of all shards (`of`), and how long to read it (`forMs`, in
 * ms).
 */
export type ShardInput = { readonly shard: number; readonly of: number; readonly forMs: number };

export type TenantInput = { readonly tenant: string };

export type GuardProgress = {
  readonly probes: number;
  /** How long to wait before the next probe, in ms. */
  readonly waitMs: number;
  /**
   * When the remote system was found to work again, ISO; null until then. `guardTenant` wakes the workflows of records that became due
   * before this instant.
   */
  readonly recoveredAt: string | null;
  readonly drained: number;
};

export type GuardTenantInput = {
  readonly tenant: string;
  readonly group: OperationGroup;
  /** The progress that the previous workflow run passed on when its history was long; absent in the first run. */
  readonly carried?: GuardProgress;
};

export type BackfillInput = TenantInput & {
  readonly order: BackfillOrder;
  /**
   * The part of the state that the previous workflow run passed on when its history was long, such as the measured speed. Absent in the
   * first run.
   */
  readonly carried?: BackfillCarried;
};

export type BackfillCarried = {
  readonly run: string;
  readonly workedMs: number;
  /** The measured request pace of the backfill. Absent if the previous run had measured none. */
  readonly pace?: OwnPace;
  readonly isPaused: boolean;
};

export type BackfillStatus = BackfillProgress & {
  readonly order: BackfillOrder;
  readonly state: 'running' | 'paused' | 'waiting' | 'done' | 'cancelled';
};

/** An operator's order to pause the backfill. The backfill then starts no more records; records that have begun are finished. */
export const pauseBackfillSignal = defineSignal('pauseBackfill');
export const resumeBackfillSignal = defineSignal('resumeBackfill');
/** An operator's order to end the backfill. Records that were synced stay as they are. */
export const cancelBackfillSignal = defineSignal('cancelBackfill');
export const backfillQuery = defineQuery<BackfillStatus>('backfill');

export type UndoInput = TenantInput & {
  readonly order: UndoRunOrder;
  /** The id of the workflow run that began the undo; it identifies the undo. Absent in that first run. */
  readonly run?: string;
};

export type UndoStatus = UndoCounts & {
  readonly order: UndoRunOrder;
  readonly state: 'running' | 'waiting' | 'done' | 'cancelled';
};

/**
 * Signals an operator's order to end the undo, which restores the values that past writes replaced. Old values that are already stored on
 * records for the undo are still written.
 */
export const cancelUndoSignal = defineSignal('cancelUndo');
export const undoQuery = defineQuery<UndoStatus>('undo');

/** The progress of the rotation (change) of an API key. It contains the new key's hash, which may be shown (order spec 5.3), but no key. */
export type RotationStatus = {
  readonly phase: 'generating' | 'waiting' | 'confirmed' | 'aborted' | 'refused';
  readonly hashedKey: string | null;
  /**
   * How many requests for a new key got no answer. If the vendor made a key for such a request, this key is never used, because Lockstep
   * did not receive it.
   */
  readonly lostAnswers: number;
  readonly reminders: number;
  /** How often the new key was tested on an operator's order. `proof`: the last result. */
  readonly proofs: number;
  readonly proof?: { readonly sales: KeyProof; readonly order: KeyProof };
};

/** An operator's confirmation that the vendor has registered the new key's hash. */
export const confirmKeySignal = defineSignal('confirmKey');
/** An operator's order to discard the new key. */
export const abortKeySignal = defineSignal('abortKey');
export const rotationQuery = defineQuery<RotationStatus>('rotation');

export type AuditProgress = {
  /**
   * The phase of the audit. `vendor`: searches at the vendor. `crm`: pages of the CRM. `crm-rest` and `vendor-rest`: single reads of
   * records that no page and no search has covered.
   */
  readonly phase: 'vendor' | 'crm' | 'crm-rest' | 'vendor-rest' | 'ended';
  readonly startedAt: string;
  /**
   * How many milliseconds it may take at most until the vendor's search shows a change. A search proves nothing about changes that are more
   * recent.
   */
  readonly lateMs: number;
  /**
   * How many pairs of an opportunity and a vendor record were linked when the audit began. `seen`: how many of these pairs a vendor search
   * has shown.
   */
  readonly pairs: number;
  readonly seen: number;
  readonly periods: PeriodProgress;
  readonly position: CrmPosition;
  /** The key of the last record in the previous list; the next list begins after it. */
  readonly after: string;
  readonly totals: AuditTotals;
};

export type AuditInput = {
  readonly tenant: string;
  /** Whether the audit queues records that differ for a sync, which repairs them. If not, it only counts them. */
  readonly repairs: boolean;
  /** The maximum number of records that the audit may queue for a sync. */
  readonly cap?: number;
  /** The progress that the previous workflow run passed on when its history was long; absent in the first run. */
  readonly carried?: AuditProgress;
};

export const auditQuery = defineQuery<AuditProgress | null>('audit');
