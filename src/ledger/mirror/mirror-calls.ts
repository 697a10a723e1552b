import { despiteRaces, inTransaction, plainly, type Store } from '../core/store.ts';
import { moveCursor } from '../streams/cursors.ts';
import type { CatalogLedger } from './catalog-ledger.ts';
import {
  catalogChanges,
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
import { countMirrored, mirroredObjects } from './count-mirrored.ts';
import { markDetails, nextDetail, postponeDetail } from './due-details.ts';
import { dueTotals, settleTotals } from './due-totals.ts';
import type { MirrorLedger } from './mirror-ledger.ts';
import { keepDetail, mirrorRows, pendingRows, unlinkedRows } from './mirror-rows.ts';
import { mirrorWork } from './mirror-work.ts';
import { markInDoubt, markLeaving, renewInDoubt, settleMirrored } from './mirror-writes.ts';
import type { NewsLedger } from './news-ledger.ts';
import { dueNotices, refusedNotices, retryRefusedRows, rowState, settleNotice } from './row-news.ts';

export function mirrorCalls(store: Store): MirrorLedger {
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
    retryRefusedRows: (tenant, at) => inTransaction(store, (tx) => retryRefusedRows(tx, tenant, at)),
  };
}

export function newsCalls(store: Store): NewsLedger {
  return {
    rowState: (tenant, row) => plainly(() => rowState(store, tenant, row)),
    dueNotices: (tenant, object, at, limit) =>
      inTransaction(store, (tx) => dueNotices(tx, tenant, object, at, limit)),
    settleNotice: (tenant, id, outcome, at) => plainly(() => settleNotice(store, tenant, id, outcome, at)),
    refusedNotices: (tenant) => plainly(() => refusedNotices(store, tenant)),
  };
}

export function catalogCalls(store: Store): CatalogLedger {
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
    catalogChanges: (tenant, refresh, objects, most) =>
      plainly(() => catalogChanges(store, tenant, refresh, objects, most)),
  };
}
