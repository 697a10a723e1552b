import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/domain/record/journal.ts';
import { at, BASE, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, open, newTenant } = await withLedger();
const other = await open();

const IDS = { crmId: 'C1', vendorId: 'V1' };
const ENTRY: JournalEntry = { at: at(5), kind: 'adoption', summary: { matchedOn: 'name' }, decisions: [] };

describe('adopt', () => {
  it('makes one link of the two, which agrees on nothing yet, and says so in the journal', async () => {
    const tenant = newTenant();
    await ledger.markDue(tenant, [{ crmId: 'C1' }, { vendorId: 'V1' }], at(0));
    const link = await ledger.adopt(tenant, IDS, ENTRY);
    expect(link).toMatchObject({ key: 'C1', ...IDS, base: null });
    expect(await ledger.findLink(tenant, 'vendor:V1')).toMatchObject({ key: 'C1' });
    expect((await ledger.journal(tenant, 'C1', 5))[0]).toEqual(ENTRY);
  });

  it('links an opportunity that nobody has seen yet, once', async () => {
    const tenant = newTenant();
    await ledger.markDue(tenant, [{ vendorId: 'V1' }], at(0));
    expect(await ledger.adopt(tenant, IDS, ENTRY)).toMatchObject({ key: 'vendor:V1', ...IDS });
    expect(await ledger.adopt(tenant, IDS, ENTRY)).toBeNull();
  });

  it.each([
    ['the opportunity has another vendor record', [{ crmId: 'C1', vendorId: 'V2' }]],
    ['the vendor record has another opportunity', [{ crmId: 'C2', vendorId: 'V1' }]],
  ])('changes nothing where %s', async (_, known) => {
    const tenant = newTenant();
    for (const ids of known) await ledger.resolveLink(tenant, ids, at(0));
    const before = await ledger.listLinks(tenant, { limit: 10 });
    expect(await ledger.adopt(tenant, IDS, ENTRY)).toBeNull();
    expect(await ledger.listLinks(tenant, { limit: 10 })).toEqual(before);
  });

  it.each([
    ['merged', [{ crmId: 'C1' }, { vendorId: 'V1' }], 'C1'],
    ['completed', [{ vendorId: 'V1' }], 'vendor:V1'],
  ])('makes none where another writer has been at the link that is %s', async (_, known, key) => {
    const tenant = newTenant();
    await ledger.markDue(tenant, known, at(0));
    const fence = { key, version: 0 };
    await ledger.settle(tenant, key, { at: at(1) });
    await expect(ledger.adopt(tenant, IDS, ENTRY, { fence })).rejects.toMatchObject({ code: 'CHANGED' });
    await expect(ledger.resolveLink(tenant, IDS, at(2), fence)).rejects.toMatchObject({ code: 'CHANGED' });
    const now = { key, version: 1 };
    expect(await ledger.adopt(tenant, IDS, ENTRY, { fence: now })).toMatchObject({ key, ...IDS });
    await expect(ledger.resolveLink(tenant, IDS, at(2), now)).rejects.toMatchObject({ code: 'CHANGED' });
  });

  it('and a create that leaves exclude each other', async () => {
    for (let round = 0; round < 20; round += 1) {
      const tenant = newTenant();
      await ledger.resolveLink(tenant, { crmId: 'C1' }, at(0));
      const planId = await savePlan(ledger, tenant, 'C1');
      const [adopted, sent] = await Promise.all([
        ledger.adopt(tenant, IDS, ENTRY),
        other.markSent(tenant, planId, leaving(1, 'create')),
      ]);
      expect(sent).toBe(adopted === null);
    }
  });
});

describe('noteDetaching', () => {
  async function linked(tenant: string, count: number): Promise<void> {
    for (let n = 1; n <= count; n += 1) {
      await ledger.resolveLink(tenant, { crmId: `C${n}`, vendorId: `V${n}` }, at(0));
      await ledger.settle(tenant, `C${n}`, { at: at(0), state: 'in-sync', base: BASE });
    }
  }

  it('counts pairs that leave since an instant, each once, and those that flowed then', async () => {
    const tenant = newTenant();
    await linked(tenant, 4);
    await ledger.resolveLink(tenant, { crmId: 'alone' }, at(0));
    expect(await ledger.noteDetaching(tenant, 'alone', at(10), at(5))).toBe(0);
    expect(await ledger.noteDetaching(tenant, 'C1', at(10), at(5))).toBe(1);
    expect(await ledger.countLinked(tenant, at(5), 10)).toBe(4);
    await ledger.settle(tenant, 'C1', { at: at(10), state: 'detached' });
    expect(await ledger.noteDetaching(tenant, 'C2', at(20), at(5))).toBe(2);
    expect(await ledger.noteDetaching(tenant, 'C2', at(21), at(5))).toBe(2);
    expect(await ledger.countLinked(tenant, at(5), 10)).toBe(4);
    await ledger.settle(tenant, 'C2', { at: at(21), state: 'in-sync' });
    expect(await ledger.noteDetaching(tenant, 'C3', at(30), at(15))).toBe(1);
    expect(await ledger.countLinked(tenant, at(15), 10)).toBe(3);
    expect(await ledger.noteDetaching(newTenant(), 'C3', at(30), at(15))).toBe(0);
  });

  it.each([1, 2, 3])('counts the linked ones up to %i, where more tell nothing', async (limit) => {
    const tenant = newTenant();
    await linked(tenant, 4);
    await ledger.noteDetaching(tenant, 'C1', at(10), at(5));
    await ledger.noteDetaching(tenant, 'C2', at(10), at(5));
    expect(await ledger.countLinked(tenant, at(5), limit)).toBe(limit);
  });

  it('gives a link that still has not left a new date, once the window has passed', async () => {
    const tenant = newTenant();
    await linked(tenant, 2);
    await ledger.noteDetaching(tenant, 'C1', at(10), at(5));
    expect(await ledger.noteDetaching(tenant, 'C1', at(40), at(30))).toBe(1);
  });

  it('lets all who ask at the same time see each other at the end', async () => {
    const tenant = newTenant();
    await linked(tenant, 6);
    const keys = ['C1', 'C2', 'C3', 'C4', 'C5', 'C6'];
    const counts = await Promise.all(
      keys.map((key, n) => (n % 2 === 0 ? ledger : other).noteDetaching(tenant, key, at(10), at(5))),
    );
    expect(Math.max(...counts)).toBe(6);
    expect(await ledger.noteDetaching(tenant, 'C1', at(11), at(5))).toBe(6);
  });
});
