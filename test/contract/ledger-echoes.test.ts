import { beforeEach, describe, expect, it } from 'vitest';
import { at, VENDOR_SEEN } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, newTenant } = await withLedger();
const KEY = 'C1';
const IDS = { crmId: KEY, vendorId: 'V1' };
const WRITTEN = { ...VENDOR_SEEN, vendorId: 'V1', optimistic: ['name'] } as const;

let tenant = '';
/** A link that both sides have, at rest since a write of ours went to the vendor. */
beforeEach(async () => {
  tenant = newTenant();
  await ledger.resolveLink(tenant, IDS, at(0));
  await ledger.settle(tenant, KEY, {
    at: at(1),
    observedGeneration: 1,
    vendorReadGeneration: 1,
    vendorObservation: WRITTEN,
  });
});

const toldBy = (ids: { readonly crmId: string } | { readonly vendorId: string }, seconds: number) =>
  ledger.markDue(tenant, [ids], at(seconds));
const isEcho = async () => (await ledger.linkStatuses(tenant, [KEY])).get(KEY)?.work === 'echo';

describe('a record that the vendor tells of after a write of ours', () => {
  it('waits for its echo, as far as is known, until it is done', async () => {
    expect(await isEcho()).toBe(false);
    await toldBy({ vendorId: 'V1' }, 2);
    expect(await isEcho()).toBe(true);
    await toldBy({ vendorId: 'V1' }, 3);
    expect(await isEcho()).toBe(true);
    await ledger.settle(tenant, KEY, { at: at(4), observedGeneration: 3, vendorReadGeneration: 3 });
    expect(await isEcho()).toBe(false);
  });

  it('waits for more where the CRM signalled it too, before or after', async () => {
    await toldBy({ crmId: KEY }, 2);
    await toldBy({ vendorId: 'V1' }, 3);
    expect(await isEcho()).toBe(false);
    await ledger.settle(tenant, KEY, { at: at(4), observedGeneration: 3, vendorReadGeneration: 3 });
    await toldBy({ vendorId: 'V1' }, 5);
    await toldBy({ crmId: KEY }, 6);
    expect(await isEcho()).toBe(false);
  });

  it('waits for more where it was read since', async () => {
    const { optimistic: _, ...read } = WRITTEN;
    await ledger.settle(tenant, KEY, { at: at(2), vendorObservation: read });
    await toldBy({ vendorId: 'V1' }, 3);
    expect(await isEcho()).toBe(false);
  });

  it('comes last in the lane, and not at all where no request is spare', async () => {
    await toldBy({ vendorId: 'V1' }, 2);
    await ledger.markDue(tenant, [{ crmId: 'C2' }], at(3));
    await ledger.takeInLane(tenant, [KEY, 'C2'], 'vendor');
    const order = { withBulk: true, excluding: [], limit: 9 };
    const next = async (withEchoes: boolean) =>
      (await ledger.nextInLane(tenant, { ...order, withEchoes })).map((record) => [record.key, record.work === 'echo']);
    expect(await next(true)).toEqual([
      ['C2', false],
      [KEY, true],
    ]);
    expect(await next(false)).toEqual([['C2', false]]);
  });
});

describe('requests that take only what is spare', () => {
  const QUOTA = 'vendor-sales';
  const SPARE = { onlySpare: true } as const;
  const ask = (seconds: number, claim = {}) => ledger.reserveRequest(tenant, QUOTA, at(seconds), claim);

  it('are given another instant each, at which they pass, and all others pass meanwhile', async () => {
    await ledger.reportQuota(tenant, QUOTA, { limit: 60, remaining: 60, resetSeconds: 60, at: at(0) });
    const refused = await Promise.all([0.5, 0.5, 0.5].map((seconds) => ask(seconds, SPARE)));
    expect(refused).toEqual([1, 2, 3].map((seconds) => ({ allowed: false, until: at(seconds) })));
    for (const seconds of [1, 2, 3]) expect(await ask(seconds, SPARE)).toEqual({ allowed: true });
    expect(await ask(3)).toEqual({ allowed: true });
    // One request was taken by another: what is spare comes a second later.
    expect(await ask(4, SPARE)).toEqual({ allowed: false, until: at(5) });
    expect(await ask(5, SPARE)).toEqual({ allowed: true });
  });
});
