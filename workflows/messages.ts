/** What workflows are started with, signalled and asked: plain JSON. Clients import this file, never a workflow. */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { PeriodProgress } from '../src/domain/audit/audit-period.ts';
import type { AuditTotals } from '../src/domain/audit/audit-result.ts';
import type { BackfillOrder } from '../src/domain/backfill/backfill.ts';
import type { OwnPace } from '../src/domain/backfill/pace.ts';
import type { BackfillProgress } from '../src/domain/backfill/progress.ts';
import type { KeyProof } from '../src/domain/loop/key-proof.ts';
import type { OperationGroup } from '../src/domain/loop/operation-groups.ts';
import type { Cause, SyncState } from '../src/domain/loop/step.ts';
import type { LinkState } from '../src/domain/record/link-state.ts';
import type { CrmPosition } from '../src/domain/streams/crm-cursor.ts';

export type SyncOpportunityInput = {
  readonly tenant: string;
  /** The link's key; also the last part of the workflow id. */
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  /** Where the record stood when the run was started, as its search attribute says. */
  readonly syncState: LinkState | null;
  /** The record is parked for want of an answer. */
  readonly isUnanswered?: true;
  /** `recordWaits` shows the record as one that waits for a person. */
  readonly isShownWaiting?: true;
  /** It is of bulk work, which comes after all other and takes no more than this share of the vendor's quota. */
  readonly share?: number;
  /** It was told of with many others: nobody waits for it in particular, and it comes after what was told of alone. */
  readonly inBurst?: true;
  /** As far as is known, it is to be read for nothing but a write of ours: that takes of the vendor's quota what is spare, after all other. */
  readonly isEcho?: true;
  /** Where the run before this one stood when its history had become long: at the end of a wait. */
  readonly carried?: SyncState;
};

/** What a record that nobody waits for is told as. See `SyncOpportunityInput`. */
export type AfterOthers = Pick<SyncOpportunityInput, 'share' | 'inBurst' | 'isEcho'>;
export type Wake = { readonly cause: Cause } & AfterOthers;

/** Whether what somebody waits for goes first. */
export function comesAfterOthers({ share, inBurst, isEcho }: AfterOthers): boolean {
  return share !== undefined || inBurst === true || isEcho === true;
}

/** Something that a paused group stops waits now: its users have to be told. Sent to the group's guard. */
export const workWaitsSignal = defineSignal('workWaits');
/** A person ends the wait that a guard, a record or a lane is in: for the next probe, for a quota, for another try. */
export const probeNowSignal = defineSignal('probeNow');

/** "Look at this record again": sent by webhooks, polls, sweeps and operators, all alike. */
export const wakeSignal = defineSignal<[Wake]>('wake');

/** How far a run of the lane has come. */
export type LaneCounts = {
  /** Records that it has carried to their end. */
  readonly processed: number;
  /** Records that were left to their own workflows. */
  readonly delegated: number;
};

/** `soFar`: what the run before this one did, when its history had become long. */
export type SyncOpportunitiesInput = TenantInput & { readonly soFar?: LaneCounts };

/** Records were given to the lane, as the ledger tells. */
export const laneSignal = defineSignal('recordsWait');

/** Where a record stands: its state, and of each issue the code and the field. */
export type RecordStatus = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly issues: readonly string[];
};

export type RecordWaitsInput = RecordStatus & { readonly tenant: string; readonly key: string };

/** Where a record that waits for a person stands now. Sent by what has looked at it. */
export const statusSignal = defineSignal<[RecordStatus]>('status');

export type SyncStatus = {
  readonly phase: string;
  readonly syncState: LinkState | null;
  readonly doing: string;
  readonly failures: number;
};

export const statusQuery = defineQuery<SyncStatus>('status');

/** A shard of the tenants, counted from 0, of so many; and for how long it is read. */
export type ShardInput = { readonly shard: number; readonly of: number; readonly forMs: number };

export type TenantInput = { readonly tenant: string };

/** How far a guard has come. */
export type GuardProgress = {
  readonly probes: number;
  /** Before the next probe. */
  readonly waitMs: number;
  /** When the group answered again: older due records are drained. Null while it does not. */
  readonly recoveredAt: string | null;
  readonly drained: number;
};

export type GuardTenantInput = {
  readonly tenant: string;
  readonly group: OperationGroup;
  /** Where the run before this one stood when its history had become long. */
  readonly carried?: GuardProgress;
};

export type BackfillInput = TenantInput & {
  readonly order: BackfillOrder;
  /** Tells it from others of the tenant; also where the run before this one stood when its history had become long. */
  readonly carried?: BackfillCarried;
};

export type BackfillCarried = {
  readonly run: string;
  readonly workedMs: number;
  /** Absent where the run before this one knew of none. */
  readonly pace?: OwnPace;
  readonly isPaused: boolean;
};

/** Where a tenant's backfill stands. */
export type BackfillStatus = BackfillProgress & {
  readonly order: BackfillOrder;
  readonly state: 'running' | 'paused' | 'waiting' | 'done' | 'cancelled';
};

/** A person has a backfill take in nothing more until it is told to go on. What is under way finishes. */
export const pauseBackfillSignal = defineSignal('pauseBackfill');
export const resumeBackfillSignal = defineSignal('resumeBackfill');
/** A person ends it. What was brought in stays. */
export const cancelBackfillSignal = defineSignal('cancelBackfill');
export const backfillQuery = defineQuery<BackfillStatus>('backfill');

/** Where the rotation of a tenant's API key stands. No key is here; its hash may be shown (order spec 5.3). */
export type RotationStatus = {
  readonly phase: 'generating' | 'waiting' | 'confirmed' | 'aborted' | 'refused';
  readonly hashedKey: string | null;
  /** Requests for a key whose answer may be lost; what they made is never registered. */
  readonly lostAnswers: number;
  readonly reminders: number;
  /** How often a person has had the new key tried, and what came of it last. */
  readonly proofs: number;
  readonly proof?: { readonly sales: KeyProof; readonly order: KeyProof };
};

/** A person says that the vendor has registered the hash. */
export const confirmKeySignal = defineSignal('confirmKey');
/** A person wants the new key forgotten. */
export const abortKeySignal = defineSignal('abortKey');
export const rotationQuery = defineQuery<RotationStatus>('rotation');

/** How far an audit has come. */
export type AuditProgress = {
  /** Searches at the vendor, pages of the CRM, then what neither showed as it should be. */
  readonly phase: 'vendor' | 'crm' | 'crm-rest' | 'vendor-rest' | 'ended';
  readonly startedAt: string;
  /** How late a change may show itself in a search. */
  readonly lateMs: number;
  /** Linked pairs when it began, and those that a search has shown. */
  readonly pairs: number;
  readonly seen: number;
  readonly periods: PeriodProgress;
  readonly position: CrmPosition;
  /** The key after which the rest is read next. */
  readonly after: string;
  readonly totals: AuditTotals;
};

export type AuditInput = {
  readonly tenant: string;
  /** Whether what differs is marked due. */
  readonly repairs: boolean;
  /** How many records at most. */
  readonly cap?: number;
  /** Where the run before this one stood when its history had become long. */
  readonly carried?: AuditProgress;
};

export const auditQuery = defineQuery<AuditProgress | null>('audit');
