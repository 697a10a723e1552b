import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { at, BASE, DECISION, leaving, savePlan, VENDOR_SEEN } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, open, query, newTenant } = await withLedger();
const other = await open();

async function liveLinks(tenant: string): Promise<number> {
  return (await ledger.listLinks(tenant, { limit: 100 })).length;
}

describe('resolveLink', () => {
  it('opens once, and finds by every id, key and alias afterwards', async () => {
    const tenant = newTenant();
    const first = await ledger.resolveLink(tenant, { crmId: 'C1' }, at(0));
    expect(first).toMatchObject({ opened: true, superseded: null });
    expect(first.link).toEqual({
      tenant,
      key: 'C1',
      crmId: 'C1',
      vendorId: null,
      state: 'new',
      base: null,
      vendorDue: false,
      vendorObservation: null,
      vendorInDoubt: 'no',
      adoptingSince: null,
      failingSince: null,
      retryAt: null,
      generation: 0,
      observedGeneration: 0,
      issues: [],
      waitingSince: null,
      waitingFor: null,
      reported: null,
      updatedAt: at(0),
      version: 0,
    });
    expect(await ledger.resolveLink(tenant, { crmId: 'C1' }, at(1))).toMatchObject({ opened: false });
    expect(await ledger.findLink(tenant, 'C1')).toEqual(first.link);
    expect(await ledger.findLink(tenant, 'vendor:V1')).toBeNull();
    expect(await ledger.findLinkByIds(tenant, { vendorId: 'V1' })).toBeNull();
  });

  it('prefers the CRM id as key when both are known, and attaches the second id later', async () => {
    const tenant = newTenant();
    expect((await ledger.resolveLink(tenant, { vendorId: 'V1', crmId: 'C1' }, at(0))).link.key).toBe('C1');
    await ledger.resolveLink(tenant, { vendorId: 'V2' }, at(0));
    const attached = await ledger.resolveLink(tenant, { vendorId: 'V2', crmId: 'C2' }, at(1));
    expect(attached).toMatchObject({
      opened: false,
      superseded: null,
      link: { key: 'vendor:V2', crmId: 'C2', vendorId: 'V2' },
    });
    expect((await ledger.findLinkByIds(tenant, { crmId: 'C2' }))?.key).toBe('vendor:V2');
    expect((await ledger.journal(tenant, 'vendor:V2', 10)).map((line) => [line.kind, line.summary])).toEqual([
      ['link', { event: 'crm-id-attached' }],
    ]);
  });

  it('refuses a call without any id', async () => {
    await expect(ledger.resolveLink(newTenant(), {}, at(0))).rejects.toMatchObject({ code: 'BAD_IDS' });
    await expect(ledger.resolveLink(newTenant(), { crmId: '' }, at(0))).rejects.toMatchObject({
      code: 'BAD_IDS',
    });
  });

  it('merges two links of one deal: the one with the CRM id stays and takes over what it lacks', async () => {
    const tenant = newTenant();
    await ledger.resolveLink(tenant, { crmId: 'C1' }, at(0));
    await ledger.markDue(tenant, [{ vendorId: 'V1' }, { vendorId: 'V1' }], at(5));
    await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(6));
    await ledger.settle(tenant, 'vendor:V1', {
      at: at(7),
      base: BASE,
      vendorObservation: VENDOR_SEEN,
      vendorInDoubt: 'update',
      journal: [{ at: at(7), kind: 'state', summary: { from: 'vendor' }, decisions: [] }],
    });
    const merged = await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(10));
    expect(merged).toMatchObject({ opened: false, superseded: 'vendor:V1' });
    expect(merged.link).toMatchObject({
      key: 'C1',
      crmId: 'C1',
      vendorId: 'V1',
      base: BASE,
      vendorObservation: VENDOR_SEEN,
      vendorInDoubt: 'update',
      generation: 2,
      observedGeneration: 0,
    });
    expect(await ledger.findLink(tenant, 'vendor:V1')).toEqual(merged.link);
    expect(await ledger.findLinkByIds(tenant, { vendorId: 'V1' })).toEqual(merged.link);
    expect(await ledger.dueKeys(tenant, 10)).toEqual(['C1']);
    expect(await ledger.countByState(tenant)).toEqual({ new: 1, superseded: 1 });
    expect(await ledger.listLinks(tenant, { limit: 10 })).toHaveLength(1);
    expect((await ledger.listLinks(tenant, { state: 'superseded', limit: 10 }))[0]).toMatchObject({
      key: 'vendor:V1',
      due: false,
    });
    const story = await ledger.journal(tenant, 'C1', 10);
    expect(story.map((line) => line.summary)).toEqual([
      { event: 'merged', superseded: 'vendor:V1' },
      { from: 'vendor' },
    ]);
    expect(await ledger.journal(tenant, 'vendor:V1', 10)).toEqual(story);
  });

  it('keeps the base of the survivor, and makes it due even if neither was', async () => {
    const tenant = newTenant();
    const own = { ...BASE, crmVersion: 'own' };
    await ledger.resolveLink(tenant, { crmId: 'C1' }, at(0));
    await ledger.settle(tenant, 'C1', { at: at(0), base: own, state: 'in-sync' });
    await ledger.resolveLink(tenant, { vendorId: 'V1' }, at(0));
    await ledger.settle(tenant, 'vendor:V1', { at: at(0), base: BASE });
    const { link } = await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(1));
    expect(link).toMatchObject({ base: own, state: 'in-sync', generation: 1, observedGeneration: 0 });
  });

  it('sends nothing more for an superseded link, and a late settle touches nothing but its own story', async () => {
    const tenant = newTenant();
    await ledger.resolveLink(tenant, { vendorId: 'V1' }, at(0));
    const sent = await savePlan(ledger, tenant, 'vendor:V1');
    expect(await ledger.markSent(tenant, sent, leaving(1, 'update'))).toBe(true);
    const unsent = await savePlan(ledger, tenant, 'vendor:V1');
    await ledger.resolveLink(tenant, { crmId: 'C1' }, at(2));
    const { link } = await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(3));
    expect(link.vendorInDoubt).toBe('update');
    expect(await ledger.markSent(tenant, unsent, leaving(4, 'update'))).toBe(false);
    const late = {
      at: at(5),
      planId: sent,
      outcome: 'applied',
      base: BASE,
      observedGeneration: 9,
      vendorInDoubt: 'no',
    } as const;
    expect(await ledger.settle(tenant, 'vendor:V1', late)).toEqual(link);
    expect(await ledger.loadPlan(tenant, sent)).toMatchObject({ outcome: 'applied' });
    await ledger.settle(tenant, 'C1', { at: at(6), planId: unsent, outcome: 'given up' });
    expect(await ledger.loadPlan(tenant, unsent)).toMatchObject({ outcome: 'given up', sentAt: null });
  });

  it('never merges links that contradict each other: the CRM id leads', async () => {
    const tenant = newTenant();
    await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(0));
    await ledger.resolveLink(tenant, { crmId: 'C2', vendorId: 'V2' }, at(0));
    const crossed = await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V2' }, at(1));
    expect(crossed).toMatchObject({ superseded: null, link: { crmId: 'C1', vendorId: 'V1' } });
    const clone = await ledger.resolveLink(tenant, { crmId: 'C3', vendorId: 'V2' }, at(1));
    expect(clone).toMatchObject({ opened: true, link: { crmId: 'C3', vendorId: null } });
    const second = await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V9' }, at(1));
    expect(second).toMatchObject({ opened: false, link: { crmId: 'C1', vendorId: 'V1' } });
    expect(await liveLinks(tenant)).toBe(3);
  });

  it('gives twenty at once one and the same link', async () => {
    const tenant = newTenant();
    const calls = Array.from({ length: 20 }, (_, index) =>
      pick(index).resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(index)),
    );
    const results = await Promise.all(calls);
    expect(new Set(results.map(({ link }) => link.key))).toEqual(new Set(['C1']));
    expect(results.filter(({ opened }) => opened)).toHaveLength(1);
    expect(await ledger.countByState(tenant)).toEqual({ new: 1 });
  });

  it('ends as one link whatever half of the ids each of many callers knows', async () => {
    const tenant = newTenant();
    for (let deal = 0; deal < 5; deal += 1) {
      const halves = [{ crmId: `C${deal}` }, { vendorId: `V${deal}` }, { crmId: `C${deal}`, vendorId: `V${deal}` }];
      const calls = Array.from({ length: 24 }, (_, index) =>
        pick(index).resolveLink(tenant, halves[index % 3] as { crmId: string }, at(index)),
      );
      await Promise.all(calls);
      expect(await ledger.findLinkByIds(tenant, { crmId: `C${deal}` })).toMatchObject({
        vendorId: `V${deal}`,
      });
    }
    expect(await liveLinks(tenant)).toBe(5);
    expect(
      await query('select count(*)::int as n from link_aliases where tenant = $1 and alias = key', [tenant]),
    ).toEqual([{ n: 0 }]);
  });

  it('merges crossing pairs at the same time as they are marked and settled', async () => {
    const tenant = newTenant();
    const deals = Array.from({ length: 15 }, (_, index) => index);
    await ledger.markDue(
      tenant,
      deals.flatMap((n) => [{ crmId: `C${n}` }, { vendorId: `V${n}` }]),
      at(0),
    );
    const merges = deals.map((n) => pick(n).resolveLink(tenant, { crmId: `C${n}`, vendorId: `V${n}` }, at(1)));
    const marks = [...deals]
      .reverse()
      .map((n) => pick(n + 1).markDue(tenant, [{ vendorId: `V${n}` }, { crmId: 'C7' }], at(1)));
    const settles = deals.map((n) =>
      pick(n).settle(tenant, `vendor:V${n}`, { at: at(1), observedGeneration: 1, state: 'in-sync' }),
    );
    await Promise.all([...merges, ...marks, ...settles]);
    expect(await liveLinks(tenant)).toBe(15);
    for (const row of await ledger.listLinks(tenant, { limit: 100 })) {
      expect(row).toMatchObject({ due: true, vendorId: row.crmId?.replace('C', 'V') });
    }
  });
});

function pick(index: number): Ledger {
  return index % 2 === 0 ? ledger : other;
}

it('reads the lines of the journal record by record, in pages, with the ids of the record of today', async () => {
  const tenant = newTenant();
  await ledger.resolveLink(tenant, { vendorId: 'V1' }, at(0));
  await ledger.resolveLink(tenant, { crmId: 'C1' }, at(0));
  await ledger.resolveLink(tenant, { crmId: 'C2' }, at(0));
  const note = (key: string, second: number, decisions = [DECISION]) =>
    ledger.addToJournal(tenant, key, { at: at(second), kind: 'decision', summary: { second }, decisions });
  for (const [key, second] of [
    ['C2', 1],
    ['vendor:V1', 2],
    ['C1', 3],
    ['C1', 4],
  ] as const)
    await note(key, second);
  await note('C1', -60);
  await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(6));
  const first = await ledger.journalPage(tenant, { since: at(0), after: null, limit: 3 });
  const rest = await ledger.journalPage(tenant, { since: at(0), after: first.at(-1)?.place ?? null, limit: 3 });
  // Merging the two links left a line of its own.
  expect([first, rest].map((page) => page.map(({ crmId, entry }) => [crmId, entry.summary['second']]))).toEqual([
    [
      ['C1', 3],
      ['C1', 4],
      ['C1', undefined],
    ],
    [
      ['C2', 1],
      ['C1', 2],
    ],
  ]);
  expect(rest[1]).toMatchObject({ vendorId: 'V1', entry: { decisions: [DECISION] } });
});
