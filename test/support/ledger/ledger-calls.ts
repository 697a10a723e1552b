import { randomUUID } from 'node:crypto';
import { firstState } from '../../../src/domain/backfill/backfill.ts';
import type { UndoState } from '../../../src/domain/backfill/undo-run.ts';
import { DEFAULT_RETENTION } from '../../../src/domain/record/retention.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { SealingError } from '../../../src/platform/sealing.ts';
import { at, BASE, leaving, plannedSending, savePlan, sees } from './ledger-samples.ts';
import { NOTICE_CALLS } from './notice-calls.ts';

/** A ledger call in a tenant with this many links `C1` and `V1`, `C2` and `V2` and so on; the last was changed last. */
export type LedgerCall = (ledger: Ledger, tenant: string, links: number) => Promise<unknown>;

const WRITE = { id: 'w', at: at(5), until: at(600) };

const UNDO: UndoState = {
  ...{ run: 'undo', begunAt: at(9), isOver: false },
  order: { scope: { of: 'last' }, key: 'C7', share: 0.5 },
};

const BACKFILL = firstState('run', { since: at(0), from: 'both', share: 0.5 }, at(9));

const LINE = { at: at(2), kind: 'remote-write', summary: { answer: 'updated' }, decisions: [] } as const;

/** A typical call of each method about a record or a page. */
export const RECORD_CALLS: Readonly<Record<Exclude<keyof Ledger, 'close' | TenantCall | FleetCall>, LedgerCall>> = {
  resolveLink: (l, t) => l.resolveLink(t, { crmId: 'C7', vendorId: 'V7' }, at(1)),
  adopt: async (l, t) => {
    await l.markDue(t, [{ crmId: 'N1' }, { vendorId: 'W1' }], at(1));
    const entry = { at: at(1), kind: 'adoption', summary: {}, decisions: [] } as const;
    return l.adopt(t, { crmId: 'N1', vendorId: 'W1' }, entry);
  },
  moveToOpportunity: (l, t) => l.moveToOpportunity(t, { leadId: 'L7', opportunityId: 'N8' }, at(1)),
  relink: (l, t) => l.relink(t, { from: 'C7', to: 'N7', vendorId: 'V7' }, null, at(1)),
  linkedIds: (l, t) => l.linkedIds(t, 'C5', 50),
  findLink: (l, t) => l.findLink(t, 'C7'),
  findLinks: (l, t) => l.findLinks(t, ['C7', 'C8']),
  findLinkByIds: (l, t) => l.findLinkByIds(t, { crmId: 'C7', vendorId: 'V7' }),
  noteDetaching: (l, t) => l.noteDetaching(t, 'C7', at(10), at(5)),
  savePlan: (l, t) => savePlan(l, t, 'C7'),
  countLinked: (l, t) => l.countLinked(t, at(5), 100),
  loadPlan: async (l, t) => l.loadPlan(t, await savePlan(l, t, 'C7')),
  lastSentAt: (l, t) => l.lastSentAt(t, 'C7'),
  markSent: async (l, t) => l.markSent(t, await savePlan(l, t, 'C7'), leaving(1, 'update')),
  sendPlan: async (l, t) => l.sendPlan(t, await plannedSending(l, t, 'C7')),
  sendPlans: async (l, t) => l.sendPlans(t, [await plannedSending(l, t, 'C7'), await plannedSending(l, t, 'C8')]),
  settleTogether: async (l, t) => {
    const planId = await savePlan(l, t, 'C7');
    const answered = { at: at(2), planId, base: BASE, journal: [LINE], news: { poNumber: { was: null, is: 'PO 7' } } };
    return l.settleTogether(t, [
      { key: 'C7', settlement: answered },
      { key: 'C8', settlement: { at: at(2), state: 'in-sync', observedGeneration: 1 } },
    ]);
  },
  settle: (l, t) => l.settle(t, 'C7', { at: at(2), state: 'in-sync', base: BASE, observedGeneration: 1 }),
  markDue: (l, t) => l.markDue(t, [{ crmId: 'C7' }, { vendorId: 'V8' }], at(3)),
  unseenRows: (l, t) => l.unseenRows(t, 'sweepSalesforce:Account', [{ rowId: 'R7', stamp: at(0) }]),
  parkRows: (l, t) => l.parkRows(t, 'sweepSalesforce:Account', ['not an id'], at(5)),
  settleRows: (l, t) =>
    l.settleRows(
      t,
      'pullOrders',
      { taken: ['O1'], refused: [{ id: 'O2', row: { Key__c: 'O2' }, reason: 'STRING_TOO_LONG' }] },
      at(5),
    ),
  refusedRows: (l, t) => l.refusedRows(t, 'pullOrders', at(5), 50),
  retryRefusedRows: (l, t) => l.retryRefusedRows(t, at(6)),
  moveCursor: (l, t) =>
    l.moveCursor(
      t,
      {
        stream: 'sweepSalesforce:Account',
        position: {},
        seen: { rows: [{ rowId: 'R7', stamp: at(0) }], forgetBefore: at(-5) },
      },
      at(5),
    ),
  moveCursors: (l, t) =>
    l.moveCursors(
      t,
      [
        { stream: 'sweepSalesforce:Account', position: {}, forgetBefore: at(-5) },
        { stream: 'sweepSalesforce:Contact', position: {} },
      ],
      at(5),
    ),
  markDetails: (l, t) =>
    l.markDetails(
      t,
      { stream: 'pullOrders', object: 'Vendor_Order__c' },
      [{ rowId: 'O7', stamp: at(1) }],
      { stream: 'pullOrders', position: {} },
      at(5),
    ),
  nextDetail: async (l, t) => {
    await l.nextDetail(t, 'pullOrders', at(5));
    await l.nextDetail(t, 'pausedLoad', at(5), { isLoadPaused: true });
  },
  postponeDetail: (l, t) => l.postponeDetail(t, 'pullOrders', 'O7', at(5)),
  mirrorWork: async (l, t) => {
    const of = { everyMs: 300_000, feeds: ['pullOrders'], objects: ['Vendor_Order__c'] };
    await l.mirrorWork(t, { ...of, stream: 'pullOrders' }, at(9));
    await l.mirrorWork(t, { ...of, stream: 'pausedLoad', isLoadPaused: true }, at(9));
  },
  mirrorRows: (l, t) => l.mirrorRows(t, { object: 'Vendor_Order__c', id: 'O7' }),
  keepDetail: (l, t) =>
    l.keepDetail(t, 'pullOrders', {
      detail: { rowId: 'O7', stamp: at(1) },
      row: { object: 'Vendor_Order__c', id: 'O7' },
      modifiedAt: at(1),
      stamp: at(1),
      opportunity: 'V7',
      changed: [
        { object: 'Vendor_Order__c', id: 'O7', fingerprint: 'g', fields: {} },
        { object: 'Vendor_Order_Line__c', id: 'O7/1', fingerprint: 'g', fields: {} },
      ],
    }),
  pendingRows: (l, t) => l.pendingRows(t, { object: 'Vendor_Order_Line__c', masterObject: 'Vendor_Order__c' }, 1, 50),
  settleMirrored: (l, t) =>
    l.settleMirrored(t, 'Vendor_Order__c', [{ id: 'O7', isTaken: true, fingerprint: 'g' }], WRITE),
  markLeaving: (l, t) =>
    l.markLeaving(
      t,
      'Vendor_Order__c',
      ['O7', 'O8'].map((id) => ({ id, fingerprint: null, linkedTo: id.replace('O', 'C') })),
      WRITE,
    ),
  markInDoubt: (l, t) => l.markInDoubt(t, 'Vendor_Order__c', { ids: ['O7', 'O8'], details: true }, at(5)),
  chooseOpportunity: (l, t) =>
    l.chooseOpportunity(
      t,
      { stream: 'pullOrders', object: 'Vendor_Order__c', ids: ['O7', 'O8'], opportunityId: '006000000000001AAA' },
      at(5),
    ),
  renewInDoubt: (l, t) =>
    l.renewInDoubt(t, { stream: 'pullOrders', objects: ['Vendor_Order__c', 'Vendor_Order_Line__c'] }, at(5), 50),
  knownRows: (l, t) => l.knownRows(t, 'product', ['P7', 'P8'], at(5)),
  keepShown: (l, t) =>
    l.keepShown(
      t,
      'r2',
      [
        {
          object: 'product',
          id: 'P7',
          fingerprint: 'g',
          fields: {},
          needs: [{ object: 'product', id: 'P8' }],
        },
      ],
      { stream: 'refreshCatalog', position: {} },
      at(5),
    ),
  keepMembers: (l, t) => l.keepMembers(t, 'r2', 'component', 'P7'),
  nextFollowed: (l, t) => l.nextFollowed(t, 'r1', 'product', 'P7'),
  readyRows: (l, t) => l.readyRows(t, 'product', 1, 50),
  noteGiven: (l, t) => l.noteGiven(t, 'currency', ['EUR']),
  unlinkedRows: (l, t, links) => l.unlinkedRows(t, 'Vendor_Order__c', at(links - 5), 50),
  vendorKeys: (l, t) => l.vendorKeys(t),
  askForKey: (l, t) => l.askForKey(t, at(5)),
  keepKey: (l, t) => l.keepKey(t, { apiKey: 'k', hashedKey: 'h' }, at(5)),
  switchKey: (l, t) => l.switchKey(t, 'h', at(5)),
  proveKey: (l, t) => l.proveKey(t, 'h', at(5)),
  dropKey: (l, t) => l.dropKey(t, 'h'),
  setKey: (l, t) => l.setKey(t, 'k', at(5)),
  streamReads: (l, t) => l.streamReads(t),
  acceptSyncRequest: (l, t) => l.acceptSyncRequest(t, 'C7', at(1), at(5)),
  rowState: (l, t) => l.rowState(t, { object: 'Vendor_Order__c', id: 'O7' }),
  dropDealNews: (l, t) => l.dropDealNews(t),
  hasDealNews: (l, t) => l.hasDealNews(t, at(5)),
  dueNotices: (l, t) => l.dueNotices(t, 'Vendor_Order__c', at(5), 10),
  refusedNotices: (l, t) => l.refusedNotices(t),
  settleNotice: async (l, t) => {
    await l.settleNotice(t, 'no such notice', { refused: 'CODE' }, at(5));
    await l.settleNotice(t, 'no such notice', 'sent', at(5));
  },
  dueTotals: (l, t) => l.dueTotals(t, at(5), 50),
  settleTotals: (l, t) => {
    const due = [{ opportunityId: 'C7', markedAt: at(0) }];
    return l.settleTotals(t, { written: due, refused: due }, at(5));
  },
  retryIssue: (l, t) => l.retryIssue(t, 'field-hidden', at(2)),
  forgetRefusals: (l, t) => l.forgetRefusals(t, 'C7'),
  dueKeys: (l, t) => l.dueKeys(t, 50, at(1)),
  markRetries: (l, t) => l.markRetries(t, at(1), 50),
  countOnTheirWay: (l, t) => l.countOnTheirWay(t),
  dueTogether: (l, t) => l.dueTogether(t, ['V7'], 50),
  markWoken: (l, t) => l.markWoken(t, ['C7', 'C8'], at(4)),
  noteWaiting: (l, t) => l.noteWaiting(t, 'C7', 'turn'),
  unreportedWaiting: (l, t) => l.unreportedWaiting(t, at(1), 50),
  unconfirmedReports: (l, t) => l.unconfirmedReports(t, at(1), 50),
  noteReported: (l, t) => l.noteReported(t, [{ key: 'C7', reported: sees('m') }], at(5)),
  linkStatuses: (l, t) => l.linkStatuses(t, ['C7', 'C8']),
  activeCrmIds: (l, t) => l.activeCrmIds(t, ['C7', 'C8']),
  vendorIdsNotMarkedSince: (l, t) => l.vendorIdsNotMarkedSince(t, ['V7', 'V8'], at(0)),
  linkedPairs: (l, t) => l.linkedPairs(t, 'C5', 100),
  waitingFor: (l, t) => l.waitingFor(t, ['C7', 'C8']),
  unlink: (l, t) => l.unlink(t, { crmId: 'C9', vendorId: 'V9' }, at(3)),
  barredFrom: async (l, t) => [await l.barredFrom(t, { crmId: 'C7' }), await l.barredFrom(t, { vendorId: 'V7' })],
  cursors: (l, t) => l.cursors(t, ['sweepSalesforce:Account', 'pollVendor']),
  cursor: (l, t) => l.cursor(t, 'sweepSalesforce:Account'),
  saveCursor: (l, t) => l.saveCursor(t, 'sweepSalesforce:Account', {}, at(5)),
  holdCursor: (l, t) => l.holdCursor(t, 'changes', 'worker', at(5)),
  closePart: (l, t) => l.closePart(t, 'changes', 'gap', at(5)),
  forgetCursors: (l, t) => l.forgetCursors(t, ['checkMirror:Account', 'checkMirror:Opportunity']),
  mirroredObjects: (l, t) => l.mirroredObjects(t, ['Vendor_Order__c', 'price']),
  recordDeliveries: (l, t) => l.recordDeliveries(t, [{ id: 'D7', source: 'event', crmIds: ['C7'] }], at(6)),
  markSignalled: (l, t) => l.markSignalled(t, ['D7'], at(6)),
  addToJournal: (l, t) => l.addToJournal(t, 'C7', { at: at(1), kind: 'view', summary: {}, decisions: [] }),
  pickSide: (l, t) =>
    l.pickSide(t, 'C7', { field: 'name', side: 'crm' }, { at: at(1), kind: 'decision', summary: {}, decisions: [] }),
  auditedLinks: async (l, t) => [
    await l.auditedLinks(t, { crmIds: ['C7', 'C8'] }),
    await l.auditedLinks(t, { vendorIds: ['V7', 'V8'] }),
  ],
  noteAudited: (l, t) => l.noteAudited(t, ['C7', 'C8'], 'crm', at(5)),
  unauditedPairs: (l, t) => l.unauditedPairs(t, 'vendor', at(5), { after: 'C5', limit: 50 }),
  noteCodes: (l, t) => l.noteCodes(t, [{ field: 'status', code: 'ON_HOLD' }], at(5)),
  notedCodes: (l, t) => l.notedCodes(t),
  sizeBytes: (l) => l.sizeBytes(),
  quotas: (l, t) => l.quotas(t),
  reserveRequest: (l, t) => l.reserveRequest(t, 'vendor-sales', at(6)),
  endWaits: (l, t) => l.endWaits(t, at(6)),
  reportQuota: (l, t) => l.reportQuota(t, 'vendor-sales', { limit: 10, remaining: 5, resetSeconds: 60, at: at(6) }),
  pause: (l, t) => l.pause(t, 'vendor-sales', 'because', at(7)),
  resume: (l, t) => l.resume(t, 'vendor-sales', at(8)),
  pauses: (l, t) => l.pauses(t),
  pausesAndCursors: (l, t) => l.pausesAndCursors(t, ['sweepSalesforce:Account', 'pollVendor']),
  pausedTenants: (l) => l.pausedTenants('vendor-sales'),
  // The `due` filter never lists records as in sync, and here all are in sync.
  listLinks: (l, t) => l.listLinks(t, { state: 'parked', limit: 20 }),
  journal: (l, t) => l.journal(t, 'C7', 5),
  openUndo: (l, t) => l.openUndo(t, UNDO, at(9)),
  nextToUndo: async (l, t) => {
    await l.openUndo(t, UNDO, at(9));
    return l.nextToUndo(t, 5);
  },
  giveBack: async (l, t) => {
    await l.openUndo(t, UNDO, at(9));
    const link = await l.findLink(t, 'C7');
    if (link === null) throw new Error('no link C7');
    const entry = { at: at(9), kind: 'undo', summary: {}, decisions: [] } as const;
    const given = { goingBack: { name: { crm: 'x' } }, values: { back: 1, left: 0, waits: 0 }, entry, share: 0.5 };
    return l.giveBack(t, 'C7', { ...given, expected: link }, at(9));
  },
  skipUndo: async (l, t) => {
    await l.openUndo(t, UNDO, at(9));
    return l.skipUndo(t, 'C7');
  },
  undoToWake: (l, t) => l.undoToWake(t),
  noteUndoWoken: (l, t) => l.noteUndoWoken(t),
  countUndo: (l, t) => l.countUndo(t),
  closeUndo: (l, t) => l.closeUndo(t, { ...UNDO, isOver: true }, at(9)),
  journalPage: (l, t) => l.journalPage(t, { since: at(0), after: null, limit: 5 }),
  noteFound: (l, t) => l.noteFound(t, { side: 'vendor', ids: ['V7', 'W7'] }, BACKFILL, at(9)),
  toMatch: (l, t) => l.toMatch(t, 50),
  matchLater: (l, t) => l.matchLater(t, ['W7']),
  noteMatched: (l, t) => l.noteMatched(t, 'W7', { crmIds: ['C7'], as: 'noted' }),
  advanceBackfill: async (l, t) => {
    await l.advanceBackfill(t, { side: 'crm', atOnce: 20, share: 0.5, fields: ['name'] }, at(9));
    await l.advanceBackfill(t, { side: 'crm', atOnce: 20, share: 0.5 }, at(9));
    return l.advanceBackfill(t, { side: 'vendor', atOnce: 20, share: 0.5 }, at(9));
  },
  takeInLane: (l, t) => l.takeInLane(t, ['C7', 'C8'], 'any'),
  nextInLane: (l, t) => l.nextInLane(t, { withBulk: true, withEchoes: true, excluding: ['C8'], limit: 20 }),
  delegate: (l, t) => l.delegate(t, 'C7', at(9)),
  leaveLane: (l, t) =>
    l.leaveLane(t, [
      { key: 'C7', generation: 1, laneGeneration: 1 },
      { key: 'C8', generation: 1, laneGeneration: 1 },
    ]),
  noteWoken: (l, t) => l.noteWoken(t, 'vendor'),
  declareTenant: (l) => l.declareTenant('other', { content: {}, mapping: null, secrets: {} }, null, at(9)),
  tenantsSince: (l, _, links) => l.tenantsSince(links - 5),
  destroyedKeys: (l, t) => l.destroyedKeys(t),
  removeTenant: (l) => l.removeTenant('T7', 1, at(9)),
  noteCrmCalls: (l, t) => l.noteCrmCalls([{ tenant: t, calls: 1, orgUse: null }], at(9)),
  crmUse: (l, t) => l.crmUse([t, 'T8'], at(9)),
  forgetCrmCalls: (l) => l.forgetCrmCalls(at(9)),
  streamTimes: (l, t) => l.streamTimes([t, 'T8']),
  cursorParts: (l, t) =>
    l.cursorParts(
      [t, 'T8'],
      [
        { stream: 'watchOrg', path: ['problems'] },
        { stream: 'audit', path: ['last', 'differing'] },
      ],
    ),
  notedCodesOf: (l, t) => l.notedCodesOf([t, 'T8']),
  streamReadsOf: (l, t) => l.streamReadsOf([t, 'T8']),
  pausesOf: (l, t) => l.pausesOf([t, 'T8']),
  quotasOf: (l, t) => l.quotasOf([t, 'T8']),
  refusedNoticesOf: (l, t) => l.refusedNoticesOf([t, 'T8']),
  listLinksOf: (l, t) => l.listLinksOf([t, 'T8'], { states: ['parked', 'vendor-missing'], limit: 20 }),
  noteStreamFound: (l, t) => l.noteStreamFound(t, 'sweepSalesforce', at(9)),
  tenantsToWake: (l, t) =>
    l.tenantsToWake([t, 'T8'], { before: at(9), unreportedSince: at(9), reportingSince: at(9), at: at(9) }),
  keepToken: (l) => l.keepToken({ kind: 'link', hash: randomUUID(), until: at(60) }, {}, at(9)),
  findToken: (l) => l.findToken('link', 'h', at(9)),
  programTokens: (l) => l.programTokens(at(9)),
  noteTokenUse: (l) => l.noteTokenUse('h', at(9)),
  dropProgramToken: (l) => l.dropProgramToken('h'),
  takeToken: (l) => l.takeToken('link', 'h', at(9)),
  ...NOTICE_CALLS,
  mappingsSince: (l) => l.mappingsSince(0),
  mappingVersions: (l, t) => l.mappingVersions(t, 20),
  publishMapping: (l, t) =>
    l.publishMapping(t, { text: null, files: '', takenBackTo: null, by: 'ada', reason: null }, 0, at(9)),
  takeShard: (l) => l.takeShard({ shard: 1, attempt: 'run/1/1' }, 2),
  replaceReader: (l) => l.replaceReader({ shard: 1, attempt: 'run/1/2' }, 'run/1/1'),
  beatShards: (l) => l.beatShards(['run/1/1'], 12_000),
  ping: (l) => l.ping(),
};

const MOVE = { stream: 'refreshCatalog', position: {} };

/** Calls of methods about all rows of a tenant. */
export const TENANT_CALLS = {
  countByState: (l, t) => l.countByState(t),
  countDiffering: (l, t) => l.countDiffering(t, at(5)),
  countByIssue: (l, t) => l.countByIssue(t),
  countWaiting: (l, t) => l.countWaiting(t, at(9)),
  countMirrored: (l, t) => l.countMirrored(t),
  countByStateOf: (l, t) => l.countByStateOf([t, 'nobody']),
  countByIssueOf: (l, t) => l.countByIssueOf([t, 'nobody']),
  countWaitingOf: (l, t) => l.countWaitingOf([t, 'nobody'], at(9)),
  countMirroredOf: (l, t) => l.countMirroredOf([t, 'nobody']),
  countCatalog: (l, t) => l.countCatalog(t, ['product', 'component']),
  countBackfill: (l, t) => l.countBackfill(t),
  catalogChanges: (l, t) => l.catalogChanges(t, 'r1', ['product'], 5),
  commitShown: (l, t) => l.commitShown(t, 'r1', ['product'], MOVE, at(9)),
  leaveUnseen: (l, t) =>
    l.leaveUnseen(t, 'r2', { object: 'product', fieldsOf: () => ({}), kept: [], limit: 50, at: at(9) }),
  markEdited: async (l, t) => {
    for (const isDeleted of [false, true]) await l.markEdited(t, 'product', { ids: ['P7'], isDeleted }, at(9));
  },
  openBackfill: (l, t) => l.openBackfill(t, BACKFILL, at(9)),
  closeBackfill: (l, t) => l.closeBackfill(t, BACKFILL, at(9)),
  keepRetention: async (l, t) => {
    await l.keepRetention(t, DEFAULT_RETENTION, at(9));
    await l.keepRetention(t, { ...DEFAULT_RETENTION, journalDays: 30 }, at(86_400));
  },
  exportTenant: async (l, t) => {
    try {
      for await (const page of l.exportTenant(t)) if (page.length === 0) return;
    } catch (error) {
      // Fails at rows that are sealed with an unknown key.
      if (!(error instanceof SealingError)) throw error;
    }
  },
  tenantRows: (l, t) => l.tenantRows(t),
  eraseTenant: async (l) => {
    await l.declareTenant('leaving', { content: {}, mapping: null, secrets: {} }, null, at(9));
    await l.removeTenant('leaving', 1, at(9));
    await l.eraseTenant('leaving');
  },
} satisfies Partial<Record<keyof Ledger, LedgerCall>>;
export type TenantCall = keyof typeof TENANT_CALLS;

/** Calls of methods about all tenants, which the fleet's processes repeat often. */
export const FLEET_CALLS = {
  figures: (l) => l.figures(),
  reportUnavailable: async (l) => {
    await l.reportUnavailable('worker', [{ tenant: 'T7', reason: 'none' }], at(9));
    await l.reportUnavailable('worker', [], at(9));
  },
  unavailableTenants: (l) => l.unavailableTenants(at(0)),
} satisfies Partial<Record<keyof Ledger, LedgerCall>>;

/** Calls about the whole ledger on an operator's command; each reads everything once. */
type WholeCall =
  | 'actionsAfter'
  | 'erasePerson'
  | 'lastActions'
  | 'noteRestored'
  | 'recordAction'
  | 'reseal'
  | 'sealingKeysInUse'
  | 'useDataKeys';
export type FleetCall = keyof typeof FLEET_CALLS | WholeCall;
