import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { type Sandbox, startSandbox } from 'lockstep-simulators/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { createKeySearches } from '../../activities/support/key-searches.ts';
import { withTenantKey } from '../../activities/support/tenant-key.ts';
import { vendorRequest } from '../../activities/support/vendor-request.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { createKeyScope } from '../../src/worker/key-scope.ts';
import { connectRemotes } from '../../src/worker/remotes.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { until } from '../support/until.ts';

/** The documented procedure of order spec 5.3 against the vendor's simulator, while other requests go on. */

const { open } = await withLedger();
const NOW = new Date().toISOString();
const OWN = { reveal: () => 'file', source: 'env:KEY' };
const REFUSED = new PartnerApiError({
  ...{ kind: 'scope', sent: 'no', operation: 'searchOrders', domain: 'order' },
  ...{ method: 'POST', template: '/orders/search', status: 403 },
});

let tenants = 0;
/** A tenant that the ledger does not know. */
function newTenant(): string {
  tenants += 1;
  return `acme-${tenants}`;
}

/** What connects the remotes of a tenant with these addresses and this key of its file. */
function fileOf(tenant: string, url: string, apiKey: { reveal(): string; source: string }): Tenant {
  const vendor = { salesBaseUrl: url, orderBaseUrl: url, keyHeader: 'X-API-Key', apiKey };
  const auth = { flow: 'client-credentials', clientId: 'x', clientSecret: { reveal: () => 'x' } };
  return { tenant, vendor, salesforce: { auth }, mapping: {} } as unknown as Tenant;
}

const inActivity = <T>(run: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(run);

describe.each(['replace', 'overlap'] as const)('a gateway that lets keys %s', (rotation) => {
  let tenant: string;
  let vendor: Sandbox;
  let ledger: Ledger;
  /** Two workers, as a fleet has them. */
  let workers: readonly ActivityDeps[];
  beforeEach(async () => {
    tenant = newTenant();
    vendor = await startSandbox({ rotation, orders: 0, apiKey: 'f'.repeat(64), strict: true });
    ledger = await open();
    workers = [worker(), worker()];
  });
  afterEach(() => vendor.close());

  function worker(): ActivityDeps {
    const keys = createKeyScope();
    const file = fileOf(tenant, vendor.url, { reveal: () => vendor.apiKey, source: 'env:KEY' });
    const runtime = connectRemotes(file, { keys });
    return {
      ledger,
      runtime: () => runtime,
      withKey: keys.withKey,
      now: () => NOW,
    } as unknown as ActivityDeps;
  }
  const search = (deps: ActivityDeps): Promise<unknown> =>
    inActivity(() =>
      vendorRequest(deps, tenant, 'vendor-sales', (signal) =>
        deps.runtime(tenant).vendor.searchPortfolioItems({}, { signal }),
      ),
    );
  const of = (deps: ActivityDeps = workers[0] as ActivityDeps) => createActivities(deps);
  const prove = (domain: 'sales' | 'order') => inActivity(() => of().proveApiKey({ tenant, domain }));
  const searchAll = async (): Promise<void> => {
    for (const deps of workers) await search(deps);
  };
  const statuses = async (): Promise<readonly number[]> => {
    const { requests } = (await vendor.admin('GET', 'requests')).body as { requests: { status: number }[] };
    return requests.map(({ status }) => status);
  };
  const create = async (): Promise<string> => (await inActivity(() => of().createApiKey({ tenant }))).hashedKey;
  const settle = (hashedKey: string, as: 'proven' | 'dropped') =>
    inActivity(() => of().settleKey({ tenant, hashedKey, as }));
  const register = async (hashedKey: string): Promise<void> =>
    expect((await vendor.admin('POST', 'keys', { hashedKey })).status).toBe(201);
  /** A key that the vendor has registered, and that every worker uses. */
  async function takenOver(): Promise<string> {
    const hashedKey = await create();
    await register(hashedKey);
    await searchAll();
    await prove('sales');
    await settle(hashedKey, 'proven');
    return hashedKey;
  }

  it('gives a key that is kept before its hash is shown, once, and is not used yet', async () => {
    const result = await inActivity(() => of().createApiKey({ tenant }));
    const { hashedKey } = result;
    const row = await ledger.vendorKeys(tenant);
    expect(row).toMatchObject({ inUse: null, waiting: { hashedKey } });
    expect(JSON.stringify(result)).not.toContain(row?.waiting?.apiKey);
    // One that is killed and goes on asks for no second key.
    const asked = (await statuses()).length;
    expect(await inActivity(() => of().createApiKey({ tenant }))).toEqual({ hashedKey });
    expect(await statuses()).toHaveLength(asked);
    await searchAll();
  });

  it('is not proven before the vendor has registered it', async () => {
    await create();
    expect([await prove('sales'), await prove('order')]).toEqual([{ proof: 'refused' }, { proof: 'refused' }]);
    await searchAll();
  });

  it('takes over with no request lost, and no dead key sent after the one that shows it', async () => {
    const hashedKey = await create();
    await searchAll();
    await register(hashedKey);
    const before = (await statuses()).length;
    await Promise.all(workers.map(search));
    await searchAll();
    const refused = (await statuses()).slice(before).filter((status) => status === 403);
    // Two workers may have begun with the old key at the same time.
    expect(refused.length).toBeLessThanOrEqual(rotation === 'replace' ? 2 : 0);
    if (rotation === 'replace') expect(refused.length).toBeGreaterThan(0);
    expect([await prove('sales'), await prove('order')]).toEqual([{ proof: 'taken' }, { proof: 'taken' }]);
    await settle(hashedKey, 'proven');
    expect(await ledger.vendorKeys(tenant)).toMatchObject({
      inUseHash: hashedKey,
      waiting: null,
      previous: null,
      provenAt: NOW,
    });
    const settled = (await statuses()).length;
    await searchAll();
    expect((await statuses()).slice(settled)).toEqual([200, 200]);
  });

  it('is not forgotten once it has taken over', async () => {
    expect(await settle(await takenOver(), 'dropped')).toEqual({ isDone: false });
  });

  it('is done with no key that the ledger lacks, as after a restore', async () => {
    const hashedKey = await create();
    await ledger.dropKey(tenant, hashedKey);
    expect(await prove('sales')).toEqual({ proof: 'taken' });
    expect(await settle(hashedKey, 'proven')).toEqual({ isDone: false });
    expect(await settle(hashedKey, 'dropped')).toEqual({ isDone: true });
  });

  it('is done again with a key that has taken over', async () => {
    expect(await settle(await takenOver(), 'proven')).toEqual({ isDone: true });
  });

  it('is followed by the next one, which somebody may forget', async () => {
    const hashedKey = await takenOver();
    const next = await create();
    expect(next).not.toBe(hashedKey);
    const dropped = [await settle(next, 'dropped'), await settle(next, 'dropped')];
    expect(dropped).toEqual([{ isDone: true }, { isDone: true }]);
    await searchAll();
  });

  it('fails with a key that was revoked, and goes on with one that a person sets, at once', async () => {
    await takenOver();
    const registered = await create();
    const handedOut = (await ledger.vendorKeys(tenant))?.waiting?.apiKey ?? '';
    await ledger.dropKey(tenant, registered);
    const revoked = (await vendor.admin('GET', 'keys')).body as { keys: { id: string }[] };
    await vendor.admin('POST', 'keys', { hashedKey: registered });
    for (const { id } of revoked.keys) await vendor.admin('DELETE', `keys/${id}`);
    for (const deps of workers) await expect(search(deps)).rejects.toMatchObject({ kind: 'scope' });
    await ledger.setKey(tenant, handedOut, NOW);
    await searchAll();
  });
});

describe('a gateway that has not switched everywhere', () => {
  it('is asked once more with the key before, until the new one is proven', async () => {
    const ledger = await open();
    const tenant = newTenant();
    const sent: string[] = [];
    const keys = createKeyScope();
    const vendor = await startSandbox({ orders: 0, apiKey: 'file' });
    const apiKey: typeof keys.apiKey = async (secret) => {
      const key = await keys.apiKey(secret);
      sent.push(key);
      return key;
    };
    const runtime = connectRemotes(fileOf(tenant, vendor.url, OWN), { keys: { apiKey } });
    const deps = {
      ledger,
      runtime: () => runtime,
      withKey: keys.withKey,
      now: () => NOW,
    } as unknown as ActivityDeps;
    const search = () =>
      inActivity(() =>
        vendorRequest(deps, tenant, 'vendor-order', (signal) => runtime.vendor.searchPriceLists({}, { signal })),
      );
    await ledger.keepKey(tenant, { apiKey: 'fresh', hashedKey: 'h' }, NOW);
    await ledger.switchKey(tenant, 'h', NOW);
    await search();
    expect(sent).toEqual(['fresh', 'file']);
    await ledger.proveKey(tenant, 'h', NOW);
    await expect(search()).rejects.toMatchObject({ kind: 'scope' });
    expect(sent.slice(2)).toEqual(['fresh']);
    await vendor.close();
  });
});

it('a request that left with the old key goes again with the one that took over meanwhile', async () => {
  const ledger = await open();
  const tenant = newTenant();
  await ledger.setKey(tenant, 'old', NOW);
  await ledger.keepKey(tenant, { apiKey: 'new', hashedKey: 'h' }, NOW);
  const keys = createKeyScope();
  const deps = { ledger, withKey: keys.withKey, now: () => NOW } as unknown as ActivityDeps;
  const sent: string[] = [];
  const result = await withTenantKey(deps, tenant, async () => {
    const key = await keys.apiKey(OWN);
    sent.push(key);
    if (key === 'new') return 'taken';
    // Another worker has met the refusal before, and a person has confirmed since.
    await ledger.switchKey(tenant, 'h', NOW);
    await ledger.proveKey(tenant, 'h', NOW);
    throw REFUSED;
  });
  expect([result, sent]).toEqual(['taken', ['old', 'new']]);
});

describe('while another key is looked for', () => {
  it('sends no more with the one that was refused', async () => {
    const ledger = await open();
    const tenant = newTenant();
    await ledger.setKey(tenant, 'old', NOW);
    await ledger.keepKey(tenant, { apiKey: 'new', hashedKey: 'h' }, NOW);
    const keys = createKeyScope();
    const deps = {
      ledger,
      runtime: () => ({ tenant: { vendor: { apiKey: { reveal: () => 'file' } } } }),
      withKey: keys.withKey,
      keySearches: createKeySearches(),
      now: () => NOW,
    } as unknown as ActivityDeps;
    const sent: string[] = [];
    const request = () =>
      inActivity(() =>
        vendorRequest(deps, tenant, 'vendor-order', async () => {
          const key = await keys.apiKey(OWN);
          sent.push(key);
          if (key === 'old') throw REFUSED;
          // A gateway compares a new key with its hash, which takes its time.
          await delay(300);
          return { rateLimit: { limit: null, remaining: null, resetSeconds: null } };
        }),
      );
    const first = request();
    await until('the new key is tried', async () => sent.length === 2);
    await Promise.all([first, request(), request()]);
    expect(sent).toEqual(['old', 'new', 'new', 'new']);
  });

  it('holds nothing up for longer than some seconds', async () => {
    const searches = createKeySearches(5);
    searches.note('acme', new Promise(() => {}));
    await searches.over('acme');
    await searches.over('another');
  });

  it('goes on where the search has failed', async () => {
    const searches = createKeySearches(600_000);
    searches.note('acme', Promise.reject(new Error('no key is taken')));
    await searches.over('acme');
  });
});
