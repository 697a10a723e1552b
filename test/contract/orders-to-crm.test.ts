import { beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/domain/streams/stream-failure.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';

/** Orders of the vendor's simulator on their way into the CRM's, by the activity of the stream. */

const HOUR_MS = 3_600_000;
let bed: OrderBed & { readonly url: string };

const one = async (id: string, fields = 'Status__c, Opportunity__c'): Promise<Record<string, unknown>> => {
  const [row] = await bed.org.query(`SELECT ${fields} FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${id}'`);
  return row as Record<string, unknown>;
};
const writes = async (): Promise<number> =>
  (await bed.crmRequests()).filter((operation) => operation === 'collections.upsert').length;

describe('a world of orders', () => {
  beforeAll(async () => {
    bed = await openOrderBed({ orders: 60 });
    await bed.fromTheBegin();
  });

  it('reaches the CRM, every field of every order and line, and nothing against the documents', async () => {
    const result = await bed.run();
    expect(result.reduce((sum, { found }) => sum + found, 0)).toBeGreaterThanOrEqual(60);
    expect(await bed.differences()).toEqual([]);
    const violations = (await bed.vendor.admin('GET', 'violations')).body as { violations: unknown[] };
    expect(violations.violations).toEqual([]);
    // One request for the orders, and one for each 200 lines, begun.
    expect(await writes()).toBeLessThanOrEqual(3);
  });

  it('costs no write to the CRM and no details while nothing changes', async () => {
    const [before, written] = [await bed.vendorRequests(), await writes()];
    bed.clock.ms += HOUR_MS;
    await bed.run();
    const asked = (await bed.vendorRequests()).slice(before.length);
    expect(new Set(asked)).toEqual(new Set(['searchOrders']));
    expect(await writes()).toBe(written);
  });

  it('is written again only where it changed: the order, not its lines', async () => {
    const [row] = await bed.org.query('SELECT Vendor_Order_Id__c FROM Vendor_Order__c LIMIT 1');
    const id = String(row?.['Vendor_Order_Id__c']);
    const written = await writes();
    await bed.editOrder(id, { transaction: { status: 'ZZZ9' } });
    await bed.run();
    expect(await one(id)).toMatchObject({ Status__c: 'ZZZ9' });
    expect(await writes()).toBe(written + 1);
    expect(await bed.differences()).toEqual([]);
  });

  it('keeps a line that the order has no longer, inactive, and shows it again when it returns', async () => {
    const lines = [{ sequenceNumber: 1 }, { sequenceNumber: 2 }];
    const of = (licenseChargeBreakdown: readonly object[]) => ({
      licenseChargeConditions: [{ sequenceNumber: 1, licenseChargeBreakdown }],
    });
    const active = async (): Promise<readonly unknown[]> => {
      const rows = await bed.org.query(
        "SELECT Active__c FROM Vendor_Order_Line__c WHERE Vendor_Order__r.Vendor_Order_Id__c = 'LINES' ORDER BY Line_Key__c",
      );
      return rows.map((row) => row['Active__c']);
    };
    await bed.addOrder({ transaction: { id: 'LINES' }, ...of(lines) });
    await bed.run();
    expect(await active()).toEqual([true, true]);
    await bed.editOrder('LINES', of(lines.slice(0, 1)));
    await bed.run();
    expect(await active()).toEqual([true, false]);
    await bed.editOrder('LINES', of(lines));
    await bed.run();
    expect(await active()).toEqual([true, true]);
    expect(await bed.differences()).toEqual([]);
  });

  it('costs a few statements while nothing changes: one tells that there is nothing to do', async () => {
    bed.clock.ms += HOUR_MS;
    const statements = recordStatements(bed.url);
    const result = await bed.run();
    expect(statements().length).toBeLessThanOrEqual(9 * result.length);
  });
});

describe('an order by itself', () => {
  beforeAll(async () => {
    bed = await openOrderBed();
  });
  const add = (id: string, fields: object = {}): Promise<void> => bed.addOrder({ transaction: { id }, ...fields });

  it('is linked to its opportunity, whichever of them comes first', async () => {
    const early = await bed.org.create('Opportunity', deal('Early'));
    await bed.ledger.resolveLink(bed.tenant, { crmId: early, vendorId: 'LO-1' }, stamp());
    await add('O-EARLY', { opportunityId: 'LO-1' });
    await add('O-LATE', { opportunityId: 'LO-2' });
    await bed.run();
    expect(await one('O-EARLY')).toMatchObject({ Opportunity__c: early });
    expect(await one('O-LATE')).toMatchObject({ Opportunity__c: null });
    const late = await bed.org.create('Opportunity', deal('Late'));
    await bed.ledger.resolveLink(bed.tenant, { crmId: late, vendorId: 'LO-2' }, stamp());
    const before = await bed.vendorRequests();
    await bed.run();
    expect(await one('O-LATE')).toMatchObject({ Opportunity__c: late });
    expect((await bed.vendorRequests()).slice(before.length)).not.toContain('readOrder');
    const written = await writes();
    await bed.run();
    expect(await writes()).toBe(written);
  });

  it('is kept where its opportunity is gone; the link alone waits', async () => {
    const gone = await bed.org.create('Opportunity', deal('Gone'));
    await bed.org.remove('Opportunity', gone);
    await bed.ledger.resolveLink(bed.tenant, { crmId: gone, vendorId: 'LO-3' }, stamp());
    await add('O-GONE', { opportunityId: 'LO-3' });
    await bed.run();
    expect(await one('O-GONE')).toMatchObject({ Opportunity__c: null });
    expect(await bed.differences()).toEqual([]);
    // Another opportunity is linked, and the link to the one that is gone is not tried again over it.
    const other = await bed.org.create('Opportunity', deal('Other'));
    await bed.ledger.resolveLink(bed.tenant, { crmId: other, vendorId: 'LO-4' }, stamp());
    await bed.editOrder('O-GONE', { opportunityId: 'LO-4' });
    await bed.org.admin('POST', `records/${gone}/undelete`);
    await bed.run();
    expect(await one('O-GONE')).toMatchObject({ Opportunity__c: other });
    for (let half = 0; half < 4; half += 1) {
      bed.clock.ms += HOUR_MS / 2;
      await bed.run();
    }
    expect(await one('O-GONE')).toMatchObject({ Opportunity__c: other });
  });

  it('that names what can be no opportunity is shown without one', async () => {
    await add('O-ODD', { opportunityId: 'LO\u0000 1' });
    await bed.run();
    expect(await one('O-ODD')).toMatchObject({ Opportunity__c: null });
  });

  it('whose link waits is counted by the reason', async () => {
    const gone = await bed.org.create('Opportunity', deal('Gone'));
    await bed.org.remove('Opportunity', gone);
    await bed.ledger.resolveLink(bed.tenant, { crmId: gone, vendorId: 'LO-5' }, stamp());
    await add('O-COUNTED', { opportunityId: 'LO-5' });
    await bed.run();
    const [read] = (await bed.ledger.streamReads(bed.tenant)).filter(({ stream }) =>
      stream.endsWith(':Opportunity__c'),
    );
    expect(Object.values(read?.refusedRows ?? {})).toEqual([1]);
  });

  it('that cannot be read waits, while the others go', async () => {
    await bed.vendor.admin('POST', 'faults', { operation: 'readOrder', status: 404, times: 1 });
    await add('O-BAD-1');
    await add('O-BAD-2');
    const result = await bed.run();
    expect(result.some(({ refused }) => refused === 1)).toBe(true);
    // The one that changed last is read first.
    expect(await one('O-BAD-2')).toBeUndefined();
    expect(await one('O-BAD-1')).toBeDefined();
    const { againMs = Number.POSITIVE_INFINITY } = result.at(-1) ?? {};
    expect(againMs).toBeLessThan(2 * 60_000);
    bed.clock.ms += againMs;
    await bed.run();
    expect(await bed.differences()).toEqual([]);
  });

  /** Runs the stream as its workflow does, which tries failed steps again, and returns the errors of these steps. */
  const retried = async (tries = 20): Promise<readonly unknown[]> => {
    const errors: unknown[] = [];
    for (let left = tries; left > 0; left -= 1) {
      const failed = await bed.run().catch((error: unknown) => error);
      if (!(failed instanceof Error)) return errors;
      errors.push(failed);
    }
    return errors;
  };

  it.each([
    ['A', 'server', { status: 500 }],
    ['B', 'unavailable', { status: 504 }],
    ['C', 'protocol', { status: 200, body: '<html></html>' }],
    ['D', 'network', { cut: 'before' }],
  ] as const)(
    '%s, which fails with %s at each read delays no older order, is reported, and is tried again later',
    async (name, kind, fault) => {
      const [bad, older] = [`O-FAILS-${name}`, `O-OLDER-${name}`];
      await bed.vendor.admin('POST', 'faults', { operation: 'readOrder', words: bad, ...fault });
      await add(older);
      await add(bad);
      expect(await retried()).toMatchObject([{ kind }]);
      expect(await bed.ledger.cursor(bed.tenant, failureOf('pullOrders'))).toMatchObject({ code: kind });
      expect(await one(older)).toBeDefined();
      expect(await one(bad)).toBeUndefined();
      const [read] = (await bed.ledger.streamReads(bed.tenant)).filter(({ stream }) => stream === 'pullOrders');
      expect(read?.refusedRows).toEqual({ UNREADABLE: 1 });
      await bed.vendor.admin('DELETE', 'faults');
      bed.clock.ms += 60_000;
      expect(await retried()).toEqual([]);
      expect(await bed.differences()).toEqual([]);
    },
  );

  it('is not postponed where the vendor answers nothing, and is read as soon as the vendor answers', async () => {
    await add('O-OUT-1');
    await add('O-OUT-2');
    await bed.step('readVendorOrders');
    await bed.vendor.admin('POST', 'faults', { status: 503 });
    expect(await retried(5)).toHaveLength(5);
    await bed.vendor.admin('DELETE', 'faults');
    expect(await retried()).toEqual([]);
    expect(await bed.differences()).toEqual([]);
  });

  it('that the vendor answers as it was before the change that a search showed is read again', async () => {
    await add('O-CACHED', { transaction: { id: 'O-CACHED', status: 'DFT' } });
    await bed.run();
    const { readOrder } = bed.vendorApi;
    const cached = await readOrder({ id: 'O-CACHED' });
    await bed.editOrder('O-CACHED', { transaction: { status: 'APP' } });
    bed.vendorApi.readOrder = async () => ({ ...cached, date: new Date(bed.clock.ms).toUTCString() });
    const result = await bed.run();
    bed.vendorApi.readOrder = readOrder;
    expect(result.filter(({ refused }) => refused === 1)).toHaveLength(1);
    expect(await one('O-CACHED')).toMatchObject({ Status__c: 'DFT' });
    bed.clock.ms += 60_000;
    await bed.run();
    expect(await one('O-CACHED')).toMatchObject({ Status__c: 'APP' });
  });

  it('is not asked for while the vendor refuses requests without saying until when (order spec 7); sales go on', async () => {
    const searches = async () =>
      (await bed.vendorRequests()).filter((operation) => operation === 'searchOrders').length;
    await add('O-REST');
    await bed.vendor.admin('POST', 'faults', { operation: 'searchOrders', status: 429, times: 1 });
    await expect(bed.step('readVendorOrders')).rejects.toMatchObject({
      kind: 'throttled',
      resetSeconds: null,
    });
    const asked = await searches();
    await expect(bed.step('readVendorOrders')).rejects.toMatchObject({ type: 'THROTTLED' });
    expect(await searches()).toBe(asked);
    const at = new Date(bed.clock.ms).toISOString();
    expect(await bed.ledger.reserveRequest(bed.tenant, 'vendor-sales', at)).toEqual({ allowed: true });
    bed.clock.ms += 10_001;
    await bed.run();
    expect(await one('O-REST')).toBeDefined();
  });

  it('that the CRM refuses waits with its lines, while the others go', async () => {
    await bed.org.admin('POST', 'faults', {
      operation: 'collections.upsert',
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      row: 0,
      times: 1,
    });
    await add('O-REF-1');
    await add('O-REF-2');
    await bed.run();
    const missing = (await bed.differences()).filter((result) => result.endsWith('is there 0 times'));
    expect(missing).toHaveLength(1);
    expect(await bed.differences()).toEqual(missing);
    bed.clock.ms += HOUR_MS;
    await bed.run();
    expect(await bed.differences()).toEqual([]);
  });

  it('that changes while its row waits is shown as it is last, also where a write was not settled', async () => {
    await add('O-TWICE', { transaction: { id: 'O-TWICE', status: 'DFT' } });
    const died = new Error('died');
    const dying = {
      settleMirrored: async () => {
        throw died;
      },
    };
    const untilDeath = async (): Promise<void> => {
      for (;;) await bed.step('readVendorOrders', dying);
    };
    await expect(untilDeath()).rejects.toBe(died);
    await bed.editOrder('O-TWICE', { transaction: { status: 'APP' } });
    await bed.run();
    expect(await one('O-TWICE')).toMatchObject({ Status__c: 'APP' });
    expect(await bed.differences()).toEqual([]);
  });

  it('stops the stream where the org has no such object, and goes on when it has', async () => {
    await add('O-STOP');
    const refuse = { operation: 'collections.upsert', status: 404, errorCode: 'NOT_FOUND', times: 1 };
    await bed.org.admin('POST', 'faults', refuse);
    const result = await bed.run();
    expect(result.at(-1)?.stopped).toMatchObject({ blames: ['Vendor_Order__c'] });
    bed.clock.ms += HOUR_MS;
    await bed.run();
    expect(await bed.differences()).toEqual([]);
  });
});

const deal = (Name: string) => ({ Name, StageName: 'Qualification', CloseDate: '2027-03-01' });
const stamp = (): string => new Date(bed.clock.ms).toISOString();
