import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import { openOrderBed } from '../support/orders/order-bed.ts';

/** What the CRM shows of orders stays what the vendor shows, through stale writers and through users. */

const MINUTE_MS = 60_000;
const bed = await openOrderBed();

const add = (id: string, fields: object = {}): Promise<void> =>
  bed.addOrder({ transaction: { id, status: 'DFT' }, ...fields });
const status = async (id: string): Promise<unknown> => {
  const [row] = await bed.org.query(`SELECT Status__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${id}'`);
  return row?.['Status__c'];
};

/** Holds calls back until they are let go. */
function held() {
  let release = (): void => {};
  const gate = new Promise<void>((open) => {
    release = open;
  });
  let arrive = (): void => {};
  const arrived = new Promise<void>((open) => {
    arrive = open;
  });
  return { gate, arrive, arrived, release };
}

/** Steps of a worker until one comes to the gate. */
function untilHeld(ledger: Partial<Ledger>, crm: Partial<Crm> = {}): Promise<unknown> {
  const steps = async (): Promise<void> => {
    let more = true;
    while (more) more = (await bed.step('readVendorOrders', ledger, crm)).more;
  };
  return steps().catch((error: unknown) => error);
}

it('where nothing is mirrored yet nobody is asked who changed it, and its streams begin when something is', async () => {
  await bed.ledger.saveCursor(bed.tenant, 'checkMirror:Account', { long: 'ago' }, '2026-01-01T00:00:00.000Z');
  const asked = (await bed.crmRequests()).length;
  expect((await bed.run('searchMirrorEdits')).at(-1)).toEqual({ found: 0, more: false });
  expect((await bed.crmRequests()).length).toBe(asked);
  expect(await bed.ledger.cursor(bed.tenant, 'checkMirror:Account')).toBeNull();
});

describe('a stale writer', () => {
  it('that has read an older row gives it to nobody', async () => {
    await add('LATE-1');
    const { gate, arrive, arrived, release } = held();
    const late = untilHeld({
      pendingRows: async (...args) => {
        const rows = await bed.ledger.pendingRows(...args);
        if (rows.length > 0) {
          arrive();
          await gate;
        }
        return rows;
      },
    });
    await arrived;
    await bed.editOrder('LATE-1', { transaction: { status: 'APP' } });
    await bed.run();
    expect(await status('LATE-1')).toBe('APP');
    release();
    await late;
    expect(await status('LATE-1')).toBe('APP');
  });

  it('that has read an older order stores none of it over a newer reading', async () => {
    await add('LATE-READ');
    const { gate, arrive, arrived, release } = held();
    const late = untilHeld({
      mirrorRows: async (...args) => {
        arrive();
        await gate;
        return bed.ledger.mirrorRows(...args);
      },
    });
    await arrived;
    await bed.editOrder('LATE-READ', { transaction: { status: 'APP' } });
    await bed.run();
    expect(await status('LATE-READ')).toBe('APP');
    release();
    await late;
    await bed.run();
    expect(await status('LATE-READ')).toBe('APP');
    expect(await bed.differences()).toEqual([]);
  });

  const heldWrite = () => {
    const gates = held();
    const late = untilHeld(
      {},
      {
        upsertRows: async (...args) => {
          gates.arrive();
          await gates.gate;
          return bed.org.crm.upsertRows(...args);
        },
      },
    );
    return { ...gates, late };
  };

  it('whose write arrives after a newer one is made good', async () => {
    await add('LATE-2');
    const { arrived, release, late } = heldWrite();
    await arrived;
    await bed.editOrder('LATE-2', { transaction: { status: 'APP' } });
    await bed.run();
    release();
    await late;
    await bed.run();
    expect(await status('LATE-2')).toBe('APP');
  });

  it('whose write arrives after a newer one, and that then dies, is made good when none can arrive', async () => {
    await add('LATE-3');
    const gates = held();
    const died = new Error('died');
    const late = untilHeld(
      {
        settleMirrored: async () => {
          throw died;
        },
      },
      {
        upsertRows: async (...args) => {
          gates.arrive();
          await gates.gate;
          return bed.org.crm.upsertRows(...args);
        },
      },
    );
    await gates.arrived;
    await bed.editOrder('LATE-3', { transaction: { status: 'APP' } });
    await bed.run();
    gates.release();
    expect(await late).toBe(died);
    await bed.run();
    expect(await status('LATE-3')).toBe('DFT');
    bed.clock.ms += 11 * MINUTE_MS;
    await bed.run();
    expect(await status('LATE-3')).toBe('APP');
  });

  it('writes nothing when it was noted long ago', async () => {
    await add('LATE-4');
    const { gate, arrive, arrived, release } = held();
    let sent = 0;
    const late = untilHeld(
      {
        markLeaving: async (...args) => {
          const ids = await bed.ledger.markLeaving(...args);
          arrive();
          await gate;
          return ids;
        },
      },
      {
        upsertRows: async (...args) => {
          sent += 1;
          return bed.org.crm.upsertRows(...args);
        },
      },
    );
    await arrived;
    bed.clock.ms += MINUTE_MS;
    await bed.run();
    release();
    expect(await late).toBeUndefined();
    expect(sent).toBe(0);
  });

  it('costs nothing where no two writes met', async () => {
    bed.clock.ms += 30 * MINUTE_MS;
    await bed.run();
    const before = (await bed.vendorRequests()).length;
    await add('LATE-5');
    await bed.run();
    bed.clock.ms += 30 * MINUTE_MS;
    await bed.run();
    const reads = (await bed.vendorRequests()).slice(before).filter((one) => one === 'readOrder');
    expect(reads).toHaveLength(1);
    expect(await bed.differences()).toEqual([]);
  });
});

describe('a user', () => {
  const line = { sequenceNumber: 1, distributorNetAmount: 100, quantity: 2 };
  const idOf = async (object: string, where: string): Promise<string> => {
    const [row] = await bed.org.query(`SELECT Id FROM ${object} WHERE ${where}`);
    return String(row?.['Id']);
  };
  /** Rows that others changed are looked for, and then what was uncertain is read. */
  const check = async (): Promise<number> => {
    bed.clock.ms += 5_000;
    const result = await bed.run('searchMirrorEdits');
    await bed.run();
    return result.reduce((sum, { found }) => sum + found, 0);
  };

  beforeAll(async () => {
    await add('USER-1', {
      licenseChargeConditions: [{ sequenceNumber: 1, licenseChargeBreakdown: [line] }],
    });
    await bed.run();
    await check();
  });

  it('who edits an order or a line finds it put back', async () => {
    const order = await idOf('Vendor_Order__c', "Vendor_Order_Id__c = 'USER-1'");
    await bed.org.update('Vendor_Order__c', order, { Status__c: 'XXX' });
    await bed.org.update('Vendor_Order_Line__c', await idOf('Vendor_Order_Line__c', "Line_Key__c = 'USER-1/1/1'"), {
      Distributor_Net_Amount__c: 1,
    });
    expect(await check()).toBe(2);
    expect(await bed.differences()).toEqual([]);
  });

  it('who deletes an order, with its lines, finds both again, once', async () => {
    await bed.org.remove('Vendor_Order__c', await idOf('Vendor_Order__c', "Vendor_Order_Id__c = 'USER-1'"));
    expect(await bed.org.query("SELECT Id FROM Vendor_Order_Line__c WHERE Line_Key__c = 'USER-1/1/1'")).toEqual([]);
    await check();
    expect(await bed.differences()).toEqual([]);
  });

  it('who deletes a line finds it again', async () => {
    await bed.org.remove('Vendor_Order_Line__c', await idOf('Vendor_Order_Line__c', "Line_Key__c = 'USER-1/1/1'"));
    await check();
    expect(await bed.differences()).toEqual([]);
  });

  it('who changes nothing costs one query an object that rows are kept in or lead to, and nothing else', async () => {
    const [asked, crm] = [(await bed.vendorRequests()).length, (await bed.crmRequests()).length];
    bed.clock.ms += 5_000;
    expect((await bed.run('searchMirrorEdits')).at(-1)).toEqual({ found: 0, more: false });
    expect((await bed.crmRequests()).slice(crm)).toEqual(Array(4).fill('queryAll'));
    expect((await bed.vendorRequests()).length).toBe(asked);
  });

  it('whose own row the vendor does not have keeps it', async () => {
    await bed.org.create('Vendor_Order__c', { Name: 'Mine' });
    expect(await check()).toBe(0);
    expect(await bed.org.query("SELECT Id FROM Vendor_Order__c WHERE Name = 'Mine'")).toHaveLength(1);
  });
});
