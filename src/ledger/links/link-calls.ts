import { inTransaction, plainCalls, plainly, type Store, transactionCalls } from '../core/store.ts';
import { adopt } from './adopt.ts';
import type { AuditLedger } from './audit-ledger.ts';
import { auditedLinks, countDiffering, noteAudited, unauditedPairs } from './audit-marks.ts';
import { barredFrom } from './barred-pairs.ts';
import { countByIssue, countByState } from './count-links.ts';
import { countLinked, noteDetaching } from './detaching.ts';
import { acceptSyncRequest, forgetRefusals, retryIssue } from './forget-refusals.ts';
import { addJournal, readJournal } from './journal.ts';
import { journalPage } from './journal-pages.ts';
import type { LinkLedger } from './link-ledger.ts';
import {
  activeCrmIds,
  findLink,
  findLinkByIds,
  findLinks,
  linkedPairs,
  linkStatuses,
  listLinks,
  vendorIdsNotMarkedSince,
  waitingFor,
} from './links.ts';
import { moveToOpportunity } from './move-to-opportunity.ts';
import { pickSide } from './pick-side.ts';
import { linkedIds, relink } from './relink.ts';
import { resolveKnown, resolveLink } from './resolve-link.ts';
import { unlink } from './unlink.ts';

export function linkCalls(store: Store): LinkLedger {
  return {
    ...plainCalls(store, {
      barredFrom,
      findLink,
      findLinks,
      findLinkByIds,
      noteDetaching,
      countLinked,
      retryIssue,
      forgetRefusals,
      acceptSyncRequest,
      linkStatuses,
      activeCrmIds,
      linkedPairs,
      linkedIds,
      waitingFor,
      vendorIdsNotMarkedSince,
      listLinks,
      countByIssue,
      countByState,
      journal: readJournal,
      journalPage,
    }),
    ...transactionCalls(store, { adopt, unlink, relink, moveToOpportunity, pickSide }),
    async resolveLink(tenant, ids, at, fence) {
      const known = await plainly(() => resolveKnown(store, tenant, ids, fence));
      return known ?? inTransaction(store, (tx) => resolveLink(tx, tenant, ids, at, fence));
    },
    addToJournal: (tenant, key, entry) => plainly(() => addJournal(store, tenant, key, [entry])),
  };
}

export function auditCalls(store: Store): AuditLedger {
  return {
    ...plainCalls(store, { auditedLinks, noteAudited, countDiffering, unauditedPairs }),
  };
}
