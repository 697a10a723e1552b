import { sql, type Updateable } from 'kysely';
import { DETACHED_STATES } from '../../domain/decide/mass-change.ts';
import { isSameReported } from '../../domain/decide/reported.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import { linkedByLines } from '../../domain/record/linked-by.ts';
import type { LinksTable } from '../core/database.ts';
import type { Store } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import { countUp, type Marked, releaseCandidates } from '../links/count-up.ts';
import { newsInsert } from '../links/deal-news.ts';
import { addJournal, journalInsert, type NewLine } from '../links/journal.ts';
import { type LinkFacts, lockLink, type StoredLink, sealedColumns, toLink } from '../links/link-row.ts';
import { changed, isSame } from '../links/link-version.ts';
import { aliasesOf, findLink } from '../links/links.ts';
import type { Settlement } from './plan-ledger.ts';
import { settledColumns } from './plans.ts';

/**
 * Stores the outcome of one step (such as a write) on a link, inside a transaction, and returns the link. If the link is superseded, stores
 * only the plan's outcome and the journal lines, and returns the link that now has the deal. The outcome is stale if another writer has
 * stored a newer plan, or if the link no longer has the version `expected`. For a stale outcome, the caller's function `ifStale` returns
 * the change to store instead. Then also stores the journal lines. Stores the plan's outcome too if the outcome is stale only because of a
 * newer plan. Throws LedgerError `UNKNOWN_LINK`, `UNKNOWN_PLAN` (also for a plan of another link) and `CHANGED`. `CHANGED` means: the link
 * no longer has the version `expected`, and it is superseded or `ifStale` is absent.
 */
export async function settle(store: Store, tenant: string, key: string, settlement: Settlement): Promise<Link> {
  const row = await lockLink(store, tenant, key);
  if (row === undefined) throw new LedgerError('UNKNOWN_LINK', 'There is no such link.');
  const { planId, expected, reportedBefore = row.reported } = settlement;
  if (expected !== undefined && !(isSame(row, expected) && isSameReported(row.reported, reportedBefore))) {
    if (settlement.ifStale === undefined || row.state === 'superseded') throw changed();
    await addJournal(store, tenant, key, settlement.journal ?? []);
    return settleStale(store, row, settlement);
  }
  const isNewest = planId === undefined || planId === row.newest_plan;
  if (isNewest && row.state !== 'superseded') return settleNewest(store, row, settlement);
  const isLate = planId !== undefined && (await settlePlan(store, row, planId, settlement.outcome));
  await addJournal(store, tenant, key, settlement.journal ?? []);
  if (row.state === 'superseded') return (await findLink(store, tenant, key)) as Link;
  if (isLate) return settleStale(store, row, settlement);
  const { planId: _, journal: __, ...rest } = settlement;
  return settleNewest(store, row, rest);
}

/**
 * Stores the plan's outcome, the journal lines and the link's new columns with one statement. Before, marks opportunities due that are no
 * longer possible matches of the vendor record. The caller has locked the link's row and checked that the plan is the newest.
 */
async function settleNewest(
  store: Store,
  row: StoredLink,
  { planId, outcome, journal = [], ...settlement }: Settlement,
): Promise<Link> {
  const change = changes(store, row, { ...settlement, journal });
  const { candidates: now = row.candidates } = change;
  const released = row.candidates.filter((crmId) => !now.includes(crmId));
  await releaseCandidates(store, row.tenant, released, settlement.at);
  const parts = [
    ...(planId === undefined ? [] : [sql`plan as (${settlingPlan(store, row, planId, outcome)} returning id)`]),
    ...(journal.length === 0 ? [] : [sql`lines as (${journalInsert(store, row.tenant, linesOf(row, journal))})`]),
    ...(settlement.news === undefined
      ? []
      : [
          sql`news as (${newsInsert(store, row.tenant, [{ key: row.key, news: settlement.news, at: settlement.at }])})`,
        ]),
  ];
  const { rows } = await sql<StoredLink & { readonly settled?: boolean }>`
    ${parts.length === 0 ? sql`` : sql`with ${sql.join(parts)}`} ${updating(store, row, change)}
    returning *${planId === undefined ? sql`` : sql`, exists (select from plan) as settled`}`.execute(store.db);
  const [updated] = rows as [StoredLink & { readonly settled?: boolean }];
  if (updated.settled === false) throw noSuchPlan();
  return toLink(updated, store.sealer);
}

function linesOf({ key }: StoredLink, journal: readonly JournalEntry[]): readonly NewLine[] {
  return journal.map((entry) => ({ key, entry }));
}

function updating({ db }: Store, { tenant, key }: StoredLink, change: Updateable<LinksTable>) {
  return db.updateTable('links').set(change).where('tenant', '=', tenant).where('key', '=', key);
}

/**
 * Handles a stale outcome: another writer has changed the link before the outcome could be stored. The caller of `settle` gives the
 * function `ifStale`, which computes from the present link the change to store instead. Stores only this change, and marks the link due so
 * that Lockstep reads the written record again. Stores nothing if `ifStale` is absent or returns null.
 */
async function settleStale(store: Store, row: StoredLink, { at, planId, ifStale }: Settlement): Promise<Link> {
  const link = toLink(row, store.sealer);
  const change = ifStale?.(link) ?? null;
  const ids = dueIds(row, planId);
  if (change === null || ids === null) return link;
  await countUp(store, row.tenant, { crmIds: [], vendorIds: [], together: [], ...ids }, at);
  return settleNewest(store, row, { ...change, at });
}

/**
 * Chooses the record that Lockstep reads again after a stale outcome (another writer changed the link first), and returns its id. This is
 * the record that was written, because its values are uncertain now. With `planId`, the outcome is that of a write at the vendor, so it is
 * the vendor record. Without `planId`, the outcome is that of a report to CRM users, so it is the opportunity. Null if the link has no such
 * record.
 */
function dueIds(
  { vendor_id, crm_id }: StoredLink,
  planId: string | undefined,
): Partial<Pick<Marked, 'crmIds' | 'vendorIds'>> | null {
  if (planId === undefined) return crm_id === null ? null : { crmIds: [crm_id] };
  return vendor_id === null ? null : { vendorIds: [vendor_id] };
}

/** Stores the outcome of a plan. Returns true if the outcome comes too late, because the plan's own link has a newer plan. */
async function settlePlan(
  store: Store,
  row: StoredLink,
  planId: string,
  outcome: string | undefined,
): Promise<boolean> {
  const { tenant, key, newest_plan } = row;
  // The outcome of a plan may arrive after its link was merged into another link. The plan then still has the key of its former link, which
  // is an alias.
  const settled = await settlingPlan(store, row, planId, outcome, aliasesOf(store, tenant, key))
    .returning('key')
    .executeTakeFirst();
  if (settled === undefined) throw noSuchPlan();
  return settled.key === key && newest_plan !== planId;
}

function settlingPlan(
  store: Store,
  { tenant, key }: StoredLink,
  planId: string,
  outcome: string | undefined,
  aliases: ReturnType<typeof aliasesOf> | null = null,
) {
  return store.db
    .updateTable('plans')
    .set(settledColumns(store, tenant, planId, outcome))
    .where('tenant', '=', tenant)
    .where('id', '=', planId)
    .where((where) =>
      aliases === null ? where('key', '=', key) : where.or([where('key', '=', key), where('key', 'in', aliases)]),
    );
}

function noSuchPlan(): LedgerError {
  return new LedgerError('UNKNOWN_PLAN', 'The link has no such plan.');
}

/** The columns of `links` that the outcome of a step changes, with their new values. */
export function changes(store: Store, row: LinkFacts, given: Settlement): Updateable<LinksTable> {
  const settlement = withReportDue(row, given);
  const { state } = settlement;
  const vendorDone = Math.max(row.vendor_observed_generation, settlement.vendorReadGeneration ?? 0);
  return {
    ...ownColumns(store, row, settlement),
    ...(state === undefined ? {} : { state, detached_at: detachedAt(row, state, settlement.at) }),
    ...reportingColumns(row, settlement),
    ...(settlement.plansNothing === true ? { newest_plan: null } : {}),
    vendor_observed_generation: vendorDone,
    ...(settlement.observedGeneration === undefined ? {} : doneColumns(row, settlement, vendorDone)),
  };
}

/**
 * Makes a new report to CRM users due (`reportDue`) if they see an outdated one. This concerns a step that changes nothing for CRM users.
 * For such a step, `noNewsAfter` is the last report that the writer knows. If another writer has sent a different report since (for
 * example, that the record waits), that report is outdated. Without `noNewsAfter` or without a different report, returns the outcome
 * unchanged.
 */
function withReportDue({ reported }: LinkFacts, settlement: Settlement): Settlement {
  const { noNewsAfter: known } = settlement;
  return known === undefined || isSameReported(known, reported) ? settlement : { ...settlement, reportDue: true };
}

/** The columns of `links` whose values follow from the outcome alone, whatever the row contains now. */
function ownColumns(
  { sealer }: Store,
  { tenant, key, version }: LinkFacts,
  settlement: Settlement,
): Updateable<LinksTable> {
  const { vendorInDoubt, adoptingSince, reported, refusedClaim, failingSince, retryAt } = settlement;
  return {
    updated_at: settlement.at,
    version: version + 1,
    ...(vendorInDoubt === undefined ? {} : { vendor_in_doubt: vendorInDoubt }),
    ...(adoptingSince === undefined ? {} : { adopting_since: adoptingSince }),
    ...(failingSince === undefined ? {} : { failing_since: failingSince }),
    ...(retryAt === undefined ? {} : { retry_at: retryAt }),
    ...(reported === undefined ? {} : { reported: JSON.stringify(reported) }),
    ...(refusedClaim === undefined
      ? {}
      : { refused_claim: refusedClaim === null ? null : JSON.stringify(refusedClaim) }),
    ...linkedByColumn(settlement),
    ...sealedColumns(tenant, key, settlement, sealer),
  };
}

/** The column `linked_by`, if the outcome's journal lines say how the pair came to be linked; else no column. */
function linkedByColumn({ journal = [] }: Settlement): Updateable<LinksTable> {
  const linkedBy = linkedByLines(journal);
  return linkedBy === null ? {} : { linked_by: JSON.stringify(linkedBy) };
}

/**
 * Columns about a report to CRM users whose result is not known yet. Changes nothing if an activity is sending a report which says that the
 * record waits (`reporting_by` is `wait`), because that activity stores the result of its report.
 */
function reportingColumns(
  { reporting_by: by }: LinkFacts,
  { at, observedGeneration, reportDue, isReported, laneGeneration }: Settlement,
): Updateable<LinksTable> {
  if (by === 'wait') return {};
  if (reportDue === true && laneGeneration === undefined) return unconfirmed(at);
  if (by === null) return {};
  return isReported === true || observedGeneration !== undefined ? CONFIRMED : unconfirmed(at);
}

function unconfirmed(at: string): Updateable<LinksTable> {
  return { reporting_since: at, reporting_by: 'record' };
}

const CONFIRMED: Updateable<LinksTable> = { reporting_since: null, reporting_by: null };

function detachedAt(row: LinkFacts, state: LinkState, at: string): string | null {
  return DETACHED_STATES.has(state) ? (row.detached_at?.toISOString() ?? at) : null;
}

/**
 * Columns that say how many of the link's reported changes are synced. This number never falls, and never exceeds the number of changes. A
 * change at the vendor counts as synced only after Lockstep has read the vendor. When all changes are synced, the link is not due any more
 * and leaves the lane (the workflow for many records), unless it was put into the lane again meanwhile.
 */
function doneColumns(
  row: LinkFacts,
  { observedGeneration = 0, laneGeneration, reportDue }: Settlement,
  vendorDone: number,
): Updateable<LinksTable> {
  const readable = row.vendor_generation > vendorDone ? row.vendor_generation - 1 : row.generation;
  const done = Math.max(row.observed_generation, Math.min(observedGeneration, row.generation, readable));
  if (done === row.observed_generation) return {};
  if (done === row.generation)
    return {
      ...{
        observed_generation: done,
        due_since: null,
        waiting_since: null,
        waiting_for: null,
        echo_only: false,
      },
      ...(row.lane_generation === laneGeneration && reportDue !== true ? { lane: null } : {}),
    };
  // The ledger counts reported changes and does not list them. So it knows only the time of the newest change that came during the work.
  const since = ((row.marked_at ?? row.due_since) as Date).toISOString();
  return { observed_generation: done, due_since: since, waiting_since: since, waiting_for: null };
}
