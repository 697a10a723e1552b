/** The tables as PostgreSQL has them (see `migrations/`). `Buffer` columns are sealed. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { OperationGroup, Quota } from '../../domain/loop/operation-groups.ts';
import type { Cause } from '../../domain/loop/step.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import type { WaitReason } from '../../domain/record/wait-reason.ts';

/** Read as Date, written as ISO string. */
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
  /** When the oldest unsettled mark was made; null when nothing is due. */
  due_since: MaybeInstant;
  /** When the oldest of what is not done yet was marked, however often it was woken since; null when nothing is due. */
  waiting_since: MaybeInstant;
  /** What it waits for, as the last failure of its work told; null where none has failed. */
  waiting_for: WaitReason | null;
  /** When the newest mark was made. */
  marked_at: MaybeInstant;
  issues: Buffer | null;
  /** Codes of `issues`, in clear, for counting and the view `parked`. */
  issue_codes: Generated<string[]>;
  /** Opportunities that `issues` name as candidates. */
  candidates: Generated<string[]>;
  refused_fingerprint: string | null;
  crm_refused_fingerprint: string | null;
  /** Since when nothing of a record that is parked for that could be carried on. */
  failing_since: MaybeInstant;
  /** When what waits is looked at again by itself; null where nothing waits. */
  retry_at: MaybeInstant;
  reported: string | null;
  /** When a person asked in the CRM for it to be looked at, as it was heeded last. */
  asked_at: MaybeInstant;
  /** The plan that may leave; null where the last decision writes nothing. */
  newest_plan: string | null;
  /** Since when the link is leaving, or has left; null while it flows. */
  detached_at: MaybeInstant;
  /** Whose value a person keeps of a field on which the two sides never agreed. */
  first_pick: PickedSide | null;
  /** The share of the vendor's quota that its requests come out of; null where they are not of bulk work. */
  bulk_share: number | null;
  /** The kept reading is from before our last write. */
  awaits_echo: Generated<boolean>;
  /** All that it is due for, as far as is known. */
  echo_only: Generated<boolean>;
  /** Since when users may be told of a wait without that being noted yet. */
  reporting_since: MaybeInstant;
  /** It was marked together with many others; says nothing where it is not due. */
  in_burst: Generated<boolean>;
  /** Its tenant's lane is to carry it, woken by this cause; null where its own workflow looks at it. */
  lane: Cause | null;
  /** How often it was given to the lane. */
  lane_generation: Generated<number>;
  /** When the ledger was brought back last that the link is in, or in which it was forgotten. */
  restored_at: MaybeInstant;
  updated_at: Instant;
};

export type AuditMarksTable = {
  tenant: string;
  key: string;
  vendor_at: MaybeInstant;
  crm_at: MaybeInstant;
  differs_at: MaybeInstant;
};

/** Pairs that a person has separated. */
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
  /** The day on which it may go. */
  expires_on: ColumnType<string, string, never>;
};

export type CursorsTable = {
  tenant: string;
  stream: string;
  position: JSONColumnType<object>;
  updated_at: Instant;
};

export type SeenRowsTable = { tenant: string; stream: string; row_id: string; stamp: Instant };

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
  /** Requests of bulk work in the window. */
  bulk_used: Generated<number>;
  window_start: Instant;
  window_end: Instant;
  window_seconds: number;
  /** The window was begun by us after the last known one ended, and no answer has confirmed it. */
  assumed: boolean;
};

/** `hour`: the begin of the hour in which calls were counted. */
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
  seen_rows: SeenRowsTable;
  deliveries: DeliveriesTable;
  quota: QuotaTable;
  pauses: PausesTable;
  crm_calls: CrmCallsTable;
};
