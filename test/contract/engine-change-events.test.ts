/** Change events of the Pub/Sub API: the real engine on ledger and simulators, without messages and without sweeps. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { changesOf, type Follower, follow } from '../support/engine/follow.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World, WorldOptions } from '../support/engine/world.ts';
import { until } from '../support/until.ts';

const openDeal = withDeal(workflows, undefined, { changes: true });
let world: World;
let deals: Deals;
let crmId: string;
let contact: string;
const open: Follower[] = [];

function followed(ledger?: Ledger): Follower {
  const one = follow(world, ledger);
  open.push(one);
  return one;
}

/** A deal with a contact, agreed by both sides, whose stream has answered once and has no gap. */
async function begin(options: Partial<WorldOptions> = {}): Promise<Follower> {
  ({ world, deals, crmId } = await openDeal(options));
  const [deal] = await deals.opportunities();
  contact = await deals.contact(String(deal?.['AccountId']), crmId, 'erika@initech.example');
  expect(await settle(world)).toEqual([]);
  const first = followed();
  await first.opened();
  await touch(first);
  expect((await changesOf(world)).gap?.cause).toBe('begun');
  await deals.sweep();
  expect((await changesOf(world)).gap).toBeUndefined();
  return first;
}

/** A change that concerns no deal, and the answer with its event. */
async function touch(one: Follower): Promise<void> {
  const before = one.answers();
  await world.crm.create('Contact', { LastName: 'Nobody' });
  await until('an answer', async () => one.answers() > before);
}

async function ends(): Promise<void> {
  await Promise.all(open.splice(0).map((one) => one.end()));
}

const atVendor = async (): Promise<string> => JSON.stringify(await deals.leadNamed(crmId));

afterEach(ends);

describe('a change of', () => {
  let one: Follower;
  beforeEach(async () => {
    one = await begin();
  });

  it("a contact's phone is at the vendor without a message and without a sweep", async () => {
    await world.crm.edit(contact, { Phone: '+49 228 4711' });
    await one.wakes(crmId);
    await deals.time(60_000);
    expect(await atVendor()).toContain('4711');
  });

  it('an account, a line, a role and the opportunity each wake their deal', async () => {
    const [line] = await world.crm.list('OpportunityLineItem');
    const [role] = (await world.crm.list('OpportunityContactRole')).filter((row) => row['OpportunityId'] === crmId);
    const account = String((await deals.row('Opportunity', crmId))['AccountId']);
    const edits: readonly (() => Promise<unknown>)[] = [
      () => world.crm.edit(account, { BillingCity: 'Köln' }),
      () => world.crm.edit(String(line?.['Id']), { Vendor_Revenue_Type__c: 'YLC' }),
      () => world.crm.remove(String(role?.['Id'])),
      () => world.crm.edit(crmId, { Description: 'Alone' }),
    ];
    for (const [n, edit] of edits.entries()) {
      await edit();
      await until(`wake ${n + 1}`, async () => one.woken.length === n + 1);
    }
    expect(one.woken.map((keys) => keys.join())).toEqual(edits.map(() => crmId));
  });

  it('several rows of one save wakes their deal once', async () => {
    const account = String((await deals.row('Opportunity', crmId))['AccountId']);
    const before = one.answers();
    // The deletion of an account deletes its contacts with it, and their roles.
    await world.crm.remove(account);
    await until('the answers', async () => one.answers() > before);
    await touch(one);
    expect(one.woken.flat().filter((key) => key === crmId)).toHaveLength(1);
  });

  it('a role, and a share of the deal in the same save, wakes the deal', async () => {
    const unshared = await deals.opportunity(await deals.account(), { Vendor_Share__c: false });
    await touch(one);
    const role = { type: 'OpportunityContactRole', fields: { OpportunityId: unshared, ContactId: contact } };
    await world.crm.transaction([{ create: role }, { update: unshared, set: { Vendor_Share__c: true } }]);
    await one.wakes(unshared);
  });

  it('an order search and a tick on a found order request the stream that answers them, our answer does not', async () => {
    const search = await world.crm.create('Lockstep_Order_Search__c', {
      Opportunity__c: crmId,
      PO_Reference__c: 'PO-1',
    });
    await until('a request', async () => one.requested.length === 1);
    const answer = { Message__c: 'Searched' };
    await world.patchAsIntegrationUser(`Lockstep_Order_Search__c/${search}`, answer, 'lockstep');
    const row = { Search__c: search, Vendor_Order_Id__c: 'A-1', Found_Key__c: 'A-1', State__c: 'Free' };
    const order = await world.crm.create('Lockstep_Found_Order__c', row);
    await until('another request', async () => one.requested.length === 2);
    await world.crm.edit(order, { Link__c: true });
    await until('a third request', async () => one.requested.length === 3);
    expect(new Set(one.requested)).toEqual(new Set(['findOrders']));
    expect(one.woken).toEqual([]);
  });

  it('a deal that is not shared, and our own write, wake nothing', async () => {
    await deals.opportunity(await deals.account(), { Vendor_Share__c: false });
    const { status } = await world.patchAsIntegrationUser(`Opportunity/${crmId}`, { Description: 'Ours' }, 'lockstep');
    expect(status).toBe(204);
    await touch(one);
    expect(one.woken).toEqual([]);
    await world.patchAsIntegrationUser(`Opportunity/${crmId}`, { Description: 'A program of theirs' });
    await one.wakes(crmId);
  });
});

describe('a gap is found, and closed by a sweep,', () => {
  const isClosedBySweep = async (): Promise<void> => {
    await deals.sweep();
    expect((await changesOf(world)).gap).toBeUndefined();
  };

  it('where the org has the stored place no more', async () => {
    await (await begin()).end();
    await world.crm.restartEvents();
    await world.crm.edit(contact, { Phone: '+49 228 4712' });
    const late = followed();
    expect(await late.ended()).toMatchObject({ code: 'REPLAY_EXPIRED' });
    expect(await changesOf(world)).toMatchObject({
      ...{ replayId: null, gap: { cause: 'expired' }, gaps: { begun: 1, expired: 1 } },
      failed: { code: 'REPLAY_EXPIRED' },
    });
    await isClosedBySweep();
    expect(await atVendor()).toContain('4712');
    const again = followed();
    await again.opened();
    await touch(again);
    expect(await changesOf(world)).toMatchObject({ gap: { cause: 'begun' }, failed: null });
  });

  it('where an event has no values', async () => {
    const one = await begin();
    await world.crm.gapEvents(1);
    await world.crm.edit(contact, { Phone: '+49 228 4713' });
    // Its records are named all the same.
    await one.wakes(crmId);
    expect((await changesOf(world)).gap?.cause).toBe('gap-event');
    expect(one.gaps()).toBe(2);
    await isClosedBySweep();
  });

  it('where nothing comes, not even keep-alives', async () => {
    const one = await begin({ silenceMs: 1_500 });
    expect(await one.ended()).toMatchObject({ code: 'SILENT' });
    expect(await changesOf(world)).toMatchObject({ gap: { cause: 'silent' }, failed: { code: 'SILENT' } });
    await isClosedBySweep();
  });

  it('where nothing followed for a while', async () => {
    await (await begin()).end();
    world.clock.advance(3_600_000);
    const late = followed();
    await until('the gap', async () => late.gaps() > 0);
    expect((await changesOf(world)).gap?.cause).toBe('down');
    await isClosedBySweep();
  });

  it('where the schema of an event is not shown', async () => {
    await (await begin()).end();
    const refused = { errorCode: 'sfdc.platform.eventbus.grpc.schema.meta.permission', status: 403 };
    await world.crm.fault({ operation: 'pubSub.GetSchema', times: 1, ...refused });
    // The first event of an opportunity; that of contacts is known.
    await world.crm.edit(crmId, { Description: 'Unreadable' });
    const late = followed();
    await until('the gap', async () => late.gaps() > 0);
    expect((await changesOf(world)).gap?.cause).toBe('schema');
    expect(late.woken).toEqual([]);
    await isClosedBySweep();
    expect(await atVendor()).toContain('Unreadable');
  });

  it('but not by one that began before it was found', async () => {
    const one = await begin();
    await world.crm.gapEvents(1);
    const { tenant, ledger } = world;
    await world.crm.edit(contact, { Phone: '+49 228 4715' });
    await one.wakes(crmId);
    const { gap } = await changesOf(world);
    await ledger.closePart(tenant, 'changes', 'gap', '2020-01-01T00:00:00.000Z');
    expect((await changesOf(world)).gap).toEqual(gap);
  });
});

describe('a follower', () => {
  it('that dies between events loses none: the next goes on where the ledger is', async () => {
    await (await begin()).end();
    const dying = followed({
      ...world.ledger,
      markDue: async () => {
        throw new Error('the process is gone');
      },
    });
    await dying.opened();
    await world.crm.edit(contact, { Phone: '+49 228 4716' });
    expect(await dying.ended()).toMatchObject({ message: 'the process is gone' });
    expect(dying.woken).toEqual([]);
    const next = followed();
    await next.wakes(crmId);
    await deals.time(60_000);
    expect(await atVendor()).toContain('4716');
  });

  it('that stalled while another took over stores nothing, and ends', async () => {
    const stalled = await begin();
    const other = followed();
    await until('the second stream', async () => (await world.crm.streams()).length === 2);
    await world.crm.edit(contact, { Phone: '+49 228 4717' });
    await other.wakes(crmId);
    expect(await stalled.ended()).toMatchObject({ code: 'NOT_HOLDER' });
    expect(stalled.woken).toEqual([]);
  });

  it('signs in again where its session has ended', async () => {
    await (await begin()).end();
    await world.crm.endSessions();
    const late = followed();
    await late.opened();
    await world.crm.edit(contact, { Phone: '+49 228 4718' });
    await late.wakes(crmId);
  });

  it('does not begin while the tenant is paused', async () => {
    await (await begin()).end();
    await world.ledger.pause(world.tenant, 'by-hand', 'an operator', world.clock.now());
    expect(await followed().ended()).toMatchObject({ code: 'PAUSED' });
    expect(await world.crm.streams()).toEqual([]);
  });
});

describe('a deal that changed alone', () => {
  /** Syncs that do not end until the test ends them. */
  const syncs: { readonly keys: readonly string[]; readonly fail: () => void; readonly end: () => void }[] = [];
  let one: Follower;

  beforeEach(async () => {
    const first = await begin();
    await first.end();
    syncs.length = 0;
    const syncLone = (_: string, keys: readonly string[]): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      syncs.push({ keys, fail: () => reject(new Error('no answer')), end: resolve });
      return promise;
    };
    one = follow(world, world.ledger, undefined, syncLone);
    open.push(one);
    await one.opened();
  });
  afterEach(() => {
    for (const { end } of syncs) end();
  });

  const edit = async (n: number): Promise<void> => {
    await world.crm.edit(crmId, { Description: `Edit ${n}` });
    await until(`edit ${n} is read`, async () => syncs.length + one.woken.length > n);
  };

  it('is synced here while further events are read, eight times at most', async () => {
    for (let n = 0; n < 9; n += 1) await edit(n);
    expect([syncs.map(({ keys }) => keys), one.woken]).toEqual([new Array(8).fill([crmId]), [[crmId]]]);
  });

  it('is woken by the next follower if the worker dies before its sync ends', async () => {
    await edit(0);
    expect((await changesOf(world)).unwokenAt).toBeDefined();
    const next = followed();
    await next.wakes(crmId);
    await touch(next);
    expect((await changesOf(world)).unwokenAt).toBeNull();
  });

  it('stays due if its sync fails, and the events are read on', async () => {
    await edit(0);
    syncs[0]?.fail();
    await edit(1);
    expect(await world.ledger.dueKeys(world.tenant, 10)).toEqual([crmId]);
  });
});
