import { describe, expect, it } from 'vitest';
import type {
  LeavingRow,
  MirrorChange,
  MirrorObject,
  ReadDetail,
  SettledRow,
} from '../../src/ledger/mirror/mirror-ledger.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** What the ledger remembers of mirrored rows. */

const { ledger, query, url } = await withLedger();

const [ORDER, LINE, STREAM] = ['Vendor_Order__c', 'Vendor_Order_Line__c', 'pullOrders'];
const ORDERS: MirrorObject = { object: ORDER, masterObject: null };
const LINES: MirrorObject = { object: LINE, masterObject: ORDER };
const HOUR = 3600;

const change = (object: string, id: string, fingerprint: string, more: object = {}): MirrorChange => ({
  object,
  id,
  fingerprint,
  fields: { Key__c: id, ...more },
});
const readOf = (
  id: string,
  stamp: string | null,
  changed: readonly MirrorChange[],
  more: Partial<ReadDetail> = {},
) => ({
  detail: { rowId: id, stamp },
  row: { object: ORDER, id },
  modifiedAt: stamp,
  stamp,
  opportunity: null,
  changed,
  ...more,
});
const mark = (tenant: string, ...rows: readonly (readonly [string, string | null])[]) =>
  ledger.markDetails(
    tenant,
    { stream: STREAM, object: ORDER },
    rows.map(([rowId, stamp]) => ({ rowId, stamp })),
    { stream: STREAM, position: {} },
    at(0),
  );
const keep = (tenant: string, read: ReadDetail) => ledger.keepDetail(tenant, STREAM, read);
let writes = 0;
/** A write that leaves and is settled with nobody in between. */
async function settle(tenant: string, object: string, rows: readonly SettledRow[]): Promise<void> {
  writes += 1;
  const write = { id: `w${writes}`, at: at(0), until: at(600) };
  await ledger.markLeaving(
    tenant,
    object,
    rows.map(({ id }) => ({ id, fingerprint: null, linkedTo: null })),
    write,
  );
  await ledger.settleMirrored(tenant, object, rows, write);
}
const ids = async (tenant: string, of = ORDERS, least = 1): Promise<readonly string[]> =>
  (await ledger.pendingRows(tenant, of, least, 10)).map(({ id }) => id);

describe('details to be read', () => {
  it('are first those of rows that changed last, and last those of rows that do not say when', async () => {
    await mark('order', ['OLD', at(1)], ['BARE', null], ['NEW', at(9)], ['LESS', at(5)]);
    const read: string[] = [];
    for (let next = await ledger.nextDetail('order', STREAM, at(10)); next !== null; ) {
      read.push(next.rowId);
      await keep('order', readOf(next.rowId, next.stamp, []));
      next = await ledger.nextDetail('order', STREAM, at(10));
    }
    expect(read).toEqual(['NEW', 'LESS', 'OLD', 'BARE']);
  });

  it('are those of rows in a state that was not read, once each, and the cursor moves with them', async () => {
    expect(await mark('read', ['A', at(1)], ['B', null], ['A', at(2)])).toBe(2);
    expect(await ledger.cursor('read', STREAM)).toEqual({});
    expect(await ledger.nextDetail('read', STREAM, at(0))).toEqual({ rowId: 'A', stamp: at(2) });
    await keep('read', readOf('A', at(2), [change(ORDER, 'A', 'f')]));
    await keep('read', readOf('B', null, [change(ORDER, 'B', 'f')]));
    expect(await ledger.nextDetail('read', STREAM, at(0))).toBeNull();
    expect(await mark('read', ['A', at(2)], ['B', null])).toBe(0);
    expect(await mark('read', ['A', at(3)], ['B', at(3)], ['C', null])).toBe(3);
  });

  it('are read again where the state that was read had not settled', async () => {
    await mark('unsettled', ['A', at(1)]);
    await keep('unsettled', readOf('A', at(1), [change(ORDER, 'A', 'f')], { stamp: null }));
    expect(await mark('unsettled', ['A', at(1)])).toBe(1);
  });

  it('stay due where they changed while they were read', async () => {
    await mark('moved', ['A', at(1)]);
    await mark('moved', ['A', at(2)]);
    await keep('moved', readOf('A', at(1), [change(ORDER, 'A', 'f')]));
    expect(await ledger.nextDetail('moved', STREAM, at(0))).toEqual({ rowId: 'A', stamp: at(2) });
  });

  it('stay due where an older version was read than a search has shown, which is given to the CRM all the same', async () => {
    const seen = { rows: [{ rowId: 'A', stamp: at(2) }], forgetBefore: at(0) };
    const found = { stream: STREAM, object: ORDER };
    await ledger.markDetails(
      'cached',
      found,
      [{ rowId: 'A', stamp: at(2) }],
      { stream: STREAM, position: {}, seen },
      at(0),
    );
    const older = readOf('A', at(1), [change(ORDER, 'A', 'f1')], { detail: { rowId: 'A', stamp: at(2) } });
    expect(await keep('cached', older)).toBe(false);
    expect(await ledger.nextDetail('cached', STREAM, at(0))).toEqual({ rowId: 'A', stamp: at(2) });
    expect(await ids('cached')).toEqual(['A']);
    expect(await keep('cached', readOf('A', at(2), [change(ORDER, 'A', 'f2')]))).toBe(true);
    expect(await ledger.nextDetail('cached', STREAM, at(0))).toBeNull();
  });

  it('that an operator or a doubt made due are done with the version that a search has shown', async () => {
    const seen = { rows: [{ rowId: 'A', stamp: at(2) }], forgetBefore: at(0) };
    await ledger.markDetails(
      'chosen',
      { stream: STREAM, object: ORDER },
      [{ rowId: 'B', stamp: null }],
      {
        ...{ stream: STREAM, position: {}, seen },
      },
      at(0),
    );
    await ledger.chooseOpportunity('chosen', { stream: STREAM, object: ORDER, ids: ['A'], opportunityId: 'C1' }, at(9));
    const read = readOf('A', at(2), [change(ORDER, 'A', 'f')], { detail: { rowId: 'A', stamp: at(9) } });
    expect(await keep('chosen', read)).toBe(true);
    expect(await ledger.nextDetail('chosen', STREAM, at(9))).toMatchObject({ rowId: 'B' });
  });

  it('that cannot be read wait longer each time, and hold nobody up; a change has them read at once', async () => {
    await mark('late', ['A', at(1)], ['B', at(1)]);
    await ledger.postponeDetail('late', STREAM, 'A', at(0));
    expect(await ledger.nextDetail('late', STREAM, at(1))).toMatchObject({ rowId: 'B' });
    await keep('late', readOf('B', at(1), []));
    // After 1, 5, 15 and 60 minutes, then hours.
    let due = 0;
    for (const minutes of [1, 5, 15, 60, 120, 240]) {
      const next = due + minutes * (HOUR / 60);
      expect(await ledger.nextDetail('late', STREAM, at(next - 1))).toBeNull();
      expect(await ledger.nextDetail('late', STREAM, at(next))).toMatchObject({ rowId: 'A' });
      await ledger.postponeDetail('late', STREAM, 'A', at(next));
      due = next;
    }
    for (let time = 0; time < 20; time += 1) await ledger.postponeDetail('late', STREAM, 'A', at(0));
    expect(await ledger.nextDetail('late', STREAM, at(24 * HOUR))).toMatchObject({ rowId: 'A' });
    await ledger.postponeDetail('late', STREAM, 'A', at(24 * HOUR));
    expect(await mark('late', ['A', at(9)])).toBe(1);
    expect(await ledger.nextDetail('late', STREAM, at(0))).toMatchObject({ rowId: 'A' });
  });
});

it('rows that cannot be read are counted, and tried again on a person’s word', async () => {
  const result = async () => (await ledger.streamReads('told')).map(({ refusedRows }) => refusedRows);
  await mark('told', ['A', at(1)], ['B', at(1)]);
  expect(await result()).toEqual([{}]);
  await ledger.postponeDetail('told', STREAM, 'A', at(0));
  await mark('neighbour', ['A', at(1)]);
  await ledger.postponeDetail('neighbour', STREAM, 'A', at(0));
  expect(await result()).toEqual([{ UNREADABLE: 1 }]);
  expect(await ledger.retryRefusedRows('told', at(1))).toBe(1);
  await keep('told', readOf('B', at(1), []));
  expect(await ledger.nextDetail('told', STREAM, at(1))).toMatchObject({ rowId: 'A' });
  expect(await ledger.nextDetail('neighbour', STREAM, at(1))).toBeNull();
});

describe('rows to be given to the CRM', () => {
  it('are kept sealed, and wait until it takes them', async () => {
    await keep('rows', readOf('A', at(1), [change(ORDER, 'A', 'f1', { Secret__c: 'secret one' })]));
    const [row] = await ledger.pendingRows('rows', ORDERS, 1, 10);
    expect(row).toEqual({
      id: 'A',
      fingerprint: 'f1',
      fields: { Key__c: 'A', Secret__c: 'secret one' },
      opportunityId: undefined,
    });
    const stored = await query(`select encode(pending, 'escape') as text from mirror_rows where tenant = 'rows'`);
    expect(String(stored[0]?.['text'])).not.toContain('secret');
    await settle('rows', ORDER, [{ id: 'A', isTaken: true, fingerprint: 'f1' }]);
    expect(await ids('rows')).toEqual([]);
    expect(await ledger.mirrorRows('rows', { object: ORDER, id: 'A' })).toEqual([
      { object: ORDER, id: 'A', fingerprint: 'f1' },
    ]);
  });

  it('stay where they became others while they were written', async () => {
    await keep('other', readOf('A', at(1), [change(ORDER, 'A', 'f1')]));
    await keep('other', readOf('A', at(2), [change(ORDER, 'A', 'f2')]));
    await settle('other', ORDER, [{ id: 'A', isTaken: true, fingerprint: 'f1' }]);
    expect(await ledger.pendingRows('other', ORDERS, 1, 10)).toMatchObject([{ fingerprint: 'f2' }]);
  });

  it('that were refused are kept elsewhere, and their details wait', async () => {
    await keep('refused', readOf('A', at(1), [change(ORDER, 'A', 'f'), change(LINE, 'A/1', 'f')]));
    await settle('refused', ORDER, [{ id: 'A', isTaken: false, fingerprint: 'f' }]);
    expect([await ids('refused'), await ids('refused', LINES)]).toEqual([[], []]);
    await settle('refused', ORDER, [{ id: 'A', isTaken: true }]);
    expect(await ids('refused', LINES)).toEqual(['A/1']);
  });

  it('are those of the newest version, in whichever order versions were read', async () => {
    const newer = readOf('A', at(2), [change(ORDER, 'A', 'f2'), change(LINE, 'A/1', 'f2')], { opportunity: 'V2' });
    expect(await keep('newest', newer)).toBe(true);
    const older = readOf('A', at(1), [change(ORDER, 'A', 'f1'), change(LINE, 'A/2', 'f1')], { opportunity: 'V1' });
    expect(await keep('newest', older)).toBe(false);
    expect(await keep('newest', { ...older, stamp: null })).toBe(false);
    const rows = await ledger.mirrorRows('newest', { object: ORDER, id: 'A' });
    expect(rows.map(({ id, fingerprint }) => `${id} ${fingerprint}`).sort()).toEqual(['A f2', 'A/1 f2']);
    expect(await mark('newest', ['A', at(2)])).toBe(0);
  });

  it('are those of the newest version, also where two workers first read the row at once', async () => {
    const reads = [3, 1, 2].map((n) => keep('raced', readOf('A', at(n), [change(ORDER, 'A', `f${n}`)])));
    await Promise.all(reads);
    expect(await ledger.mirrorRows('raced', { object: ORDER, id: 'A' })).toMatchObject([{ fingerprint: 'f3' }]);
  });

  it('come when there are enough of them, and no more than asked for', async () => {
    for (const id of ['A', 'B', 'C']) await keep('many', readOf(id, at(1), [change(ORDER, id, 'f')]));
    expect(await ids('many', ORDERS, 4)).toEqual([]);
    expect(await ids('many', ORDERS, 3)).toEqual(['A', 'B', 'C']);
    expect(await ledger.pendingRows('many', ORDERS, 1, 2)).toHaveLength(2);
  });

  it('stay in the database until there are enough of them', async () => {
    for (const id of ['A', 'B', 'C']) await keep('few', readOf(id, at(1), [change(ORDER, id, 'f')]));
    await query(`insert into mirror_rows (tenant, object, row_id, fingerprint, pending)
      values ('few', 'product', 'P1', 'f', '\\x00'), ('few', 'product', 'P2', 'f', '\\x00')`);
    const sent = recordStatements(url);
    expect(await ledger.pendingRows('few', ORDERS, 4, 10)).toEqual([]);
    expect(await ledger.readyRows('few', 'product', 3, 10)).toEqual([]);
    const statements = sent().filter(({ text }) => text.includes('mirror_rows'));
    expect(statements).toHaveLength(2);
    for (const { text, values } of statements) expect(await query(text, [...values])).toEqual([]);
  });

  it('wait for their master, which has to be taken once', async () => {
    await keep('master', readOf('A', at(1), [change(ORDER, 'A', 'f'), change(LINE, 'A/1', 'f')]));
    expect(await ids('master', LINES)).toEqual([]);
    await settle('master', ORDER, [{ id: 'A', isTaken: true }]);
    expect([await ids('master'), await ids('master', LINES)]).toEqual([['A'], ['A/1']]);
    expect(await ledger.mirrorRows('master', { object: ORDER, id: 'A' })).toHaveLength(2);
  });
});

describe('the opportunity of a row', () => {
  const link = (tenant: string, crmId: string, vendorId: string) =>
    ledger.resolveLink(tenant, { crmId, vendorId }, at(100));
  const withOpportunity = (vendorId: string | null, fingerprint = 'f') =>
    readOf('A', at(1), [change(ORDER, 'A', fingerprint)], { opportunity: vendorId });
  const unlinked = (tenant: string, since = at(0)) => ledger.unlinkedRows(tenant, ORDER, since, 10);

  it('is given with the row, null while nobody knows it', async () => {
    await keep('link', withOpportunity('V1'));
    expect(await ledger.pendingRows('link', ORDERS, 1, 10)).toMatchObject([{ opportunityId: null }]);
    await link('link', 'C1', 'V1');
    expect(await ledger.pendingRows('link', ORDERS, 1, 10)).toMatchObject([{ opportunityId: 'C1' }]);
  });

  it('that comes later is linked later, once', async () => {
    await keep('later', withOpportunity('V1'));
    expect(await unlinked('later')).toEqual([]);
    await link('later', 'C1', 'V1');
    // An order that the CRM does not have is not made by its link.
    expect(await unlinked('later')).toEqual([]);
    await settle('later', ORDER, [{ id: 'A', isTaken: true, fingerprint: 'f' }]);
    expect(await unlinked('later', at(101))).toEqual([]);
    expect(await unlinked('later')).toEqual([{ id: 'A', opportunityId: 'C1' }]);
    await settle('later', ORDER, [{ id: 'A', isTaken: true, linkedTo: 'C1' }]);
    expect(await unlinked('later')).toEqual([]);
  });

  it('is taken away with the row that names it no longer', async () => {
    await link('away', 'C1', 'V1');
    await keep('away', withOpportunity('V1'));
    await settle('away', ORDER, [{ id: 'A', isTaken: true, fingerprint: 'f', linkedTo: 'C1' }]);
    await keep('away', withOpportunity(null, 'f2'));
    expect(await ledger.pendingRows('away', ORDERS, 1, 10)).toMatchObject([{ opportunityId: null }]);
  });

  it('shows nothing of another tenant', async () => {
    await link('one', 'C1', 'V1');
    await keep('two', withOpportunity('V1'));
    expect(await ledger.pendingRows('two', ORDERS, 1, 10)).toMatchObject([{ opportunityId: null }]);
    expect(await ids('one')).toEqual([]);
  });
});

describe('a write of rows', () => {
  const leave = (tenant: string, write: string, fingerprint: string, more: Partial<LeavingRow> = {}) =>
    ledger.markLeaving(tenant, ORDER, [{ id: 'A', fingerprint, linkedTo: null, ...more }], {
      id: write,
      at: at(0),
      until: at(600),
    });
  const settled = (tenant: string, write: string, fingerprint: string, when = 1) =>
    ledger.settleMirrored(tenant, ORDER, [{ id: 'A', isTaken: true, fingerprint }], {
      id: write,
      at: at(when),
    });
  const renewed = (tenant: string, when: number) =>
    ledger.renewInDoubt(tenant, { stream: STREAM, objects: [ORDER, LINE] }, at(when), 10);

  it('leaves while the row is what it writes, linked to what the ledger knows', async () => {
    await keep('leave', readOf('A', at(1), [change(ORDER, 'A', 'f1')], { opportunity: 'V1' }));
    await ledger.resolveLink('leave', { crmId: 'C1', vendorId: 'V1' }, at(0));
    expect(await leave('leave', 'w', 'f1', { linkedTo: 'C1' })).toEqual(['A']);
    expect(await leave('leave', 'w', 'f1', { linkedTo: 'C2' })).toEqual([]);
    expect(await leave('leave', 'w', 'f1', { id: 'B' })).toEqual([]);
    await keep('leave', readOf('A', at(2), [change(ORDER, 'A', 'f2')], { opportunity: 'V1' }));
    expect(await leave('leave', 'w', 'f1')).toEqual([]);
    expect(await leave('another', 'w', 'f2')).toEqual([]);
  });

  it('that nobody comes between leaves nothing uncertain', async () => {
    await keep('alone', readOf('A', at(1), [change(ORDER, 'A', 'f1')]));
    await leave('alone', 'w1', 'f1');
    await settled('alone', 'w1', 'f1');
    await keep('alone', readOf('A', at(2), [change(ORDER, 'A', 'f2')]));
    await leave('alone', 'w2', 'f2');
    await settled('alone', 'w2', 'f2');
    expect(await renewed('alone', 10_000)).toBe(0);
  });

  it('that dies is uncertain when it can arrive no longer, and the row is then read and given again', async () => {
    await keep('died', readOf('A', at(1), [change(ORDER, 'A', 'f1')]));
    await leave('died', 'w1', 'f1');
    await keep('died', readOf('A', at(2), [change(ORDER, 'A', 'f2')]));
    await leave('died', 'w2', 'f2');
    await settled('died', 'w2', 'f2');
    expect(await renewed('died', 599)).toBe(0);
    expect(await renewed('died', 600)).toBe(1);
    expect(await renewed('died', 601)).toBe(0);
    expect(await ledger.nextDetail('died', STREAM, at(600))).toEqual({ rowId: 'A', stamp: null });
    const [row] = await ledger.mirrorRows('died', { object: ORDER, id: 'A' });
    expect(row?.fingerprint).not.toBe('f2');
  });

  it('that comes back late makes the row uncertain at once', async () => {
    await keep('late', readOf('A', at(1), [change(ORDER, 'A', 'f1')]));
    await leave('late', 'w1', 'f1');
    await leave('late', 'w2', 'f1');
    await settled('late', 'w2', 'f1');
    await settled('late', 'w1', 'f1', 5);
    expect(await renewed('late', 4)).toBe(0);
    expect(await renewed('late', 5)).toBe(1);
  });

  it('uncertain is settled by what waits to be given anyway', async () => {
    await keep('waits', readOf('A', at(1), [change(ORDER, 'A', 'f1')]));
    await ledger.markInDoubt('waits', ORDER, { ids: ['A'], details: false }, at(0));
    expect(await renewed('waits', 1)).toBe(1);
    expect(await ledger.nextDetail('waits', STREAM, at(9))).toBeNull();
    expect(await ledger.pendingRows('waits', ORDERS, 1, 10)).toMatchObject([{ fingerprint: 'f1' }]);
    expect(await renewed('waits', 1)).toBe(0);
  });

  it('is uncertain with the details, where they may have gone too', async () => {
    await keep('gone', readOf('A', at(1), [change(ORDER, 'A', 'f'), change(LINE, 'A/1', 'f')]));
    await settle('gone', ORDER, [{ id: 'A', isTaken: true, fingerprint: 'f' }]);
    await settle('gone', LINE, [{ id: 'A/1', isTaken: true, fingerprint: 'f' }]);
    await ledger.markInDoubt('gone', ORDER, { ids: ['A'], details: false }, at(0));
    expect(await renewed('gone', 1)).toBe(1);
    await ledger.markInDoubt('gone', ORDER, { ids: ['A'], details: true }, at(0));
    expect(await renewed('gone', 1)).toBe(2);
    await ledger.markInDoubt('neighbour', ORDER, { ids: ['A'], details: true }, at(0));
    expect(await renewed('gone', 1)).toBe(0);
  });
});
