import { inTransaction, plainly, type Store } from '../core/store.ts';
import { adopt } from './adopt.ts';
import type { AuditLedger } from './audit-ledger.ts';
import { auditedLinks, countDiffering, noteAudited, unauditedPairs } from './audit-marks.ts';
import { barredFrom } from './barred-pairs.ts';
import { countByIssue, countByState } from './count-links.ts';
import { countLinked, noteDetaching } from './detaching.ts';
import { acceptSyncRequest, forgetRefusals, retryIssue } from './forget-refusals.ts';
import { addJournal, readJournal } from './journal.ts';
import type { LinkLedger } from './link-ledger.ts';
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
import { pickSide } from './pick-side.ts';
import { resolveKnown, resolveLink } from './resolve-link.ts';
import { unlink } from './unlink.ts';

export function linkCalls(store: Store): LinkLedger {
  return {
    async resolveLink(tenant, ids, at, fence) {
      const known = await plainly(() => resolveKnown(store, tenant, ids, fence));
      return known ?? inTransaction(store, (tx) => resolveLink(tx, tenant, ids, at, fence));
    },
    adopt: (tenant, ids, entry, by) => inTransaction(store, (tx) => adopt(tx, tenant, ids, entry, by)),
    unlink: (tenant, pair, at) => inTransaction(store, (tx) => unlink(tx, tenant, pair, at)),
    barredFrom: (tenant, side) => plainly(() => barredFrom(store, tenant, side)),
    findLink: (tenant, key) => plainly(() => findLink(store, tenant, key)),
    findLinkByIds: (tenant, ids) => plainly(() => findLinkByIds(store, tenant, ids)),
    noteDetaching: (tenant, key, at, since) => plainly(() => noteDetaching(store, tenant, key, at, since)),
    countLinked: (tenant, since, limit) => plainly(() => countLinked(store, tenant, since, limit)),
    pickSide: (tenant, key, pick, entry) =>
      inTransaction(store, (tx) => pickSide(tx, tenant, key, pick, entry)),
    retryIssue: (tenant, code, at) => plainly(() => retryIssue(store, tenant, code, at)),
    forgetRefusals: (tenant, key) => plainly(() => forgetRefusals(store, tenant, key)),
    acceptSyncRequest: (tenant, key, asked, at) =>
      plainly(() => acceptSyncRequest(store, tenant, key, asked, at)),
    linkStatuses: (tenant, keys) => plainly(() => linkStatuses(store, tenant, keys)),
    activeCrmIds: (tenant, crmIds) => plainly(() => activeCrmIds(store, tenant, crmIds)),
    linkedPairs: (tenant, afterKey, limit) => plainly(() => linkedPairs(store, tenant, afterKey, limit)),
    waitingFor: (tenant, crmIds) => plainly(() => waitingFor(store, tenant, crmIds)),
    vendorIdsNotMarkedSince: (tenant, vendorIds, since) =>
      plainly(() => vendorIdsNotMarkedSince(store, tenant, vendorIds, since)),
    listLinks: (tenant, filter) => plainly(() => listLinks(store, tenant, filter)),
    countByIssue: (tenant) => plainly(() => countByIssue(store, tenant)),
    countByState: (tenant) => plainly(() => countByState(store, tenant)),
    journal: (tenant, key, limit) => plainly(() => readJournal(store, tenant, key, limit)),
    addToJournal: (tenant, key, entry) => plainly(() => addJournal(store, tenant, key, [entry])),
  };
}

export function auditCalls(store: Store): AuditLedger {
  return {
    auditedLinks: (tenant, ids) => plainly(() => auditedLinks(store, tenant, ids)),
    noteAudited: (tenant, keys, mark, at) => plainly(() => noteAudited(store, tenant, keys, mark, at)),
    countDiffering: (tenant, at) => plainly(() => countDiffering(store, tenant, at)),
    unauditedPairs: (tenant, side, at, page) => plainly(() => unauditedPairs(store, tenant, side, at, page)),
  };
}
