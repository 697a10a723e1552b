import type { SealFailure } from '../platform/seal-failures.ts';
import type { Sealing } from '../platform/sealing.ts';
import { adopt } from './adopt.ts';
import type { AuditLedger } from './audit-ledger.ts';
import { auditedLinks, countDiffering, noteAudited, unauditedPairs } from './audit-marks.ts';
import {
  advanceBackfill,
  closeBackfill,
  countBackfill,
  noteFound,
  noteMatched,
  noteWoken,
  openBackfill,
  toMatch,
} from './backfill.ts';
import type { BackfillLedger } from './backfill-ledger.ts';
import { barredFrom } from './barred-pairs.ts';
import type { CatalogLedger } from './catalog-ledger.ts';
import {
  commitShown,
  countCatalog,
  keepMembers,
  keepShown,
  knownRows,
  leaveUnseen,
  markEdited,
  nextFollowed,
  noteGiven,
  readyRows,
} from './catalog-rows.ts';
import { connect } from './connect.ts';
import { countByIssue, countByState } from './count-links.ts';
import { countMirrored, mirroredObjects } from './count-mirrored.ts';
import { cursorCalls } from './cursor-calls.ts';
import { moveCursor } from './cursors.ts';
import { createDataKeys, fetchingKeys } from './data-keys.ts';
import { markSignalled, recordDeliveries } from './deliveries.ts';
import { countLinked, noteDetaching } from './detaching.ts';
import { countOnTheirWay, dueKeys, dueTogether, markDue, markRetries, markWoken } from './due.ts';
import { markDetails, nextDetail, postponeDetail } from './due-details.ts';
import { dueTotals, settleTotals } from './due-totals.ts';
import { figures } from './figures.ts';
import { fleetCalls } from './fleet.ts';
import { acceptSyncRequest, forgetRefusals } from './forget-refusals.ts';
import { addJournal, readJournal } from './journal.ts';
import type { KeyLedger } from './key-ledger.ts';
import { laneCalls } from './lane.ts';
import type { Ledger } from './ledger.ts';
import { LedgerError, toLedgerError } from './ledger-error.ts';
import {
  activeCrmIds,
  findLink,
  findLinkByIds,
  linkedPairs,
  linkStatuses,
  listLinks,
  vendorIdsNotMarkedSince,
  waitingFor,
} from './links.ts';
import { pendingMigrations } from './migrate.ts';
import type { MirrorLedger } from './mirror-ledger.ts';
import { keepDetail, mirrorRows, pendingRows, unlinkedRows } from './mirror-rows.ts';
import { mirrorWork } from './mirror-work.ts';
import { markInDoubt, markLeaving, renewInDoubt, settleMirrored } from './mirror-writes.ts';
import type { NewsLedger } from './news-ledger.ts';
import { ownCalls } from './own-calls.ts';
import { parkRows, streamReads } from './parked-rows.ts';
import type { PauseLedger } from './pause-ledger.ts';
import { pause, pausedTenants, pauses, pausesAndCursors, resume } from './pauses.ts';
import { pickSide } from './pick-side.ts';
import { lastSentAt, loadPlan, markSent, savePlan } from './plans.ts';
import { quotaCalls, quotas } from './quota.ts';
import { refusedRows, retryRefusedRows, settleRows } from './refused-rows.ts';
import { resolveKnown, resolveLink } from './resolve-link.ts';
import { keepRetention } from './retention.ts';
import { dueNotices, refusedNotices, rowState, settleNotice } from './row-news.ts';
import { pagedCalls, sealingCalls } from './sealing-calls.ts';
import { connectionLimit } from './server-limit.ts';
import { settle } from './settle.ts';
import { settleAtOnce } from './settle-at-once.ts';
import { despiteRaces, inTransaction, plainly, type Store } from './store.ts';
import { tenantCalls } from './tenants.ts';
import { unlink } from './unlink.ts';
import { askForKey, dropKey, keepKey, proveKey, setKey, switchKey, vendorKeys } from './vendor-keys.ts';
import { countWaiting, noteReported, noteWaiting, unconfirmedReports, unreportedWaiting } from './waiting.ts';
import { watchCalls } from './watch-calls.ts';

export type OpenLedgerOptions = {
  readonly url: string;
  /** By the process's sealing keys. */
  readonly sealing: Sealing;
  /** The same by what the file of these keys has by now; absent where it does not change. */
  readonly renewSealing?: () => Promise<Sealing>;
  /** Is told of each value that does not open. */
  readonly onSealFailure?: (failure: SealFailure) => void;
  /** Connections held at most, default 10; never more than half of what the server lets all processes have together. */
  readonly poolSize?: number;
  /** False: no statement is prepared. */
  readonly prepares?: boolean;
};

/**
 * The ledger on PostgreSQL. All its failures are LedgerError; one whose `transient` is true may be repeated.
 *
 * Throws LedgerError: unreachable, or `NOT_MIGRATED` when the database lacks migrations of this version.
 */
export async function openLedger(options: OpenLedgerOptions): Promise<Ledger> {
  const poolSize = Math.min(options.poolSize ?? 10, await usableConnections(options.url));
  const db = connect({ url: options.url, poolSize, prepares: options.prepares ?? true });
  const { sealing, renewSealing = async () => sealing, onSealFailure: onFailure } = options;
  const sealer = createDataKeys(db, { now: sealing, renew: renewSealing }, { onFailure });
  const store: Store = { db, sealer };
  const calls: Calls = {
    ...linkCalls(store),
    ...workCalls(store),
    ...intakeCalls(store),
    ...cursorCalls(store),
    ...mirrorCalls(store),
    ...newsCalls(store),
    ...catalogCalls(store),
    ...keyCalls(store),
    ...auditCalls(store),
    ...backfillCalls(store),
    ...laneCalls(store),
    ...tenantCalls(store),
    ...watchCalls(store),
    ...fleetCalls(store),
    ...gateCalls(store),
    ...sealingCalls(store),
    ...ownCalls(store),
  };
  return { ...fetchingKeys(calls, sealer, onFailure), ...pagedCalls(store, renewSealing) };
}

type Paged = 'exportTenant' | 'reseal';
type Calls = Omit<Ledger, Paged>;

/** Half of what the server allows, once the database is of this version. */
async function usableConnections(url: string): Promise<number> {
  const db = connect({ url, poolSize: 1 });
  try {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) {
      throw new LedgerError(
        'NOT_MIGRATED',
        `The ledger's database lacks ${pending.length} migration(s), first "${pending[0]}": run "lockstep migrate".`,
      );
    }
    return Math.max(1, Math.floor((await connectionLimit(db)) / 2));
  } catch (error) {
    throw toLedgerError(error);
  } finally {
    await db.destroy();
  }
}

type LinkCalls =
  | 'noteDetaching'
  | 'countLinked'
  | 'linkStatuses'
  | 'activeCrmIds'
  | 'waitingFor'
  | 'linkedPairs'
  | 'adopt'
  | 'unlink'
  | 'barredFrom'
  | 'vendorIdsNotMarkedSince'
  | 'resolveLink'
  | 'findLink'
  | 'findLinkByIds'
  | 'listLinks'
  | 'countByState'
  | 'figures'
  | 'countByIssue'
  | 'journal'
  | 'addToJournal';
function linkCalls(store: Store): Pick<Ledger, LinkCalls> {
  return {
    async resolveLink(tenant, ids, at, fence) {
      const known = await plainly(() => resolveKnown(store, tenant, ids, fence));
      return known ?? inTransaction(store, (tx) => resolveLink(tx, tenant, ids, at, fence));
    },
    noteDetaching: (tenant, key, at, since) => plainly(() => noteDetaching(store, tenant, key, at, since)),
    countLinked: (tenant, since, limit) => plainly(() => countLinked(store, tenant, since, limit)),
    linkedPairs: (tenant, afterKey, limit) => plainly(() => linkedPairs(store, tenant, afterKey, limit)),
    waitingFor: (tenant, crmIds) => plainly(() => waitingFor(store, tenant, crmIds)),
    adopt: (tenant, ids, entry, by) => inTransaction(store, (tx) => adopt(tx, tenant, ids, entry, by)),
    unlink: (tenant, pair, at) => inTransaction(store, (tx) => unlink(tx, tenant, pair, at)),
    barredFrom: (tenant, side) => plainly(() => barredFrom(store, tenant, side)),
    linkStatuses: (tenant, keys) => plainly(() => linkStatuses(store, tenant, keys)),
    activeCrmIds: (tenant, crmIds) => plainly(() => activeCrmIds(store, tenant, crmIds)),
    findLink: (tenant, key) => plainly(() => findLink(store, tenant, key)),
    findLinkByIds: (tenant, ids) => plainly(() => findLinkByIds(store, tenant, ids)),
    vendorIdsNotMarkedSince: (tenant, vendorIds, since) =>
      plainly(() => vendorIdsNotMarkedSince(store, tenant, vendorIds, since)),
    listLinks: (tenant, filter) => plainly(() => listLinks(store, tenant, filter)),
    countByIssue: (tenant) => plainly(() => countByIssue(store, tenant)),
    countByState: (tenant) => plainly(() => countByState(store, tenant)),
    figures: () => plainly(() => figures(store)),
    journal: (tenant, key, limit) => plainly(() => readJournal(store, tenant, key, limit)),
    addToJournal: (tenant, key, entry) => plainly(() => addJournal(store, tenant, key, [entry])),
  };
}

type WorkCalls = 'savePlan' | 'loadPlan' | 'lastSentAt' | 'markSent' | 'settle';
function workCalls(store: Store): Pick<Ledger, WorkCalls> {
  return {
    savePlan: (tenant, plan, expected) => despiteRaces(() => savePlan(store, tenant, plan, expected)),
    loadPlan: (tenant, planId) => plainly(() => loadPlan(store, tenant, planId)),
    lastSentAt: (tenant, key) => plainly(() => lastSentAt(store, tenant, key)),
    markSent: (tenant, planId, sending) => markSent(store, tenant, planId, sending),
    settle: async (tenant, key, settlement) =>
      (await despiteRaces(() => settleAtOnce(store, tenant, key, settlement))) ??
      inTransaction(store, (tx) => settle(tx, tenant, key, settlement)),
  };
}

type IntakeCalls =
  | 'markDue'
  | 'parkRows'
  | 'streamReads'
  | 'dueKeys'
  | 'countOnTheirWay'
  | 'dueTogether'
  | 'markRetries'
  | 'forgetRefusals'
  | 'acceptSyncRequest'
  | 'pickSide'
  | 'markWoken'
  | 'noteWaiting'
  | 'unreportedWaiting'
  | 'unconfirmedReports'
  | 'noteReported'
  | 'countWaiting'
  | 'settleRows'
  | 'refusedRows'
  | 'retryRefusedRows'
  | 'recordDeliveries'
  | 'markSignalled'
  | 'keepRetention';
function intakeCalls(store: Store): Pick<Ledger, IntakeCalls> {
  return {
    async markDue(tenant, ids, at, cursor) {
      const move = (on: Store) => cursor && moveCursor(on, tenant, cursor, at);
      if (ids.length === 0) {
        await plainly(async () => move(store));
        return [];
      }
      return inTransaction(store, async (tx) => {
        const keys = await markDue(tx, tenant, ids, at);
        await move(tx);
        return keys;
      });
    },
    parkRows: (tenant, stream, ids, at) => plainly(() => parkRows(store, tenant, stream, ids, at)),
    streamReads: (tenant) => plainly(() => streamReads(store, tenant)),
    forgetRefusals: (tenant, key) => plainly(() => forgetRefusals(store, tenant, key)),
    acceptSyncRequest: (tenant, key, asked, at) =>
      plainly(() => acceptSyncRequest(store, tenant, key, asked, at)),
    pickSide: (tenant, key, pick, entry) =>
      inTransaction(store, (tx) => pickSide(tx, tenant, key, pick, entry)),
    markRetries: (tenant, at, limit) => plainly(() => markRetries(store, tenant, at, limit)),
    dueKeys: (tenant, limit, olderThan) => plainly(() => dueKeys(store, tenant, limit, olderThan)),
    countOnTheirWay: (tenant) => plainly(() => countOnTheirWay(store, tenant)),
    dueTogether: (tenant, excluding, limit) => plainly(() => dueTogether(store, tenant, excluding, limit)),
    markWoken: (tenant, keys, at) => despiteRaces(() => markWoken(store, tenant, keys, at)),
    noteWaiting: (tenant, key, waitsFor) => plainly(() => noteWaiting(store, tenant, key, waitsFor)),
    unreportedWaiting: (tenant, before, limit) =>
      plainly(() => unreportedWaiting(store, tenant, before, limit)),
    noteReported: (tenant, reports, at, isBefore) =>
      despiteRaces(() => noteReported(store, tenant, reports, at, isBefore)),
    unconfirmedReports: (tenant, before, limit) =>
      plainly(() => unconfirmedReports(store, tenant, before, limit)),
    countWaiting: (tenant, before) => plainly(() => countWaiting(store, tenant, before)),
    settleRows: (tenant, stream, outcomes, at) =>
      inTransaction(store, (tx) => settleRows(tx, tenant, stream, outcomes, at)),
    refusedRows: (tenant, stream, at, limit) => plainly(() => refusedRows(store, tenant, stream, at, limit)),
    retryRefusedRows: (tenant, at) => inTransaction(store, (tx) => retryRefusedRows(tx, tenant, at)),
    recordDeliveries: (tenant, deliveries, at) =>
      inTransaction(store, (tx) => recordDeliveries(tx, tenant, deliveries, at)),
    markSignalled: (tenant, ids, at) => despiteRaces(() => markSignalled(store, tenant, ids, at)),
    keepRetention: (tenant, keep, at) => plainly(() => keepRetention(store, tenant, keep, at)),
  };
}

function mirrorCalls(store: Store): MirrorLedger {
  return {
    async markDetails(tenant, found, rows, move, at) {
      if (rows.length > 0)
        return inTransaction(store, (tx) => markDetails(tx, tenant, found, rows, move, at));
      await plainly(() => moveCursor(store, tenant, move, at));
      return 0;
    },
    mirrorWork: (tenant, of, at) => plainly(() => mirrorWork(store, tenant, of, at)),
    nextDetail: (tenant, stream, at, limit) => plainly(() => nextDetail(store, tenant, stream, at, limit)),
    postponeDetail: (tenant, stream, rowId, at) =>
      plainly(() => postponeDetail(store, tenant, stream, rowId, at)),
    mirrorRows: (tenant, row) => plainly(() => mirrorRows(store, tenant, row)),
    keepDetail: (tenant, stream, read) => inTransaction(store, (tx) => keepDetail(tx, tenant, stream, read)),
    pendingRows: (tenant, of, least, limit) => plainly(() => pendingRows(store, tenant, of, least, limit)),
    countMirrored: (tenant) => plainly(() => countMirrored(store, tenant)),
    mirroredObjects: (tenant, objects) => plainly(() => mirroredObjects(store, tenant, objects)),
    markLeaving: (tenant, object, rows, write) =>
      plainly(() => markLeaving(store, tenant, object, rows, write)),
    settleMirrored: (tenant, object, rows, write) =>
      inTransaction(store, (tx) => settleMirrored(tx, tenant, object, rows, write)),
    dueTotals: (tenant, at, limit) => plainly(() => dueTotals(store, tenant, at, limit)),
    settleTotals: (tenant, outcome, at) =>
      inTransaction(store, (tx) => settleTotals(tx, tenant, outcome, at)),
    markInDoubt: (tenant, object, rows, at) =>
      inTransaction(store, (tx) => markInDoubt(tx, tenant, object, rows, at)),
    renewInDoubt: (tenant, mirror, at, limit) =>
      inTransaction(store, (tx) => renewInDoubt(tx, tenant, mirror, at, limit)),
    unlinkedRows: (tenant, object, since, limit) =>
      plainly(() => unlinkedRows(store, tenant, object, since, limit)),
  };
}

function newsCalls(store: Store): NewsLedger {
  return {
    rowState: (tenant, row) => plainly(() => rowState(store, tenant, row)),
    dueNotices: (tenant, object, at, limit) =>
      inTransaction(store, (tx) => dueNotices(tx, tenant, object, at, limit)),
    settleNotice: (tenant, id, outcome, at) => plainly(() => settleNotice(store, tenant, id, outcome, at)),
    refusedNotices: (tenant) => plainly(() => refusedNotices(store, tenant)),
  };
}

function catalogCalls(store: Store): CatalogLedger {
  return {
    knownRows: (tenant, object, ids, at) => plainly(() => knownRows(store, tenant, object, ids, at)),
    keepShown: (tenant, refresh, rows, move, at) =>
      despiteRaces(() => keepShown(store, tenant, refresh, rows, move, at)),
    keepMembers: (tenant, refresh, object, master) =>
      plainly(() => keepMembers(store, tenant, refresh, object, master)),
    commitShown: (tenant, refresh, objects, move, at) =>
      despiteRaces(() => commitShown(store, tenant, refresh, objects, move, at)),
    nextFollowed: (tenant, refresh, object, after) =>
      plainly(() => nextFollowed(store, tenant, refresh, object, after)),
    readyRows: (tenant, object, least, limit) =>
      plainly(() => readyRows(store, tenant, object, least, limit)),
    leaveUnseen: (tenant, refresh, leaving) =>
      despiteRaces(() => leaveUnseen(store, tenant, refresh, leaving)),
    markEdited: (tenant, object, rows, at) =>
      inTransaction(store, (tx) => markEdited(tx, tenant, object, rows, at)),
    noteGiven: (tenant, object, ids) => inTransaction(store, (tx) => noteGiven(tx, tenant, object, ids)),
    countCatalog: (tenant, objects) => plainly(() => countCatalog(store, tenant, objects)),
  };
}

function keyCalls(store: Store): KeyLedger {
  return {
    vendorKeys: (tenant) => plainly(() => vendorKeys(store, tenant)),
    askForKey: (tenant, at) => inTransaction(store, (tx) => askForKey(tx, tenant, at)),
    keepKey: (tenant, key, at) => inTransaction(store, (tx) => keepKey(tx, tenant, key, at)),
    switchKey: (tenant, hashedKey, at) => inTransaction(store, (tx) => switchKey(tx, tenant, hashedKey, at)),
    proveKey: (tenant, hashedKey, at) => plainly(() => proveKey(store, tenant, hashedKey, at)),
    dropKey: (tenant, hashedKey) => inTransaction(store, (tx) => dropKey(tx, tenant, hashedKey)),
    setKey: (tenant, apiKey, at) => inTransaction(store, (tx) => setKey(tx, tenant, apiKey, at)),
  };
}

function backfillCalls(store: Store): BackfillLedger {
  return {
    openBackfill: (tenant, state, at) => inTransaction(store, (tx) => openBackfill(tx, tenant, state, at)),
    noteFound: (tenant, found, state, at) =>
      inTransaction(store, (tx) => noteFound(tx, tenant, found, state, at)),
    toMatch: (tenant, limit) => plainly(() => toMatch(store, tenant, limit)),
    noteMatched: (tenant, vendorId, candidates) =>
      inTransaction(store, (tx) => noteMatched(tx, tenant, vendorId, candidates)),
    advanceBackfill: (tenant, order, at) =>
      inTransaction(store, (tx) => advanceBackfill(tx, tenant, order, at)),
    noteWoken: (tenant, side) => plainly(() => noteWoken(store, tenant, side)),
    countBackfill: (tenant) => plainly(() => countBackfill(store, tenant)),
    closeBackfill: (tenant, state, at) => inTransaction(store, (tx) => closeBackfill(tx, tenant, state, at)),
  };
}

function gateCalls(
  store: Store,
): Pick<Ledger, 'quotas' | 'reserveRequest' | 'reportQuota' | keyof PauseLedger> {
  return {
    ...quotaCalls(store),
    quotas: (tenant) => plainly(() => quotas(store, tenant)),
    pause: (tenant, group, reason, at) => plainly(() => pause(store, tenant, group, reason, at)),
    resume: (tenant, group) => plainly(() => resume(store, tenant, group)),
    pauses: (tenant) => plainly(() => pauses(store, tenant)),
    pausesAndCursors: (tenant, streams) => plainly(() => pausesAndCursors(store, tenant, streams)),
    pausedTenants: (group) => plainly(() => pausedTenants(store, group)),
  };
}

function auditCalls(store: Store): AuditLedger {
  return {
    auditedLinks: (tenant, ids) => plainly(() => auditedLinks(store, tenant, ids)),
    noteAudited: (tenant, keys, mark, at) => plainly(() => noteAudited(store, tenant, keys, mark, at)),
    countDiffering: (tenant, at) => plainly(() => countDiffering(store, tenant, at)),
    unauditedPairs: (tenant, side, at, page) => plainly(() => unauditedPairs(store, tenant, side, at, page)),
  };
}
