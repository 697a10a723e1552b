import { inTransaction, plainCalls, plainly, racingCalls, type Store, transactionCalls } from '../core/store.ts';
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
import { chooseOpportunity, keepDetail, mirrorRows, pendingRows, unlinkedRows } from './mirror-rows.ts';
import { mirrorWork } from './mirror-work.ts';
import { markInDoubt, markLeaving, renewInDoubt, settleMirrored } from './mirror-writes.ts';
import type { NewsLedger } from './news-ledger.ts';
import {
  dropDealNews,
  dueNotices,
  hasDealNews,
  refusedNotices,
  retryRefusedRows,
  rowState,
  settleNotice,
} from './row-news.ts';

export function mirrorCalls(store: Store): MirrorLedger {
  return {
    ...plainCalls(store, {
      mirrorWork,
      nextDetail,
      postponeDetail,
      mirrorRows,
      pendingRows,
      countMirrored,
      mirroredObjects,
      markLeaving,
      dueTotals,
      unlinkedRows,
    }),
    ...transactionCalls(store, {
      keepDetail,
      settleMirrored,
      settleTotals,
      markInDoubt,
      chooseOpportunity,
      renewInDoubt,
      retryRefusedRows,
    }),
    async markDetails(tenant, found, rows, move, at) {
      if (rows.length > 0) return inTransaction(store, (tx) => markDetails(tx, tenant, found, rows, move, at));
      await plainly(() => moveCursor(store, tenant, move, at));
      return 0;
    },
  };
}

export function newsCalls(store: Store): NewsLedger {
  return {
    ...plainCalls(store, { rowState, hasDealNews, dropDealNews, settleNotice, refusedNotices }),
    ...transactionCalls(store, { dueNotices }),
  };
}

export function catalogCalls(store: Store): CatalogLedger {
  return {
    ...plainCalls(store, { knownRows, keepMembers, nextFollowed, readyRows, countCatalog, catalogChanges }),
    ...racingCalls(store, { keepShown, commitShown, leaveUnseen }),
    ...transactionCalls(store, { markEdited, noteGiven }),
  };
}
