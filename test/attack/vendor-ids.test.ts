import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { idsOfKey, linkKey } from '../../src/domain/record/link-key.ts';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';
import { queryOnce, withLedger } from '../support/ledger/postgres.ts';
import fc from '../support/properties.ts';

/** An invalid id is parked alone: it stops no poll, opens no link, and is stored nowhere. */

const OPPORTUNITY = '006000000000001AAA';
const BAD_IDS: readonly (readonly [string, string])[] = [
  ['ten thousand characters', 'x'.repeat(10_000)],
  ['65 characters', 'x'.repeat(65)],
  ['nothing', ''],
  ['a blank', ' '],
  ['a NUL', 'a\u0000b'],
  ['half a character', '\ud800'],
  ['a line end', 'a\nb'],
  ['an escape', '\u001b[31m'],
  ['a way up', '..'],
  ['this place', '.'],
  ['a reference', '@{account.id}'],
  ['markup', '<b>'],
  ['a quote', "'; drop table links; --"],
  ['an address', 'jane.roe@acme.example'],
  ['letters that turn around', 'a\u202eb'],
  ['an opportunity of 18 characters', OPPORTUNITY],
  ['an opportunity of 15 characters', OPPORTUNITY.slice(0, 15)],
  ['an opportunity in small letters', '006hs00001abcdeia5'],
];
const GOOD = ['DS-1', 'LO-00000005', '4711', 'a/b:c', '001000000000001AAA', '__proto__', 'constructor'];

const { ledger, url } = await withLedger();
let tenants = 0;
let found: readonly string[] = [];
let vendor: HostileVendor;
beforeAll(async () => {
  vendor = await startHostileVendor(() => ({ body: vendorBody([{ dsLeadOpportunityId: found }]) }));
});
afterAll(() => vendor.close());

/** One poll of a tenant of its own. */
async function poll(ids: readonly string[]) {
  tenants += 1;
  const tenant = `ids-${tenants}`;
  found = ids;
  const woken: string[] = [];
  const deps = {
    ledger,
    now: () => new Date().toISOString(),
    wake: async (_tenant: string, keys: readonly string[]) => void woken.push(...keys),
    runtime: () => ({
      tenant: { tenant, vendor: { poll: { overlapMs: 300_000 } } },
      vendor: vendor.connect(),
    }),
  } as unknown as ActivityDeps;
  const result = await new MockActivityEnvironment().run(createStreamActivities(deps).searchVendorOpportunities, {
    tenant,
  });
  return { tenant, woken, result };
}

test.each(BAD_IDS)('%s is no id', (_, id) => expect(isVendorId(id)).toBe(false));
test.each(GOOD)('%s is one', (id) => expect(isVendorId(id)).toBe(true));

describe('a poll that shows', () => {
  test.each(BAD_IDS)('%s goes on, and parks it', async (_, id) => {
    const { tenant, woken, result } = await poll(['DS-1', id, 'DS-2']);
    expect(woken).toEqual(['vendor:DS-1', 'vendor:DS-2']);
    expect(result).toMatchObject({ found: 2, parked: 1 });
    expect(await ledger.streamReads(tenant)).toMatchObject([{ parkedRows: 1 }]);
    expect((await ledger.listLinks(tenant, { limit: 10 })).map(({ vendorId }) => vendorId)).toEqual(['DS-1', 'DS-2']);
  });

  test('all of them at once, and a hundred thousand more, keeps no more than a thousand hashes', async () => {
    const flood = Array.from({ length: 100_000 }, (_, n) => `@{${n}}`);
    const { tenant, woken } = await poll([...GOOD, ...BAD_IDS.map(([, id]) => id), ...flood]);
    expect(woken.toSorted()).toEqual(GOOD.map((id) => `vendor:${id}`).toSorted());
    const [{ parkedRows } = { parkedRows: 0 }] = await ledger.streamReads(tenant);
    expect(parkedRows).toBe(1_000);
    const kept = await queryOnce(url, `select * from parked_rows where tenant = '${tenant}'`);
    expect(JSON.stringify(kept)).not.toContain('jane');
  });

  test('the same again counts it once', async () => {
    const { tenant } = await poll(['@{x}', '@{x}']);
    expect(await ledger.parkRows(tenant, 'pollVendor', ['@{x}'], new Date().toISOString())).toBe(0);
    expect(await ledger.streamReads(tenant)).toMatchObject([{ parkedRows: 1 }]);
  });
});

describe('keys of links', () => {
  const at = '2026-03-01T00:00:00.000Z';

  test('of the two sides never meet, whatever their ids', async () => {
    const [crm, other] = await ledger.markDue('keys', [{ crmId: OPPORTUNITY }, { vendorId: OPPORTUNITY }], at);
    expect(crm).toBe(OPPORTUNITY);
    expect(other).toBe(`vendor:${OPPORTUNITY}`);
    const opened = await ledger.resolveLink('keys', { vendorId: 'vendor:1' }, at);
    const also = await ledger.resolveLink('keys', { vendorId: '1' }, at);
    expect(opened.link.key).not.toBe(also.link.key);
  });

  test('tell their ids', () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(idsOfKey(linkKey({ crmId: null, vendorId: id }))).toEqual({ crmId: null, vendorId: id });
      }),
    );
    expect(idsOfKey(linkKey({ crmId: OPPORTUNITY, vendorId: 'x' }))).toEqual({
      crmId: OPPORTUNITY,
      vendorId: null,
    });
    expect(idsOfKey('LO-1')).toEqual({ crmId: null, vendorId: 'LO-1' });
  });
});
