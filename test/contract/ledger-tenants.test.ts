import { beforeAll, describe, expect, it } from 'vitest';
import { firstState } from '../../src/domain/backfill/backfill.ts';
import { DEFAULT_RETENTION } from '../../src/domain/record/retention.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import {
  at,
  BASE,
  DECISION,
  ISSUE,
  leaving,
  PRIVATE_VALUES,
  savePlan,
  VENDOR_SEEN,
} from '../support/ledger/ledger-samples.ts';
import { aMessage, OPEN } from '../support/ledger/notice-calls.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query } = await withLedger();

const ORDERS = { object: 'Vendor_Order__c', masterObject: null };

const BACKFILL = firstState('run', { since: at(0), from: 'both', share: 0.5 }, at(0));

/** Fills every table for a tenant with the same ids and the same private values; the plan's id. */
async function fill(tenant: string): Promise<string> {
  await ledger.markDue(tenant, [{ crmId: 'C1' }, { vendorId: 'V1' }, { vendorId: 'V2' }], at(0), {
    stream: 'sweep',
    position: {},
    seen: { rows: [{ rowId: 'C1', stamp: at(0) }], forgetBefore: at(0) },
  });
  const planId = await savePlan(ledger, tenant, 'C1');
  await ledger.markSent(tenant, planId, leaving(1, 'update'));
  const line = { at: at(2), kind: 'decision', summary: { trigger: 'poll' }, decisions: [DECISION] } as const;
  const values = {
    at: at(2),
    base: BASE,
    vendorObservation: VENDOR_SEEN,
    issues: [ISSUE],
    journal: [line],
  } as const;
  await ledger.settle(tenant, 'C1', { ...values, planId, outcome: 'applied', state: 'parked' });
  await ledger.settle(tenant, 'vendor:V1', values);
  await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(3));
  const apart = { crmId: 'C3', vendorId: 'V3' };
  await ledger.resolveLink(tenant, apart, at(3));
  await ledger.unlink(tenant, apart, at(3));
  await ledger.noteAudited(tenant, ['C3'], 'differs', at(3));
  await ledger.saveCursor(tenant, 'poll', { until: at(0) }, at(0));
  await ledger.parkRows(tenant, 'poll', PRIVATE_VALUES, at(0));
  const refused = PRIVATE_VALUES.map((value) => ({
    id: value,
    row: { Name: value },
    reason: 'STRING_TOO_LONG',
  }));
  await ledger.settleRows(tenant, 'poll', { taken: [], refused }, at(0));
  const order = { object: 'Vendor_Order__c', id: 'O1' };
  await ledger.markDetails(
    tenant,
    { stream: 'orders', object: order.object },
    ['O1', 'O2'].map((rowId) => ({ rowId, stamp: at(0) })),
    { stream: 'orders', position: {} },
    at(0),
  );
  const fields = Object.fromEntries(PRIVATE_VALUES.map((value, n) => [`Field_${n}__c`, value]));
  await ledger.keepDetail(tenant, 'orders', {
    detail: { rowId: 'O1', stamp: at(0) },
    row: order,
    modifiedAt: at(0),
    stamp: at(0),
    opportunity: 'V1',
    changed: [{ ...order, fingerprint: 'f', fields }],
    known: { state: fields, news: fields, at: at(0) },
  });
  await ledger.noteCodes(tenant, [{ field: 'status', code: 'ON_HOLD' }], at(0));
  const write = { id: 'w', at: at(3), until: at(600) };
  await ledger.markLeaving(tenant, order.object, [{ id: 'O1', fingerprint: 'f', linkedTo: null }], write);
  await ledger.settleMirrored(tenant, order.object, [{ id: 'O1', isTaken: true, linkedTo: 'C1' }], write);
  await ledger.setKey(tenant, PRIVATE_VALUES.join(' '), at(0));
  await ledger.keepKey(tenant, { apiKey: PRIVATE_VALUES.join(' '), hashedKey: 'hash' }, at(0));
  await ledger.recordDeliveries(tenant, [{ id: 'd1', source: 'outbound-message', crmIds: ['C1'] }], at(3));
  await ledger.markSignalled(tenant, ['d1'], at(3));
  await ledger.reportQuota(tenant, 'vendor-sales', { limit: 10, remaining: 0, resetSeconds: 60, at: at(3) });
  await ledger.pause(tenant, 'salesforce', 'HTTP_401', at(3));
  await ledger.openBackfill(tenant, BACKFILL, at(3));
  await ledger.noteFound(tenant, { side: 'vendor', ids: ['V8', 'V9'] }, BACKFILL, at(3));
  const secrets = Object.fromEntries(PRIVATE_VALUES.map((value, n) => [`place.${n}`, value]));
  await ledger.declareTenant(tenant, { content: { tenant }, mapping: null, secrets }, null, at(3));
  const mapping = { text: PRIVATE_VALUES.join(' '), files: 'f', takenBackTo: null, by: 'ada', reason: 'r' };
  await ledger.publishMapping(tenant, mapping, 0, at(3));
  await ledger.reportUnavailable(`worker of ${tenant}`, [{ tenant, reason: 'it has no key' }], at(3));
  return planId;
}

/** All that the ledger tells about a tenant. */
async function everything(tenant: string, planId: string): Promise<unknown> {
  return {
    byKey: await ledger.findLink(tenant, 'C1'),
    byAlias: await ledger.findLink(tenant, 'vendor:V1'),
    byIds: await ledger.findLinkByIds(tenant, { vendorId: 'V2' }),
    plan: await ledger.loadPlan(tenant, planId),
    barred: await ledger.barredFrom(tenant, { crmId: 'C3' }),
    differing: await ledger.countDiffering(tenant, at(3)),
    due: await ledger.dueKeys(tenant, 10),
    notMarked: await ledger.vendorIdsNotMarkedSince(tenant, ['V1'], at(0)),
    cursor: await ledger.cursor(tenant, 'poll'),
    unseen: await ledger.unseenRows(tenant, 'sweep', [{ rowId: 'C1', stamp: at(0) }]),
    refused: await ledger.refusedRows(tenant, 'poll', at(86_400), 10),
    nextDetail: await ledger.nextDetail(tenant, 'orders', at(86_400)),
    mirrored: await ledger.mirrorRows(tenant, { object: 'Vendor_Order__c', id: 'O1' }),
    pending: await ledger.pendingRows(tenant, ORDERS, 1, 10),
    unlinked: await ledger.unlinkedRows(tenant, ORDERS.object, at(-99), 10),
    totals: await ledger.dueTotals(tenant, at(86_400), 10),
    counted: await ledger.countMirrored(tenant),
    keys: await ledger.vendorKeys(tenant),
    pauses: await ledger.pauses(tenant),
    codes: await ledger.notedCodes(tenant),
    backfill: await ledger.countBackfill(tenant),
    toMatch: await ledger.toMatch(tenant, 10),
    list: await ledger.listLinks(tenant, { limit: 10 }),
    counts: await ledger.countByState(tenant),
    journal: await ledger.journal(tenant, 'C1', 10),
  };
}

describe('two tenants with the same ids', () => {
  let acmePlan: string;
  let acmeSeen: unknown;
  beforeAll(async () => {
    acmePlan = await fill('acme');
    acmeSeen = await everything('acme', acmePlan);
  });

  it('shows nothing of one to the other', async () => {
    expect(await everything('umbrella', acmePlan)).toEqual({
      byKey: null,
      byAlias: null,
      byIds: null,
      plan: null,
      barred: [],
      differing: 0,
      due: [],
      notMarked: ['V1'],
      cursor: null,
      unseen: [{ rowId: 'C1', stamp: at(0) }],
      refused: [],
      nextDetail: null,
      mirrored: [],
      pending: [],
      unlinked: [],
      totals: [],
      counted: { shown: 0, toRead: 0, toLoad: 0, toWrite: 0 },
      keys: null,
      pauses: [],
      codes: [],
      backfill: await ledger.countBackfill('nobody'),
      toMatch: [],
      list: [],
      counts: {},
      journal: [],
    });
    expect(await ledger.reserveRequest('umbrella', 'vendor-sales', at(4))).toEqual({ allowed: true });
  });

  it('lets one change nothing of the other, through any method', async () => {
    await expect(ledger.settle('umbrella', 'C1', { at: at(5), base: null })).rejects.toMatchObject({
      code: 'UNKNOWN_LINK',
    });
    await expect(ledger.markSent('umbrella', acmePlan, leaving(5, 'create'))).rejects.toMatchObject({
      code: 'UNKNOWN_PLAN',
    });
    const own = await fill('umbrella');
    await expect(ledger.settle('umbrella', 'C1', { at: at(6), planId: acmePlan })).rejects.toMatchObject({
      code: 'UNKNOWN_PLAN',
    });
    await ledger.settle('umbrella', 'C1', {
      at: at(6),
      planId: own,
      observedGeneration: 99,
      base: null,
      state: 'detached',
    });
    await ledger.markDue('umbrella', [{ crmId: 'C1', vendorId: 'V2' }, { vendorId: 'V2' }], at(6), {
      stream: 'sweep',
      position: {},
      seen: { rows: [], forgetBefore: at(6) },
    });
    await ledger.markWoken('umbrella', ['C1', 'V2'], at(60));
    await ledger.saveCursor('umbrella', 'poll', 'moved', at(6));
    await ledger.recordDeliveries('umbrella', [{ id: 'd2', source: 'json', crmIds: ['C1'] }], at(6));
    const least = { journalDays: 1, plansMs: 1_000, deliveriesMs: 1_000 };
    expect(await ledger.keepRetention('umbrella', least, at(99))).toMatchObject({ deliveries: 2 });
    await ledger.reportQuota('umbrella', 'vendor-sales', {
      limit: 99,
      remaining: 99,
      resetSeconds: 9,
      at: at(6),
    });
    await ledger.resume('umbrella', 'salesforce', at(6));
    await ledger.switchKey('umbrella', 'hash', at(6));
    await ledger.proveKey('umbrella', 'hash', at(6));
    await ledger.dropKey('umbrella', 'hash');
    await ledger.postponeDetail('umbrella', 'orders', 'O2', at(6));
    const write = { id: 'w', at: at(6), until: at(600) };
    const rows = [{ id: 'O1', fingerprint: null, linkedTo: null }];
    await ledger.markLeaving('umbrella', ORDERS.object, rows, write);
    await ledger.settleMirrored(
      'umbrella',
      ORDERS.object,
      [{ id: 'O1', isTaken: true, fingerprint: 'f', linkedTo: 'C9' }],
      write,
    );
    await ledger.settleTotals(
      'umbrella',
      {
        written: [{ opportunityId: 'C1', markedAt: at(3) }],
        refused: [{ opportunityId: 'C9', markedAt: at(6) }],
      },
      at(6),
    );
    await ledger.noteMatched('umbrella', 'V8', { crmIds: ['C1'], as: 'noted' });
    await ledger.advanceBackfill('umbrella', { side: 'vendor', atOnce: 2, share: 0.5 }, at(6));
    await ledger.noteWoken('umbrella', 'vendor');
    await ledger.closeBackfill('umbrella', BACKFILL, at(6));
    await ledger.noteCodes('umbrella', [{ field: 'status', code: 'ON_HOLD' }], at(6));
    await ledger.acceptSyncRequest('umbrella', 'C1', at(6), at(6));
    await ledger.markInDoubt('umbrella', ORDERS.object, { ids: ['O1'], details: true }, at(6));
    await ledger.renewInDoubt('umbrella', { stream: 'orders', objects: [ORDERS.object] }, at(6), 9);
    expect(await everything('acme', acmePlan)).toEqual(acmeSeen);
    expect(await ledger.reserveRequest('acme', 'vendor-sales', at(6))).toEqual({
      allowed: false,
      until: at(63),
    });
    expect(await ledger.recordDeliveries('acme', [{ id: 'd1', source: 'json', crmIds: ['C1'] }], at(6))).toMatchObject([
      { fresh: false },
    ]);
  });

  it('opens no sealed value of one in a row of the other', async () => {
    await query(
      "update links u set base = a.base from links a where a.tenant = 'acme' and a.key = 'C1' and u.tenant = 'umbrella' and u.key = 'C1'",
    );
    await expect(ledger.findLink('umbrella', 'C1')).rejects.toMatchObject({
      name: 'SealingError',
      code: 'refused',
    });
    expect((await ledger.findLink('acme', 'C1'))?.base).toEqual(BASE);
  });
});

describe('the database', () => {
  it('holds no private value in clear, in any column of any table', async () => {
    await fill('secretive');
    await fillCounted('secretive');
    const tables = await query(
      `select table_name from information_schema.tables
       where table_schema = 'public' and not (select relispartition from pg_class where oid = to_regclass(quote_ident(table_name)))
       order by 1`,
    );
    const names = tables.map((row) => String(row['table_name']));
    expect(names).toEqual(
      expect.arrayContaining(['links', 'plans', 'journal', 'deliveries', 'cursors', 'quota', 'pauses']),
    );
    // These name no tenant.
    const withoutTenant = /^(kysely_|restores$|console_tokens$|data_keys_in_use$|shard_readers$)/;
    for (const name of names.filter((table) => !withoutTenant.test(table))) {
      const text = await dump(name);
      expect(text, name).toContain('secretive');
      for (const value of PRIVATE_VALUES) {
        expect(text, name).not.toContain(value);
        // bytea is shown as hexadecimal digits.
        expect(text, name).not.toContain(Buffer.from(value).toString('hex'));
      }
    }
  });

  it('has them all, sealed', async () => {
    const shown = JSON.stringify(await everythingOf(ledger));
    for (const value of PRIVATE_VALUES) expect(shown).toContain(value);
  });
});

/** What only time brings about. */
async function fillCounted(tenant: string): Promise<void> {
  await ledger.keepRetention(tenant, { ...DEFAULT_RETENTION, deliveriesMs: 1_000 }, at(99));
  await ledger.recordDeliveries(tenant, [{ id: 'd1', source: 'json', crmIds: ['C1'] }], at(100));
  await ledger.noteCrmCalls([{ tenant, calls: 1, orgUse: null }], at(100));
  const undo = { scope: { of: 'last' }, key: 'C1', share: 0.5 } as const;
  await ledger.openUndo(tenant, { run: 'undo', begunAt: at(100), isOver: false, order: undo }, at(100));
  const noticed = { generation: 0, changed: [OPEN], removed: [], messages: [aMessage()] };
  await ledger.saveNoticeStates(tenant, noticed, at(100));
  await ledger.recordAction({
    ...{
      action: '00000000-0000-4000-8000-000000000001',
      at: at(100),
      phase: 'attempted',
      verb: 'tenants pause',
    },
    ...{ tenants: [tenant], details: {}, reason: null, user: 'operator', host: 'host', error: null },
  });
}

async function dump(table: string): Promise<string> {
  return (await query(`select t::text as line from "${table}" t`)).map((row) => row['line']).join('\n');
}

async function everythingOf(of: Ledger): Promise<unknown> {
  const plans = await query("select id from plans where tenant = 'secretive'");
  return Promise.all([
    of.findLink('secretive', 'C1'),
    of.loadPlan('secretive', String(plans[0]?.['id'])),
    of.journal('secretive', 'C1', 9),
    of.pendingRows('secretive', ORDERS, 1, 9),
  ]);
}
