import type { Selectable, Updateable } from 'kysely';
import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { Base } from '../../domain/record/base.ts';
import type { Issue } from '../../domain/record/issue.ts';
import type { Link } from '../../domain/record/link.ts';
import { shownState } from '../../domain/record/link-state.ts';
import type { VendorObservation } from '../../domain/record/observation.ts';
import type { LinksTable } from '../core/database.ts';
import { openOrNull, type Place, place, type Sealer, sealOrNull } from '../core/sealer.ts';
import type { Store } from '../core/store.ts';
import type { LinkRow } from './link-ledger.ts';

export type StoredLink = Selectable<LinksTable>;

/**
 * The unencrypted columns of `links` that the ledger must read before it stores the outcome of a step, because the new values of other
 * columns depend on them.
 */
export const LINK_FACTS = [
  ...(['tenant', 'key', 'state', 'version', 'newest_plan', 'detached_at', 'candidates'] as const),
  ...(['generation', 'observed_generation', 'vendor_generation', 'vendor_observed_generation'] as const),
  ...(['due_since', 'marked_at', 'lane_generation', 'reported', 'reporting_by'] as const),
] as const;

export type LinkFacts = Pick<StoredLink, (typeof LINK_FACTS)[number]>;

/** Locks a link's row until the transaction ends, and returns it. */
export async function lockLink({ db }: Store, tenant: string, key: string): Promise<StoredLink | undefined> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
}

export function toLink(row: StoredLink, sealer: Sealer): Link {
  const at = (column: string) => place(row.tenant, 'links', column, row.key);
  return {
    tenant: row.tenant,
    key: row.key,
    crmId: row.crm_id,
    vendorId: row.vendor_id,
    state: row.state,
    base: openOrNull<Base>(sealer, row.base, at('base')),
    vendorObservation: openOrNull<VendorObservation>(sealer, row.vendor_observation, at('vendor_observation')),
    vendorInDoubt: row.vendor_in_doubt,
    adoptingSince: row.adopting_since?.toISOString() ?? null,
    generation: row.generation,
    observedGeneration: row.observed_generation,
    vendorDue: row.vendor_generation > row.vendor_observed_generation,
    issues: toIssues(row, sealer),
    failingSince: row.failing_since?.toISOString() ?? null,
    retryAt: row.retry_at?.toISOString() ?? null,
    reported: row.reported,
    waitingSince: row.waiting_since?.toISOString() ?? null,
    waitingFor: row.waiting_for,
    ...waitReported(row),
    ...(row.in_burst ? { inBurst: true } : {}),
    ...(row.lane === null ? {} : { inLane: true }),
    ...(row.first_pick === null ? {} : { firstPick: row.first_pick }),
    ...(row.former_ids.length === 0 ? {} : { formerIds: row.former_ids }),
    ...(row.linked_by === null || row.crm_id === null || row.vendor_id === null ? {} : { linkedBy: row.linked_by }),
    ...(row.refused_claim === null ? {} : { refusedClaim: row.refused_claim }),
    ...(row.restored_at === null ? {} : { restoredAt: row.restored_at.toISOString() }),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    ...(row.newest_plan === null ? {} : { newestPlan: row.newest_plan }),
  };
}

/**
 * The class (urgency) of the work on a link, computed from the link's columns. Several classes may fit at the same time: bulk work (an
 * operator started it), an echo (Lockstep only reads its own write back) and a burst (records that changed together). The first class that
 * fits, in this order, is returned; if none fits, the work is interactive.
 */
export function workOf(row: Pick<StoredLink, 'bulk_share' | 'echo_only' | 'in_burst'>): WorkClass {
  if (row.bulk_share !== null) return { bulk: row.bulk_share };
  if (row.echo_only) return 'echo';
  return row.in_burst ? 'burst' : 'interactive';
}

/**
 * The property `waitReportedSince` of a link: since when a report that says to CRM users that the record waits may be on its way. An empty
 * object if there is no such report.
 */
function waitReported({ reporting_since: since, reporting_by: by }: StoredLink): Pick<Link, 'waitReportedSince'> {
  return since === null || by !== 'wait' ? {} : { waitReportedSince: since.toISOString() };
}

/** The columns of `links` that a list of links needs. */
export const LISTED_COLUMNS = [
  ...(['tenant', 'key', 'crm_id', 'vendor_id', 'state'] as const),
  ...(['generation', 'observed_generation', 'issues', 'updated_at'] as const),
] as const;

export type ListedLink = Pick<StoredLink, (typeof LISTED_COLUMNS)[number]>;

export function toListRow(row: ListedLink, sealer: Sealer): LinkRow {
  return {
    tenant: row.tenant,
    key: row.key,
    crmId: row.crm_id,
    vendorId: row.vendor_id,
    state: shownState(row.state, row.generation !== row.observed_generation),
    due: row.generation !== row.observed_generation,
    issues: toIssues(row, sealer).map(({ said: _, ...issue }) => issue),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * The encrypted columns of a link, for an update, with the unencrypted columns that are computed from the same values. Absent values leave
 * their columns unchanged.
 */
export function sealedColumns(
  tenant: string,
  key: string,
  values: {
    readonly base?: Base | null | undefined;
    readonly vendorObservation?: VendorObservation | null | undefined;
    readonly issues?: readonly Issue[] | undefined;
  },
  sealer: Sealer,
): Updateable<LinksTable> {
  const at = (column: string) => place(tenant, 'links', column, key);
  const { base, vendorObservation, issues } = values;
  return {
    ...(base === undefined ? {} : { base: sealOrNull(sealer, base, at('base')) }),
    ...(vendorObservation === undefined
      ? {}
      : {
          vendor_observation: sealOrNull(sealer, vendorObservation, at('vendor_observation')),
          awaits_echo: vendorObservation?.optimistic !== undefined,
        }),
    ...(issues === undefined ? {} : issueColumns(issues, sealer, at('issues'))),
  };
}

/**
 * The columns for a link's issues (reasons why a record waits). The issues are encrypted, because they may contain text from a remote
 * system's answer (`said`), which may quote values of records. The codes are not encrypted.
 */
function issueColumns(issues: readonly Issue[], sealer: Sealer, where: Place): Updateable<LinksTable> {
  return {
    issues: issues.length === 0 ? null : sealer.seal(issues, where),
    issue_codes: [...new Set(issues.map((issue) => issue.code))],
    candidates: [...new Set(issues.flatMap((issue) => issue.candidates ?? []))],
  };
}

function toIssues(row: Pick<StoredLink, 'tenant' | 'key' | 'issues'>, sealer: Sealer): readonly Issue[] {
  return openOrNull<readonly Issue[]>(sealer, row.issues, place(row.tenant, 'links', 'issues', row.key)) ?? [];
}
