/** Calls about many links: each link gets what a call about it alone would have given it, whatever becomes of the others. */

import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { PlannedSending, Settlement } from '../../src/ledger/plans/plan-ledger.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { at, BASE, DECISION, ISSUE, plannedSending, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query, newTenant, url } = await withLedger();
const KEYS = ['C1', 'C2', 'C3', 'C4'] as const;
const LINE = { at: at(2), kind: 'remote-write', summary: { answer: 'updated' }, decisions: [DECISION] } as const;

/** A tenant with four links that are due. */
async function someLinks(): Promise<string> {
  const tenant = newTenant();
  await ledger.markDue(
    tenant,
    KEYS.map((crmId) => ({ crmId })),
    at(0),
  );
  // Has the tenant's data key made.
  await savePlan(ledger, tenant, 'C1');
  return tenant;
}

async function planIds(tenant: string): Promise<readonly string[]> {
  return Promise.all(KEYS.map((key) => savePlan(ledger, tenant, key)));
}

const outcome = (planId?: string): Settlement => ({
  ...{ at: at(2), state: 'in-sync', base: BASE, observedGeneration: 1, journal: [LINE] },
  ...(planId !== undefined && { planId, outcome: 'updated' }),
});

/** Runs `between` after the first statement of a call and before the second. */
function beforeItsWrite(between: () => Promise<unknown>): void {
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [given] = args as [string | { readonly text: string }];
    const text = typeof given === 'string' ? given : given.text;
    if (!/with chosen/.test(text)) return Reflect.apply(send, this, args);
    spy.mockRestore();
    return between().then(() => Reflect.apply(send, this, args));
  } as never);
}

describe('outcomes of many links', () => {
  it('are stored as one by one, with two statements', async () => {
    const [together, alone] = [await someLinks(), await someLinks()];
    const [ids, idsAlone] = [await planIds(together), await planIds(alone)];
    const sent = recordStatements(url);
    const links = await ledger.settleTogether(
      together,
      KEYS.map((key, n) => ({ key, settlement: outcome(ids[n]) })),
    );
    expect(sent()).toHaveLength(2);
    for (const [n, key] of KEYS.entries()) {
      const one = await ledger.settle(alone, key, outcome(idsAlone[n]));
      expect(links[n]).toEqual({ ...one, tenant: together, newestPlan: ids[n] });
      expect(links[n]).toEqual(await ledger.findLink(together, key));
      expect(await ledger.loadPlan(together, String(ids[n]))).toMatchObject({
        ...{ outcome: 'updated', plan: { next: 'settled' }, graph: null },
      });
      expect(await ledger.journal(together, key, 10)).toEqual(await ledger.journal(alone, key, 10));
    }
  });

  it('whose columns differ are stored too', async () => {
    const tenant = await someLinks();
    const [one, other, unknown] = await ledger.settleTogether(tenant, [
      { key: 'C1', settlement: { at: at(1), base: BASE } },
      { key: 'C2', settlement: { at: at(1), vendorInDoubt: 'update' } },
      { key: 'unknown', settlement: { at: at(1), base: BASE } },
    ]);
    expect(unknown).toBeNull();
    expect(one).toMatchObject({ base: BASE, vendorInDoubt: 'no' });
    expect(other).toMatchObject({ base: null, vendorInDoubt: 'update' });
  });

  it('are stored once if the data key expires between two statements', async () => {
    const tenant = await someLinks();
    const [planId] = await planIds(tenant);
    const start = performance.now();
    const clock = vi.spyOn(performance, 'now');
    beforeItsWrite(async () => clock.mockReturnValue(start + 120_000));
    await ledger.settleTogether(tenant, [
      { key: 'C1', settlement: outcome(planId) },
      { key: 'C2', settlement: { at: at(1), vendorInDoubt: 'update' } },
    ]);
    clock.mockRestore();
    expect((await ledger.journal(tenant, 'C1', 10)).map(({ kind }) => kind)).toEqual(['remote-write']);
    expect(await ledger.findLink(tenant, 'C2')).toMatchObject({ vendorInDoubt: 'update' });
  });

  it.each<readonly [string, (tenant: string, planId: string) => Promise<unknown>]>([
    ['has a newer plan', (tenant) => savePlan(ledger, tenant, 'C2')],
    [
      'is superseded',
      (tenant) =>
        query("update links set state = 'superseded', crm_id = null where tenant = $1 and key = 'C2'", [tenant]),
    ],
    ['has no such plan', (tenant, id) => query('delete from plans where tenant = $1 and id = $2', [tenant, id])],
  ])('leave alone the one whose link %s, and only that', async (_, spoil) => {
    const tenant = await someLinks();
    const ids = await planIds(tenant);
    await spoil(tenant, String(ids[1]));
    const given = KEYS.map((key, n) => ({ key, settlement: outcome(ids[n]) }));
    const links = await ledger.settleTogether(tenant, given);
    expect(links.map((link) => link !== null)).toEqual([true, false, true, true]);
    expect(await ledger.journal(tenant, 'C2', 10)).toEqual([]);
  });

  it('leave alone the one that another writer changed since its writer read it', async () => {
    const tenant = await someLinks();
    const expected = { version: 0 };
    await ledger.settle(tenant, 'C2', { at: at(1), vendorInDoubt: 'create' });
    const given = KEYS.slice(1).map((key) => ({ key, settlement: { at: at(2), base: BASE, expected } }));
    expect((await ledger.settleTogether(tenant, given)).map((link) => link !== null)).toEqual([false, true, true]);
    await expect(ledger.settle(tenant, 'C2', { at: at(2), base: BASE, expected })).rejects.toMatchObject({
      code: 'CHANGED',
    });
    expect(await ledger.findLink(tenant, 'C2')).toMatchObject({ base: null, updatedAt: at(1) });
  });

  it('leave alone the one that another writer changes between the read and the write', async () => {
    const tenant = await someLinks();
    beforeItsWrite(() => ledger.markDue(tenant, [{ crmId: 'C2' }], at(3)));
    const links = await ledger.settleTogether(
      tenant,
      KEYS.map((key) => ({ key, settlement: outcome() })),
    );
    expect(links.map((link) => link !== null)).toEqual([true, false, true, true]);
    expect(await ledger.findLink(tenant, 'C2')).toMatchObject({ generation: 2, observedGeneration: 0, base: null });
    expect(await ledger.settle(tenant, 'C2', outcome())).toMatchObject({ generation: 2, observedGeneration: 1 });
  });

  it('leave alone the one after which an opportunity waits no longer for it, and alone it wakes that one', async () => {
    const tenant = await someLinks();
    const issue = { ...ISSUE, candidates: ['C4'] };
    await ledger.settle(tenant, 'C2', { at: at(1), issues: [issue] });
    const given = ['C1', 'C2'].map((key) => ({ key, settlement: { at: at(2), issues: [] } }));
    expect((await ledger.settleTogether(tenant, given)).map((link) => link !== null)).toEqual([true, false]);
    expect(await ledger.findLink(tenant, 'C4')).toMatchObject({ generation: 1 });
    await ledger.settle(tenant, 'C2', { at: at(2), issues: [] });
    expect(await ledger.findLink(tenant, 'C4')).toMatchObject({ generation: 2 });
  });

  it('store the first of two of one link', async () => {
    const tenant = await someLinks();
    const [first, second] = await ledger.settleTogether(tenant, [
      { key: 'C1', settlement: { at: at(1), vendorInDoubt: 'create' } },
      { key: 'C1', settlement: { at: at(2), vendorInDoubt: 'update' } },
    ]);
    expect([first, second]).toMatchObject([{ vendorInDoubt: 'create' }, null]);
  });

  it('are all left alone where PostgreSQL refuses the value of one, so that none is stored twice', async () => {
    const tenant = await someLinks();
    const refused = { ...LINE, summary: { answer: '\u0000' } };
    const given = KEYS.map((key) => ({
      ...{ key, settlement: { at: at(2), base: BASE, journal: [key === 'C2' ? refused : LINE] } },
    }));
    expect(await ledger.settleTogether(tenant, given)).toEqual([null, null, null, null]);
    for (const key of KEYS) expect(await ledger.findLink(tenant, key)).toMatchObject({ base: null });
  });
});

it('links are found by one statement, also those that another link took over', async () => {
  const tenant = await someLinks();
  await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(1));
  await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(2));
  const sent = recordStatements(url);
  const found = await ledger.findLinks(tenant, ['C2', 'vendor:V1', 'C9', 'C1']);
  expect(sent()).toHaveLength(1);
  expect([...found].map(([asked, { key }]) => [asked, key]).sort()).toEqual([
    ['C1', 'C1'],
    ['C2', 'C2'],
    ['vendor:V1', 'C1'],
  ]);
});

describe('updates of many links', () => {
  it('are noted as sent by one statement, and their plans keep no values', async () => {
    const tenant = await someLinks();
    const planned = await Promise.all(KEYS.map((key) => plannedSending(ledger, tenant, key)));
    const sent = recordStatements(url);
    expect(await ledger.sendPlans(tenant, planned)).toEqual([true, true, true, true]);
    expect(sent()).toHaveLength(1);
    for (const { id, plan } of planned) {
      const link = { newestPlan: id, updatedAt: at(1), vendorInDoubt: 'update' };
      expect(await ledger.findLink(tenant, plan.key)).toMatchObject(link);
      const stored = { key: plan.key, sentAt: at(1), outcome: null, graph: null, plan: { next: 'settled' } };
      expect(await ledger.loadPlan(tenant, id)).toMatchObject(stored);
    }
  });

  it.each<readonly [string, (given: PlannedSending, tenant: string) => PlannedSending | Promise<PlannedSending>]>([
    ['whose link another writer has settled', (one) => ({ ...one, expected: { ...one.expected, version: -1 } })],
    [
      'whose link another writer has planned',
      (one) => ({ ...one, expected: { ...one.expected, newestPlan: 'other' } }),
    ],
    ['that rests on an old reading', (one) => ({ ...one, sending: { ...one.sending, notBefore: at(0.5) } })],
    ['whose link is unknown', (one) => ({ ...one, plan: { ...one.plan, key: 'unknown' } })],
    ['of a link that lacks its opportunity', (one, tenant) => spoilt(one, tenant, 'crm_id = null')],
    [
      'of a superseded link',
      (one, tenant) => spoilt(one, tenant, "state = 'superseded', crm_id = null, vendor_id = null"),
    ],
  ])('are not sent if one is that %s, but the others are', async (_, spoil) => {
    const tenant = await someLinks();
    const [one, two, three] = await Promise.all(
      (['C1', 'C2', 'C3'] as const).map((key) => plannedSending(ledger, tenant, key)),
    );
    const given = [one, await spoil(two as PlannedSending, tenant), three] as readonly PlannedSending[];
    expect(await ledger.sendPlans(tenant, given)).toEqual([true, false, true]);
    expect(await ledger.loadPlan(tenant, String(two?.id))).toBeNull();
    expect(await ledger.findLink(tenant, 'C2')).toMatchObject({ vendorInDoubt: 'no' });
  });

  it('are sent once, whoever sends them at the same time', async () => {
    const tenant = await someLinks();
    const [one, other] = [await plannedSending(ledger, tenant, 'C2'), await plannedSending(ledger, tenant, 'C2')];
    const sent = await Promise.all([ledger.sendPlan(tenant, one), ledger.sendPlan(tenant, other)]);
    expect(sent.filter(Boolean)).toHaveLength(1);
    expect(await ledger.sendPlans(tenant, [one, other])).toEqual([false, false]);
    const fresh = [await plannedSending(ledger, tenant, 'C3'), await plannedSending(ledger, tenant, 'C3')];
    expect(await ledger.sendPlans(tenant, fresh)).toEqual([true, false]);
  });
});

/** The plan, after its link was changed without a change of its version. */
async function spoilt(planned: PlannedSending, tenant: string, change: string): Promise<PlannedSending> {
  await query(`update links set ${change} where tenant = $1 and key = $2`, [tenant, planned.plan.key]);
  return planned;
}
