/** The types of the ledger's tables in PostgreSQL (see `migrations/`). `Buffer` columns are encrypted. */
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { OperationGroup, Quota } from '../../domain/loop/operation-groups.ts';
import type { Cause } from '../../domain/loop/step.ts';
import type { RefusedClaim } from '../../domain/record/claim.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { LinkedBy } from '../../domain/record/linked-by.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { WaitReason } from '../../domain/record/wait-reason.ts';

/** A timestamp column. Queries return a Date; statements write an ISO string. */
type Instant = ColumnType<Date, string, string>;
type MaybeInstant = ColumnType<Date | null, string | null, string | null>;

export type LinksTable = {
  tenant: string;
  key: string;
  crm_id: string | null;
  vendor_id: string | null;
  state: LinkState;
  base: Buffer | null;
  vendor_observation: Buffer | null;
  vendor_in_doubt: Generated<Link['vendorInDoubt']>;
  adopting_since: MaybeInstant;
  generation: Generated<number>;
  vendor_generation: Generated<number>;
  vendor_observed_generation: Generated<number>;
  observed_generation: Generated<number>;
  /**
   * Since when the link is due, which means that one of its two records has a change to sync. When Lockstep signals the link's workflow, it
   * sets this time to the time of the signal, so that the search for overdue links does not signal the workflow again at once. Null if the
   * link is not due.
   */
  due_since: MaybeInstant;
  /**
   * Since when the link's oldest unsynced change waits. Unlike `due_since`, this time does not move when the link's workflow is signalled.
   * Null if no change waits, also while the link is due only for a retry.
   */
  waiting_since: MaybeInstant;
  /** Why the last attempt to sync the link failed; null if it did not fail. */
  waiting_for: WaitReason | null;
  /** When a change of one of the link's two records was last reported to Lockstep. */
  marked_at: MaybeInstant;
  issues: Buffer | null;
  /**
   * The codes of the link's issues (reasons why a record waits). They are stored unencrypted beside the encrypted `issues`, so that SQL can
   * count them and the view `parked` can show them.
   */
  issue_codes: Generated<string[]>;
  /** CRM ids of the opportunities that may match the link's vendor record, as the link's issues name them. */
  candidates: Generated<string[]>;
  /**
   * Since when every attempt to sync the record has failed. Stored only once Lockstep gives up quick retries because of these failures; the
   * value is then still the earlier instant when the failures began. Null while the remote systems answer.
   */
  failing_since: MaybeInstant;
  /** When Lockstep retries the record automatically; null if no retry is planned. */
  retry_at: MaybeInstant;
  /** The sync state that CRM users see of the record, as far as the ledger knows. Null if no report about the record was ever sent. */
  reported: ColumnType<Reported | null, string | null, string | null>;
  /** The time of the newest sync request by a CRM user that Lockstep accepted. */
  asked_at: MaybeInstant;
  /**
   * The id of the newest plan (a decision with the values to send). Lockstep sends no older plan, because an older plan is based on
   * outdated records. Null if the last decision was to write nothing.
   */
  newest_plan: string | null;
  /** When the sync of the link stopped, or when Lockstep found that the sync is about to stop. Null while the link is synced. */
  detached_at: MaybeInstant;
  /** The side whose value an operator prefers in fields on which the two sides never agreed; null if no side is preferred. */
  first_pick: PickedSide | null;
  /** The CRM ids that the deal had before, oldest first: of its leads, and of its opportunities in previous orgs. */
  former_ids: Generated<string[]>;
  /** The newest of the CRM ids in `former_ids`. Only workers of the previous release read this column. */
  moved_from: string | null;
  /**
   * How the CRM record and the vendor record came to be linked; null for a record without a counterpart, and for pairs that an earlier
   * release linked.
   */
  linked_by: ColumnType<LinkedBy | null, string | null | undefined, string | null>;
  /** The vendor id that a user entered in the opportunity and Lockstep refused; null if none was refused. */
  refused_claim: ColumnType<RefusedClaim | null, string | null, string | null>;
  /**
   * The share of the vendor's quota that the link's requests may use, from 0 to 1, if the link is part of bulk work (a backfill or an
   * undo). Null if it is not.
   */
  bulk_share: number | null;
  /**
   * True if Lockstep has written to the vendor since it stored `vendor_observation` (the last vendor reading). Lockstep must then read its
   * own write back (the "echo").
   */
  awaits_echo: Generated<boolean>;
  /** Whether the link is due only because Lockstep's own write must be read back. */
  echo_only: Generated<boolean>;
  /**
   * Since when a report to CRM users (the message on the record about its sync) is about to be sent or is being sent. Null once the result
   * of the report is stored.
   */
  reporting_since: MaybeInstant;
  /**
   * Which work sends the report whose result is not stored yet: `record` (the sync of the record), or `wait` (the activity that reports to
   * users that a record waits). Null if there is no such report.
   */
  reporting_by: 'record' | 'wait' | null;
  /** Whether the link became due together with many others. Has no meaning while the link is not due. */
  in_burst: Generated<boolean>;
  /**
   * The side whose change made the link due, if the tenant's lane (the workflow for many records) syncs the link. Null if the lane does not
   * sync it.
   */
  lane: Cause | null;
  /**
   * How often the link was added to the lane, the tenant's workflow for many records. It shows whether the link was added again during the
   * work on it.
   */
  lane_generation: Generated<number>;
  /** When the ledger was last restored from a backup that may contain an older state of the link; null if never. */
  restored_at: MaybeInstant;
  updated_at: Instant;
  /**
   * A counter for optimistic locking. A writer compares it with the value that it has read, to notice that another writer has changed the
   * link. Each statement that sets `updated_at` must also raise the counter, by `changedAt`; the database does not do so.
   */
  version: Generated<number>;
  /**
   * True if `lane` is set, which means that the link is in the lane (the tenant's workflow for many records). PostgreSQL computes it.
   * Indexes use it.
   */
  in_lane: GeneratedAlways<boolean>;
  /**
   * The hour (UTC) of `updated_at`. PostgreSQL computes it. An index contains it instead of `updated_at`, so that most updates change no
   * index.
   */
  updated_hour: GeneratedAlways<Date>;
};

export type AuditMarksTable = {
  tenant: string;
  key: string;
  vendor_at: MaybeInstant;
  crm_at: MaybeInstant;
  differs_at: MaybeInstant;
};

/** Pairs of records that an operator separated with `lockstep unlink`. */
export type BarredPairsTable = { tenant: string; crm_id: string; vendor_id: string; at: Instant };

export type LinkAliasesTable = { tenant: string; alias: string; key: string; at: Instant };

export type PlansTable = {
  tenant: string;
  id: string;
  key: string;
  created_at: Instant;
  crm_read_at: MaybeInstant;
  vendor_read_at: MaybeInstant;
  graph: Buffer | null;
  generation: number;
  next: string;
  plan: Buffer;
  sent_at: MaybeInstant;
  outcome: string | null;
};

export type JournalTable = {
  seq: Generated<string>;
  tenant: string;
  key: string;
  id: string;
  at: Instant;
  kind: JournalEntry['kind'];
  summary: JSONColumnType<JournalEntry['summary']>;
  decisions: Buffer | null;
  /** The first day on which the journal line may be deleted. */
  expires_on: ColumnType<string, string, never>;
};

export type CursorsTable = {
  tenant: string;
  stream: string;
  position: JSONColumnType<object>;
  updated_at: Instant;
};

export type DeliveriesTable = {
  tenant: string;
  id: string;
  source: string;
  keys: string[];
  received_at: Instant;
  signalled_at: MaybeInstant;
};

export type QuotaTable = {
  tenant: string;
  domain: Quota;
  quota_limit: number | null;
  remaining: number | null;
  /** How many requests of bulk work (a backfill or an undo) were sent in the quota's current window. */
  bulk_used: Generated<number>;
  window_start: Instant;
  window_end: Instant;
  window_seconds: number;
  /**
   * True if the quota's current window is an assumption: the last window that the vendor reported has ended, and the vendor has reported
   * none since.
   */
  assumed: boolean;
};

/**
 * Counts of Salesforce API calls, by tenant and hour. `hour`: the start of the hour. `calls`: Lockstep's own calls. `used` and `org_limit`:
 * the org's call count and daily limit that Salesforce last reported in this hour, at `reported_at`; null if it reported none.
 */
export type CrmCallsTable = {
  tenant: string;
  hour: Instant;
  calls: number;
  used: number | null;
  org_limit: number | null;
  reported_at: MaybeInstant;
};

export type PausesTable = { tenant: string; domain: OperationGroup; reason: string; since: Instant };

export type Database = {
  links: LinksTable;
  link_aliases: LinkAliasesTable;
  barred_pairs: BarredPairsTable;
  audit_marks: AuditMarksTable;
  plans: PlansTable;
  journal: JournalTable;
  cursors: CursorsTable;
  deliveries: DeliveriesTable;
  quota: QuotaTable;
  pauses: PausesTable;
  crm_calls: CrmCallsTable;
};
