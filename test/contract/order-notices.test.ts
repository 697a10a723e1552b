import { beforeAll, describe, expect, it } from 'vitest';
import { CrmError } from '../../src/salesforce/errors.ts';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';

/** The owner of an opportunity is notified of its orders once, whatever is lost on the way. */

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
let bed: OrderBed;
beforeAll(async () => {
  bed = await openOrderBed();
  bed.orders.notifyOwner = 'task';
});

const iso = (): string => new Date(bed.clock.ms).toISOString();
/** Hours in which both sessions are used, so that neither ends. */
const passes = async (hours: number): Promise<void> => {
  for (let hour = 0; hour < hours; hour += 1) {
    bed.clock.ms += HOUR_MS;
    await bed.org.query('SELECT Id FROM Organization LIMIT 1');
    await bed.org.crm.probe();
  }
};
const opportunity = async (vendorId: string): Promise<string> => {
  const fields = { Name: vendorId, StageName: 'Qualification', CloseDate: '2027-03-01' };
  const id = await bed.org.create('Opportunity', fields);
  await bed.ledger.resolveLink(bed.tenant, { crmId: id, vendorId }, iso());
  return id;
};
const add = (id: string, opportunityId: string, status = 'DFT'): Promise<void> =>
  bed.addOrder({ transaction: { id, status }, opportunityId });
const move = (id: string, status: string): Promise<void> => bed.editOrder(id, { transaction: { status } });
type Told = { readonly Subject: string; readonly Description: string; readonly OwnerId: string };
const told = async (opportunityId: string): Promise<readonly Told[]> =>
  (await bed.org.query(
    `SELECT Subject, Description, OwnerId FROM Task WHERE WhatId = '${opportunityId}' ORDER BY CreatedDate, Id`,
  )) as unknown as readonly Told[];
const subjects = async (opportunityId: string) => (await told(opportunityId)).map(({ Subject }) => Subject);
const notices = async (): Promise<number> => (await bed.org.query('SELECT Id FROM Vendor_Order_Notice__c')).length;

describe('by a task', () => {
  it('the owner is notified of what an order becomes, in words', async () => {
    const id = await opportunity('LO-T1');
    await add('T-1', 'LO-T1');
    await bed.run();
    await move('T-1', 'RJTV');
    await bed.run();
    const [row] = await bed.org.query(`SELECT OwnerId FROM Opportunity WHERE Id = '${id}'`);
    expect(await told(id)).toMatchObject([
      { Subject: 'Vendor order T-1: Draft', OwnerId: row?.['OwnerId'] },
      {
        Subject: 'Vendor order T-1: Sent Back to VAR',
        Description: 'Order T-1: Sent Back to VAR (was Draft). It was sent back to us.',
        OwnerId: row?.['OwnerId'],
      },
    ]);
  });

  it('several orders of one opportunity are reported together, and those of another apart', async () => {
    const [one, other] = [await opportunity('LO-T2'), await opportunity('LO-T3')];
    await add('T-2', 'LO-T2');
    await add('T-3', 'LO-T2', 'WCC');
    await add('T-4', 'LO-T3');
    await bed.run();
    expect(await subjects(one)).toEqual(['2 vendor orders changed']);
    expect(await subjects(other)).toEqual(['Vendor order T-4: Draft']);
  });

  it('nothing is reported of what says nothing new', async () => {
    const id = await opportunity('LO-T4');
    await add('T-5', 'LO-T4');
    await bed.run();
    await bed.editOrder('T-5', { sboNumber: 'SBO-9' });
    await bed.run();
    await bed.run();
    expect(await subjects(id)).toHaveLength(1);
    expect(await bed.differences()).toEqual([]);
  });

  it('of an order whose opportunity comes later is sent when it comes', async () => {
    await add('T-6', 'LO-T5');
    await bed.run();
    const id = await opportunity('LO-T5');
    await bed.run();
    expect(await subjects(id)).toEqual(['Vendor order T-6: Draft']);
  });

  it('nobody is notified of the past that a first load brings', async () => {
    const id = await opportunity('LO-T6');
    await add('T-7', 'LO-T6');
    await passes(25);
    await bed.run();
    expect(await bed.differences()).toEqual([]);
    expect(await told(id)).toEqual([]);
    await move('T-7', 'APP');
    await bed.run();
    expect(await subjects(id)).toEqual(['Vendor order T-7: Finance Approved']);
  });
});

describe('never twice', () => {
  const moved = async (vendorId: string, order: string): Promise<string> => {
    const id = await opportunity(vendorId);
    await add(order, vendorId);
    await bed.run();
    await move(order, 'APP');
    return id;
  };
  const once = ['Draft', 'Finance Approved'];
  const statuses = async (id: string) => (await subjects(id)).map((text) => text.split(': ')[1]);

  it('where the answer is lost after the task was made', async () => {
    const id = await moved('LO-N1', 'N-1');
    await bed.org.admin('POST', 'faults', { operation: 'composite', cut: 'after', times: 1 });
    await expect(bed.run()).rejects.toThrow();
    expect(await statuses(id)).toEqual(once);
    const made = await notices();
    await bed.run();
    expect(await statuses(id)).toEqual(once);
    expect(await notices()).toBe(made);
  });

  it('where the request is lost, it is sent with the next run', async () => {
    const id = await moved('LO-N2', 'N-2');
    await bed.org.admin('POST', 'faults', { operation: 'composite', cut: 'before', times: 1 });
    await expect(bed.run()).rejects.toThrow();
    expect(await statuses(id)).toEqual(once.slice(0, 1));
    await bed.run();
    expect(await statuses(id)).toEqual(once);
  });

  it.each(['keepDetail', 'dueNotices', 'settleNotice'] as const)('where a worker dies in %s', async (call) => {
    const id = await moved(`LO-${call}`, `N-${call.slice(0, 6)}`);
    const died = new Error('died');
    const dying = { [call]: () => Promise.reject(died) };
    const dead = async (): Promise<void> => {
      while ((await bed.step('readVendorOrders', dying)).more);
    };
    await expect(dead()).rejects.toBe(died);
    await bed.run();
    await bed.run();
    expect(await statuses(id)).toEqual(once);
  });

  it('by two workers at once, one of which was paused before it reported', async () => {
    const id = await moved('LO-N3', 'N-3');
    let release = (): void => {};
    const gate = new Promise<void>((open) => {
      release = open;
    });
    let arrive = (): void => {};
    const arrived = new Promise<void>((open) => {
      arrive = open;
    });
    const notifyOnce: typeof bed.org.crm.notifyOnce = async (...args) => {
      arrive();
      await gate;
      return bed.org.crm.notifyOnce(...args);
    };
    const late = (async () => {
      while ((await bed.step('readVendorOrders', {}, { notifyOnce })).more);
    })();
    await arrived;
    await bed.run();
    expect(await statuses(id)).toEqual(once);
    release();
    await late;
    expect(await statuses(id)).toEqual(once);
  });
});

describe('an owner who cannot be notified', () => {
  it('holds nobody up, and is notified later', async () => {
    const [one, other] = [await opportunity('LO-R1'), await opportunity('LO-R2')];
    await add('R-1', 'LO-R1');
    await add('R-2', 'LO-R2');
    let isFirst = true;
    const notifyOnce: typeof bed.org.crm.notifyOnce = async (...args) => {
      if (!isFirst) return bed.org.crm.notifyOnce(...args);
      isFirst = false;
      throw new CrmError('permanent', 'INACTIVE_OWNER_OR_USER', 'refused', { fields: ['OwnerId'] });
    };
    while ((await bed.step('readVendorOrders', {}, { notifyOnce })).more);
    const counts = async () => [(await told(one)).length, (await told(other)).length].sort();
    expect(await counts()).toEqual([0, 1]);
    const reason = 'INACTIVE_OWNER_OR_USER OwnerId';
    expect(await bed.ledger.refusedNotices(bed.tenant)).toEqual([
      {
        ...{ reason, notices: 1, since: expect.any(String) },
        retryAt: new Date(bed.clock.ms + HOUR_MS).toISOString(),
      },
    ]);
    expect((await bed.ledger.figures()).refusedRows).toContainEqual({
      ...{ tenant: bed.tenant, stream: 'ownerNotices', rows: 1 },
    });
    await bed.run();
    expect(await counts()).toEqual([0, 1]);
    bed.clock.ms += HOUR_MS;
    await bed.run();
    expect(await counts()).toEqual([1, 1]);
    expect(await bed.ledger.refusedNotices(bed.tenant)).toEqual([]);
  });

  it('because nobody may make tasks is notified later, and the orders are shown all the same', async () => {
    const id = await opportunity('LO-R3');
    await bed.org.admin('PUT', 'access', { user: 'integration', object: 'Task', access: 'read' });
    await add('R-3', 'LO-R3');
    await bed.run();
    expect(await bed.differences()).toEqual([]);
    expect(await told(id)).toEqual([]);
    const made = await notices();
    await bed.org.admin('DELETE', 'access');
    // A person's word, as `lockstep resume` gives it.
    expect(await bed.ledger.retryRefusedRows(bed.tenant, iso())).toBe(1);
    await bed.run();
    expect(await subjects(id)).toEqual(['Vendor order R-3: Draft']);
    expect(await notices()).toBe(made + 1);
  });

  it('of an opportunity that is gone is nobody', async () => {
    const id = await opportunity('LO-R4');
    await add('R-4', 'LO-R4');
    let isGone = false;
    const dueNotices: typeof bed.ledger.dueNotices = async (...args) => {
      if (!isGone) await bed.org.remove('Opportunity', id);
      isGone = true;
      return bed.ledger.dueNotices(...args);
    };
    while ((await bed.step('readVendorOrders', { dueNotices })).more);
    expect(await bed.ledger.dueNotices(bed.tenant, 'Vendor_Order__c', iso(), 10)).toEqual([]);
  });

  it('within a week is reported no more', async () => {
    await add('R-5', 'LO-R5');
    await bed.run();
    const later = new Date(bed.clock.ms + 8 * DAY_MS).toISOString();
    expect(await bed.ledger.dueNotices(bed.tenant, 'Vendor_Order__c', later, 10)).toEqual([]);
    const id = await opportunity('LO-R5');
    await bed.run();
    expect(await told(id)).toEqual([]);
  });
});

describe('by the tenant’s choice', () => {
  it('a post on the feed of the opportunity tells it, once', async () => {
    bed.orders.notifyOwner = 'chatter';
    const id = await opportunity('LO-C1');
    await add('C-1', 'LO-C1', 'CRFU');
    await bed.org.admin('POST', 'faults', { operation: 'composite', cut: 'after', times: 1 });
    await expect(bed.run()).rejects.toThrow();
    await bed.run();
    const posts = await bed.org.query(`SELECT Body FROM FeedItem WHERE ParentId = '${id}'`);
    expect(posts.map(({ Body }) => Body)).toEqual([
      'Vendor order C-1: Consent Refused\nOrder C-1: Consent Refused. The final customer refused consent.',
    ]);
    expect(await told(id)).toEqual([]);
  });

  it('nobody is notified, and nothing is remembered', async () => {
    bed.orders.notifyOwner = 'none';
    const id = await opportunity('LO-C2');
    await add('C-2', 'LO-C2');
    await bed.run();
    await move('C-2', 'APP');
    await bed.run();
    bed.orders.notifyOwner = 'task';
    await bed.run();
    expect(await told(id)).toEqual([]);
  });
});
