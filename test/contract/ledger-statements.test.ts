import { beforeAll, describe, expect, it } from 'vitest';
import { firstState } from '../../src/domain/backfill/backfill.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { recordStatements, rowsReadBy } from '../support/ledger/explain.ts';
import { at, BASE, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { open, url, query } = await withLedger();
// With one connection, a call that asks for a second while it holds the first waits for itself.
const ledger = await open(1);

const LINKS = 20_000;
/** Enough for what a call answers and its neighbours in an index; far from all that a tenant has. */
const MOST_ROWS = 200;
const ACME = 'acme';

/** A large tenant in which everything flows, and all that grows with it. */
beforeAll(async () => {
  await query(
    `insert into links (tenant, key, crm_id, vendor_id, state, due_seq, due_since, waiting_since, marked_at, updated_at)
     select $1, 'C' || n, 'C' || n, 'V' || n, 'in-sync', 1, $2, $2, $2, $2::timestamptz + n * interval '1 second' from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into deliveries (tenant, id, source, keys, received_at, signalled_at)
     select $1, 'D' || n, 'event', '{}', $2, $2 from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into journal (tenant, key, id, at, kind, summary)
     select $1, 'C' || n, 'J' || n, $2, 'state', '{}' from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into plans (tenant, id, key, created_at, due_seq, next, plan)
     select $1, 'P' || n, 'C' || n, $2, 1, 'nothing', '' from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into seen_rows (tenant, stream, row_id, stamp)
     select $1, 'sweepSalesforce:Account', 'R' || n, $2 from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into mirror_rows (tenant, object, row_id, master, stamp, fingerprint, pending, taken, opportunity)
     select $1, 'Vendor_Order__c', 'O' || n, null::text, $2::timestamptz, 'f', null::bytea, true, 'V' || n
     from generate_series(1, ${LINKS}) n
     union all select $1, 'Vendor_Order_Line__c', 'O' || n || '/1', 'O' || n, null, 'f', null, true, null
     from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into mirror_rows (tenant, object, row_id, fingerprint, taken, seen, follow)
     select $1, 'product', 'P' || n, 'f', true, 'r1', 'R1' from generate_series(1, ${LINKS}) n
     union all select $1, 'component', 'P' || n || '/1', 'f', true, 'r1', null from generate_series(1, ${LINKS}) n`,
    [ACME],
  );
  await query(
    `insert into due_details (tenant, stream, row_id, stamp, retry_at)
     select $1, 'pullOrders', 'O' || n, $2, $2 from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into barred_pairs (tenant, crm_id, vendor_id, at)
     select $1, 'C' || n, 'W' || n, $2::timestamptz from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into audit_marks (tenant, key, vendor_at, crm_at)
     select $1, 'C' || n, $2::timestamptz, $2::timestamptz from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into backfill_rows (tenant, side, id, state)
     select $1, side, left(upper(side), 1) || n, state
     from generate_series(1, ${LINKS}) n, (values ('crm', 'found'), ('vendor', 'matched')) of (side, state)`,
    [ACME],
  );
  await query(
    `insert into tenants (tenant, declaration, state, version, change, changed_at)
     select 'T' || n, '{}', 'active', 1, n, $1::timestamptz from generate_series(1, ${LINKS}) n`,
    [at(0)],
  );
  await query(
    `insert into crm_calls (tenant, hour, calls, used, org_limit, told_at)
     select 'T' || n % 900, date_trunc('hour', $1::timestamptz) - n / 900 * interval '1 hour', 9, 9, 99, $1 from generate_series(1, ${LINKS}) n`,
    [at(0)],
  );
  await query('analyze');
});

const WRITE = { id: 'w', at: at(5), until: at(600) };

type Calls = Exclude<
  keyof Ledger,
  | 'close'
  | 'figures'
  | 'countByState'
  | 'countDiffering'
  | 'countByIssue'
  | 'countWaiting'
  | 'countMirrored'
  | 'keepRetention'
  | 'noteRestored'
  | 'exportTenant'
  | 'reseal'
  | 'sealingKeysInUse'
  | 'useDataKeys'
  | 'commitShown'
  | 'leaveUnseen'
  | 'catalogChanges'
  | 'markEdited'
  | 'countCatalog'
  | 'openBackfill'
  | 'countBackfill'
  | 'closeBackfill'
  | 'tenantRows'
  | 'eraseTenant'
  | 'reportUnavailable'
  | 'unavailableTenants'
>;

const BACKFILL = firstState('run', { since: at(0), from: 'both', share: 0.5 }, at(9));

/** Each call of the ledger as a record or a page makes it; the ones left out are about all of a tenant. */
const CALLS: Readonly<Record<Calls, (ledger: Ledger) => Promise<unknown>>> = {
  resolveLink: (l) => l.resolveLink(ACME, { crmId: 'C7', vendorId: 'V7' }, at(1)),
  adopt: async (l) => {
    await l.markDue(ACME, [{ crmId: 'N1' }, { vendorId: 'W1' }], at(1));
    const entry = { at: at(1), kind: 'adoption', summary: {}, decisions: [] } as const;
    return l.adopt(ACME, { crmId: 'N1', vendorId: 'W1' }, entry);
  },
  findLink: (l) => l.findLink(ACME, 'C7'),
  findLinkByIds: (l) => l.findLinkByIds(ACME, { crmId: 'C7', vendorId: 'V7' }),
  noteDetaching: (l) => l.noteDetaching(ACME, 'C7', at(10), at(5)),
  savePlan: (l) => savePlan(l, ACME, 'C7'),
  countLinked: (l) => l.countLinked(ACME, at(5), 100),
  loadPlan: async (l) => l.loadPlan(ACME, await savePlan(l, ACME, 'C7')),
  markSent: async (l) => l.markSent(ACME, await savePlan(l, ACME, 'C7'), leaving(1, 'update')),
  settle: (l) => l.settle(ACME, 'C7', { at: at(2), state: 'in-sync', base: BASE, doneSeq: 1 }),
  markDue: (l) => l.markDue(ACME, [{ crmId: 'C7' }, { vendorId: 'V8' }], at(3)),
  unseenRows: (l) => l.unseenRows(ACME, 'sweepSalesforce:Account', [{ rowId: 'R7', stamp: at(0) }]),
  parkRows: (l) => l.parkRows(ACME, 'sweepSalesforce:Account', ['not an id'], at(5)),
  settleRows: (l) =>
    l.settleRows(
      ACME,
      'pullOrders',
      { taken: ['O1'], refused: [{ id: 'O2', row: { Key__c: 'O2' }, reason: 'STRING_TOO_LONG' }] },
      at(5),
    ),
  refusedRows: (l) => l.refusedRows(ACME, 'pullOrders', at(5), 50),
  retryRefusedRows: (l) => l.retryRefusedRows(ACME, at(6)),
  moveCursor: (l) =>
    l.moveCursor(
      ACME,
      {
        stream: 'sweepSalesforce:Account',
        position: {},
        seen: { rows: [{ rowId: 'R7', stamp: at(0) }], forgetBefore: at(-5) },
      },
      at(5),
    ),
  markDetails: (l) =>
    l.markDetails(
      ACME,
      { stream: 'pullOrders', object: 'Vendor_Order__c' },
      [{ rowId: 'O7', stamp: at(1) }],
      { stream: 'pullOrders', position: {} },
      at(5),
    ),
  nextDetail: (l) => l.nextDetail(ACME, 'pullOrders', at(5)),
  postponeDetail: (l) => l.postponeDetail(ACME, 'pullOrders', 'O7', at(5)),
  mirrorWork: (l) =>
    l.mirrorWork(ACME, { stream: 'pullOrders', lanes: ['pullOrders'], objects: ['Vendor_Order__c'] }, at(9)),
  mirrorRows: (l) => l.mirrorRows(ACME, { object: 'Vendor_Order__c', id: 'O7' }),
  keepDetail: (l) =>
    l.keepDetail(ACME, 'pullOrders', {
      detail: { rowId: 'O7', stamp: at(1) },
      row: { object: 'Vendor_Order__c', id: 'O7' },
      stamp: at(1),
      opportunity: 'V7',
      changed: [
        { object: 'Vendor_Order__c', id: 'O7', fingerprint: 'g', fields: {} },
        { object: 'Vendor_Order_Line__c', id: 'O7/1', fingerprint: 'g', fields: {} },
      ],
    }),
  pendingRows: (l) =>
    l.pendingRows(ACME, { object: 'Vendor_Order_Line__c', masterObject: 'Vendor_Order__c' }, 1, 50),
  settleMirrored: (l) =>
    l.settleMirrored(ACME, 'Vendor_Order__c', [{ id: 'O7', isTaken: true, fingerprint: 'g' }], WRITE),
  markLeaving: (l) =>
    l.markLeaving(
      ACME,
      'Vendor_Order__c',
      ['O7', 'O8'].map((id) => ({ id, fingerprint: null, linkedTo: id.replace('O', 'C') })),
      WRITE,
    ),
  markUncertain: (l) => l.markUncertain(ACME, 'Vendor_Order__c', { ids: ['O7', 'O8'], details: true }, at(5)),
  renewUncertain: (l) =>
    l.renewUncertain(
      ACME,
      { stream: 'pullOrders', objects: ['Vendor_Order__c', 'Vendor_Order_Line__c'] },
      at(5),
      50,
    ),
  knownRows: (l) => l.knownRows(ACME, 'product', ['P7', 'P8'], at(5)),
  keepShown: (l) =>
    l.keepShown(
      ACME,
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
  keepMembers: (l) => l.keepMembers(ACME, 'r2', 'component', 'P7'),
  nextFollowed: (l) => l.nextFollowed(ACME, 'r1', 'product', 'P7'),
  readyRows: (l) => l.readyRows(ACME, 'product', 1, 50),
  noteGiven: (l) => l.noteGiven(ACME, 'currency', ['EUR']),
  unlinkedRows: (l) => l.unlinkedRows(ACME, 'Vendor_Order__c', at(LINKS - 5), 50),
  vendorKeys: (l) => l.vendorKeys(ACME),
  askForKey: (l) => l.askForKey(ACME, at(5)),
  keepKey: (l) => l.keepKey(ACME, { apiKey: 'k', hashedKey: 'h' }, at(5)),
  switchKey: (l) => l.switchKey(ACME, 'h', at(5)),
  proveKey: (l) => l.proveKey(ACME, 'h', at(5)),
  dropKey: (l) => l.dropKey(ACME, 'h'),
  setKey: (l) => l.setKey(ACME, 'k', at(5)),
  streamReads: (l) => l.streamReads(ACME),
  heedAsked: (l) => l.heedAsked(ACME, 'C7', at(1), at(5)),
  rowState: (l) => l.rowState(ACME, { object: 'Vendor_Order__c', id: 'O7' }),
  dueNotices: (l) => l.dueNotices(ACME, 'Vendor_Order__c', at(5), 10),
  settleNotice: async (l) => {
    await l.settleNotice(ACME, 'no such notice', 'refused', at(5));
    await l.settleNotice(ACME, 'no such notice', 'told', at(5));
  },
  dueTotals: (l) => l.dueTotals(ACME, at(5), 50),
  settleTotals: (l) => {
    const due = [{ opportunityId: 'C7', markedAt: at(0) }];
    return l.settleTotals(ACME, { told: due, refused: due }, at(5));
  },
  forgetRefusals: (l) => l.forgetRefusals(ACME, 'C7'),
  dueKeys: (l) => l.dueKeys(ACME, 50, at(1)),
  markRetries: (l) => l.markRetries(ACME, at(1), 50),
  countOnTheirWay: (l) => l.countOnTheirWay(ACME),
  dueTogether: (l) => l.dueTogether(ACME, ['V7'], 50),
  markWoken: (l) => l.markWoken(ACME, ['C7', 'C8'], at(4)),
  noteWaiting: (l) => l.noteWaiting(ACME, 'C7', 'turn'),
  untoldWaiting: (l) => l.untoldWaiting(ACME, at(1), 50),
  noteTold: (l) => l.noteTold(ACME, [{ key: 'C7', mark: 'm' }]),
  linkStatuses: (l) => l.linkStatuses(ACME, ['C7', 'C8']),
  activeCrmIds: (l) => l.activeCrmIds(ACME, ['C7', 'C8']),
  vendorIdsNotMarkedSince: (l) => l.vendorIdsNotMarkedSince(ACME, ['V7', 'V8'], at(0)),
  linkedPairs: (l) => l.linkedPairs(ACME, 'C5', 100),
  waitingFor: (l) => l.waitingFor(ACME, ['C7', 'C8']),
  unlink: (l) => l.unlink(ACME, { crmId: 'C9', vendorId: 'V9' }, at(3)),
  barredFrom: async (l) => [
    await l.barredFrom(ACME, { crmId: 'C7' }),
    await l.barredFrom(ACME, { vendorId: 'V7' }),
  ],
  cursor: (l) => l.cursor(ACME, 'sweepSalesforce:Account'),
  saveCursor: (l) => l.saveCursor(ACME, 'sweepSalesforce:Account', {}, at(5)),
  forgetCursors: (l) => l.forgetCursors(ACME, ['checkMirror:Account', 'checkMirror:Opportunity']),
  mirroredObjects: (l) => l.mirroredObjects(ACME, ['Vendor_Order__c', 'price']),
  recordDeliveries: (l) => l.recordDeliveries(ACME, [{ id: 'D7', source: 'event', crmIds: ['C7'] }], at(6)),
  markSignalled: (l) => l.markSignalled(ACME, ['D7'], at(6)),
  addToJournal: (l) => l.addToJournal(ACME, 'C7', { at: at(1), kind: 'look', summary: {}, decisions: [] }),
  pickSide: (l) =>
    l.pickSide(
      ACME,
      'C7',
      { field: 'name', side: 'crm' },
      { at: at(1), kind: 'decision', summary: {}, decisions: [] },
    ),
  auditedLinks: async (l) => [
    await l.auditedLinks(ACME, { crmIds: ['C7', 'C8'] }),
    await l.auditedLinks(ACME, { vendorIds: ['V7', 'V8'] }),
  ],
  noteAudited: (l) => l.noteAudited(ACME, ['C7', 'C8'], 'crm', at(5)),
  unauditedPairs: (l) => l.unauditedPairs(ACME, 'vendor', at(5), { after: 'C5', limit: 50 }),
  noteCodes: (l) => l.noteCodes(ACME, [{ field: 'status', code: 'ON_HOLD' }], at(5)),
  notedCodes: (l) => l.notedCodes(ACME),
  sizeBytes: (l) => l.sizeBytes(),
  quotas: (l) => l.quotas(ACME),
  reserveRequest: (l) => l.reserveRequest(ACME, 'vendor-sales', at(6)),
  reportQuota: (l) =>
    l.reportQuota(ACME, 'vendor-sales', { limit: 10, remaining: 5, resetSeconds: 60, at: at(6) }),
  pause: (l) => l.pause(ACME, 'vendor-sales', 'because', at(7)),
  resume: (l) => l.resume(ACME, 'vendor-sales', at(8)),
  pauses: (l) => l.pauses(ACME),
  pausedTenants: (l) => l.pausedTenants('vendor-sales'),
  // What is due is nowhere listed as in sync, and here everything is.
  listLinks: (l) => l.listLinks(ACME, { state: 'parked', limit: 20 }),
  journal: (l) => l.journal(ACME, 'C7', 5),
  noteFound: (l) => l.noteFound(ACME, { side: 'vendor', ids: ['V7', 'W7'] }, BACKFILL, at(9)),
  toMatch: (l) => l.toMatch(ACME, 50),
  noteMatched: (l) => l.noteMatched(ACME, 'W7', { crmIds: ['C7'], as: 'noted' }),
  advanceBackfill: async (l) => {
    await l.advanceBackfill(ACME, { side: 'crm', atOnce: 20, share: 0.5, fields: ['name'] }, at(9));
    await l.advanceBackfill(ACME, { side: 'crm', atOnce: 20, share: 0.5 }, at(9));
    return l.advanceBackfill(ACME, { side: 'vendor', atOnce: 20, share: 0.5 }, at(9));
  },
  noteWoken: (l) => l.noteWoken(ACME, 'vendor'),
  declareTenant: (l) => l.declareTenant('other', { content: {}, mapping: null, secrets: {} }, null, at(9)),
  tenantsSince: (l) => l.tenantsSince(LINKS - 5),
  destroyedKeys: (l) => l.destroyedKeys(ACME),
  removeTenant: (l) => l.removeTenant('T7', 1, at(9)),
  noteCrmCalls: (l) => l.noteCrmCalls([{ tenant: ACME, calls: 1, told: null }], at(9)),
  crmUse: (l) => l.crmUse([ACME, 'T8'], at(9)),
  forgetCrmCalls: (l) => l.forgetCrmCalls(at(9)),
  streamTimes: (l) => l.streamTimes([ACME, 'T8']),
  noteStreamFound: (l) => l.noteStreamFound(ACME, 'sweepSalesforce', at(9)),
  tenantsToWake: (l) => l.tenantsToWake([ACME, 'T8'], { before: at(9), untoldSince: at(9), at: at(9) }),
  ping: (l) => l.ping(),
};

describe(`in a tenant of ${LINKS} records`, () => {
  it.each(Object.keys(CALLS) as Calls[])('%s reads what it is about, and not the tenant', async (name) => {
    const sent = recordStatements();
    await CALLS[name](ledger);
    const statements = sent();
    const read = await rowsReadBy(url, statements);
    expect(statements).not.toHaveLength(0);
    expect(read.filter(({ rows }) => rows > MOST_ROWS)).toEqual([]);
  });
});
