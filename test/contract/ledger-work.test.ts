import { describe, expect, it } from 'vitest';
import {
  at,
  BASE,
  DECISION,
  ISSUE,
  leaving,
  PLAN,
  savePlan,
  sees,
  VENDOR_SEEN,
} from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query } = await withLedger();
const TENANT = 'acme';

let deals = 0;
/** A new link; its key. */
async function newLink(): Promise<string> {
  deals += 1;
  return (await ledger.resolveLink(TENANT, { crmId: `C${deals}` }, at(0))).link.key;
}

describe('plans', () => {
  it('gives back what was stored', async () => {
    const key = await newLink();
    const id = await savePlan(ledger, TENANT, key, 3);
    expect(await ledger.loadPlan(TENANT, id)).toMatchObject({
      id,
      tenant: TENANT,
      key,
      createdAt: at(0),
      crmReadAt: at(0),
      vendorReadAt: null,
      graph: { opportunity: { Id: '006000000000001AAA' } },
      generation: 3,
      plan: PLAN,
      sentAt: null,
      outcome: null,
    });
    expect(await ledger.loadPlan(TENANT, 'no such id')).toBeNull();
  });

  it('refuses a plan for a link that does not exist', async () => {
    await expect(savePlan(ledger, TENANT, 'nowhere')).rejects.toMatchObject({
      code: '23503',
      transient: false,
    });
  });

  it('lets exactly one of many senders send, and notes that the outcome is unknown', async () => {
    const key = await newLink();
    const id = await savePlan(ledger, TENANT, key);
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ledger.markSent(TENANT, id, leaving(index, 'create'))),
    );
    expect(verdicts.filter(Boolean)).toHaveLength(1);
    const winner = verdicts.indexOf(true);
    expect(await ledger.loadPlan(TENANT, id)).toMatchObject({ sentAt: at(winner) });
    expect(await ledger.findLink(TENANT, key)).toMatchObject({ vendorInDoubt: 'create' });
  });

  it('notes on the link that a write to the CRM left, and leaves what is known of the vendor alone', async () => {
    const key = await newLink();
    expect(await ledger.markSent(TENANT, await savePlan(ledger, TENANT, key), leaving(1, null))).toBe(true);
    expect(await ledger.findLink(TENANT, key)).toMatchObject({ vendorInDoubt: 'no', updatedAt: at(1) });
  });

  it('sends no plan but the newest of its link, and lets a late answer to another touch nothing', async () => {
    const key = await newLink();
    const [older, newer] = [await savePlan(ledger, TENANT, key), await savePlan(ledger, TENANT, key)];
    expect(await ledger.markSent(TENANT, older, leaving(1, 'update'))).toBe(false);
    expect(await ledger.markSent(TENANT, newer, leaving(1, 'update'))).toBe(true);
    const late = { at: at(2), planId: older, outcome: 'updated', base: BASE, state: 'parked' as const };
    expect(await ledger.settle(TENANT, key, late)).toMatchObject({ base: null, state: 'new' });
    expect(await ledger.loadPlan(TENANT, older)).toMatchObject({ outcome: 'updated' });
    const answer = { ...late, planId: newer };
    expect(await ledger.settle(TENANT, key, answer)).toMatchObject({ base: BASE, state: 'parked' });
  });

  it('has the vendor read after a late answer that says something of it, and sends nothing that was planned before', async () => {
    const key = await newLink();
    const vendorId = `DS-late-${key}`;
    await ledger.resolveLink(TENANT, { crmId: key, vendorId }, at(0));
    const [older, newer] = [await savePlan(ledger, TENANT, key), await savePlan(ledger, TENANT, key)];
    const late = { at: at(2), planId: older, outcome: 'updated', state: 'parked' as const };
    const result = { ...late, ifStale: () => ({ base: BASE, plansNothing: true as const }) };
    expect(await ledger.settle(TENANT, key, { ...late, ifStale: () => null })).toMatchObject({ base: null });
    expect(await ledger.findLink(TENANT, key)).toMatchObject({ generation: 0, vendorDue: false });
    const settled = await ledger.settle(TENANT, key, result);
    expect(settled).toMatchObject({
      base: BASE,
      state: 'new',
      generation: 1,
      observedGeneration: 0,
      vendorDue: true,
    });
    expect(await ledger.markSent(TENANT, newer, leaving(3, 'update'))).toBe(false);
  });

  it('takes the answer to the newest plan for none that is late', async () => {
    const key = await newLink();
    const planId = await savePlan(ledger, TENANT, key);
    const answer = { at: at(2), planId, outcome: 'updated', ifStale: () => ({ base: BASE }) };
    expect(await ledger.settle(TENANT, key, answer)).toMatchObject({ base: null, generation: 0 });
  });

  it('sends no plan after a decision that writes nothing', async () => {
    const key = await newLink();
    const id = await savePlan(ledger, TENANT, key);
    await ledger.settle(TENANT, key, { at: at(1), plansNothing: true });
    expect(await ledger.markSent(TENANT, id, leaving(2, 'update'))).toBe(false);
  });

  it('sends no plan that rests on an old observation', async () => {
    const key = await newLink();
    const id = await savePlan(ledger, TENANT, key);
    expect(await ledger.markSent(TENANT, id, leaving(61, 'update'))).toBe(false);
    expect(await ledger.markSent(TENANT, id, leaving(60, 'update'))).toBe(true);
  });

  it('sends no plan that was settled unsent', async () => {
    const key = await newLink();
    const id = await savePlan(ledger, TENANT, key);
    await ledger.settle(TENANT, key, { at: at(1), planId: id, outcome: 'stale' });
    expect(await ledger.markSent(TENANT, id, leaving(2, 'update'))).toBe(false);
    expect(await ledger.findLink(TENANT, key)).toMatchObject({ vendorInDoubt: 'no' });
    await expect(ledger.markSent(TENANT, 'unknown', leaving(2, null))).rejects.toMatchObject({
      code: 'UNKNOWN_PLAN',
    });
  });
});

describe('settle', () => {
  it('applies everything together', async () => {
    const key = await newLink();
    await ledger.markDue(TENANT, [{ crmId: key }], at(1));
    const planId = await savePlan(ledger, TENANT, key);
    const line = {
      at: at(2),
      kind: 'decision',
      summary: { trigger: 'webhook', fields: 1 },
      decisions: [DECISION],
    } as const;
    const settled = await ledger.settle(TENANT, key, {
      at: at(2),
      planId,
      outcome: 'applied',
      state: 'parked',
      base: BASE,
      vendorObservation: VENDOR_SEEN,
      vendorInDoubt: 'update',
      adoptingSince: at(1),
      observedGeneration: 1,
      issues: [ISSUE],
      failingSince: at(0),
      retryAt: at(9),
      reported: sees('r1'),
      journal: [line],
    });
    expect(settled).toMatchObject({
      state: 'parked',
      base: BASE,
      vendorObservation: VENDOR_SEEN,
      vendorInDoubt: 'update',
      adoptingSince: at(1),
      generation: 1,
      observedGeneration: 1,
      issues: [ISSUE],
      failingSince: at(0),
      retryAt: at(9),
      reported: sees('r1'),
      updatedAt: at(2),
    });
    expect(await ledger.findLink(TENANT, key)).toEqual(settled);
    expect(await ledger.loadPlan(TENANT, planId)).toMatchObject({ outcome: 'applied' });
    expect(await ledger.journal(TENANT, key, 10)).toEqual([line]);
    expect(await query('select code from parked where tenant = $1 and key = $2', [TENANT, key])).toEqual([
      { code: 'crm-refused' },
    ]);
  });

  it('leaves what is absent, and clears what is asked to be cleared', async () => {
    const key = await newLink();
    const full = await ledger.settle(TENANT, key, {
      at: at(1),
      state: 'conflict',
      base: BASE,
      vendorObservation: VENDOR_SEEN,
      adoptingSince: at(1),
      issues: [ISSUE],
    });
    expect(await ledger.settle(TENANT, key, { at: at(2) })).toEqual({ ...full, updatedAt: at(2), version: 2 });
    const cleared = {
      at: at(3),
      base: null,
      adoptingSince: null,
      issues: [],
    } as const;
    expect(await ledger.settle(TENANT, key, cleared)).toMatchObject({
      base: null,
      vendorObservation: VENDOR_SEEN,
      adoptingSince: null,
      issues: [],
      state: 'conflict',
    });
  });

  it('applies nothing when one part is refused', async () => {
    const key = await newLink();
    const other = await savePlan(ledger, TENANT, await newLink());
    const before = await ledger.findLink(TENANT, key);
    const settlement = { at: at(5), planId: other, state: 'in-sync', base: BASE } as const;
    await expect(ledger.settle(TENANT, key, settlement)).rejects.toMatchObject({ code: 'UNKNOWN_PLAN' });
    expect(await ledger.findLink(TENANT, key)).toEqual(before);
    expect(await ledger.loadPlan(TENANT, other)).toMatchObject({ outcome: null });
    await expect(ledger.settle(TENANT, 'nowhere', { at: at(5) })).rejects.toMatchObject({
      code: 'UNKNOWN_LINK',
    });
  });

  it('keeps the journal in order, newest first', async () => {
    const key = await newLink();
    const lines = ['a', 'b', 'c'].map(
      (name) => ({ at: at(1), kind: 'state', summary: { name }, decisions: [] }) as const,
    );
    await ledger.settle(TENANT, key, { at: at(1), journal: lines });
    const names = (await ledger.journal(TENANT, key, 2)).map((line) => line.summary['name']);
    expect(names).toEqual(['c', 'b']);
  });
});

describe('sealed rows', () => {
  it('open at no other row', async () => {
    const [one, two] = [await newLink(), await newLink()];
    await ledger.settle(TENANT, one, { at: at(1), base: BASE });
    await query('update links set base = (select base from links where key = $1) where key = $2', [one, two]);
    await expect(ledger.findLink(TENANT, two)).rejects.toMatchObject({ code: 'refused' });
    expect((await ledger.findLink(TENANT, one))?.base).toEqual(BASE);
  });
});

describe('cursors', () => {
  it('keeps what its owner wrote, the last one', async () => {
    const tenant = 'cursors';
    expect(await ledger.cursor(tenant, 'poll')).toBeNull();
    for (const position of [{ a: [1, { b: null }] }, [1, 2], 'text', 7]) {
      await ledger.saveCursor(tenant, 'poll', position, at(0));
      expect(await ledger.cursor(tenant, 'poll')).toEqual(position);
    }
    expect(await ledger.cursor(tenant, 'sweep')).toBeNull();
  });
});
