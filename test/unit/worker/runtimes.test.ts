import type { Context } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/platform/logger.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import type { Roster } from '../../../src/platform/tenant-roster.ts';
import { createRuntimes, type Remotes } from '../../../src/worker/runtimes.ts';

/** Tenants' connections while tenants come, change and go. */

const tenantCalled = (tenant: string): Tenant => ({ tenant }) as Tenant;

function rosterWith(tenants: readonly Tenant[], removed: readonly string[] = []): Roster {
  return {
    served: new Map(tenants.map((tenant) => [tenant.tenant, { tenant, version: 1 }])),
    unavailable: new Map(),
    removed: new Map(removed.map((name) => [name, 2])),
  };
}

function someRuntimes() {
  const closed: Tenant[] = [];
  const connected: Tenant[] = [];
  const broken = new Set<string>();
  const runtimes = createRuntimes((tenant) => {
    if (broken.has(tenant.tenant)) throw new Error('no such key');
    connected.push(tenant);
    return { tenant, close: async () => void closed.push(tenant) } as unknown as Remotes;
  }, silentLogger);
  /** Runs `run` as an activity with these arguments. */
  const activity = <T>(args: object, run: () => Promise<T>): Promise<T> => {
    const { execute } = runtimes.around({} as Context).inbound ?? {};
    if (execute === undefined) throw new TypeError('nothing goes around an activity');
    return execute({ args: [args], headers: {} }, run as () => Promise<unknown>) as Promise<T>;
  };
  return { runtimes, closed, connected, broken, activity };
}

describe('a tenant that changes', () => {
  it('ends nothing under way: an activity has to its end what it began with, and the next has the new', async () => {
    const { runtimes, closed, activity } = someRuntimes();
    const [before, after] = [tenantCalled('acme'), tenantCalled('acme')];
    runtimes.follow(rosterWith([before]));
    const gate = Promise.withResolvers<void>();
    const running = activity({ tenant: 'acme' }, async () => {
      const first = runtimes.of('acme').tenant;
      await gate.promise;
      return [first, runtimes.of('acme').tenant];
    });
    runtimes.follow(rosterWith([after]));
    expect(closed).toEqual([]);
    expect(await activity({ tenant: 'acme' }, async () => runtimes.of('acme').tenant)).toBe(after);
    gate.resolve();
    const [first, last] = await running;
    expect([first === before, last === before]).toEqual([true, true]);
    expect(closed).toEqual([before]);
  });

  it('is closed at once where nothing uses it, and once only', async () => {
    const { runtimes, closed, activity } = someRuntimes();
    const [before, after] = [tenantCalled('acme'), tenantCalled('acme')];
    runtimes.follow(rosterWith([before]));
    await activity({ tenant: 'acme' }, async () => runtimes.of('acme'));
    runtimes.follow(rosterWith([after]));
    expect(closed).toEqual([before]);
    await runtimes.close();
    await runtimes.close();
    expect(closed).toEqual([before, after]);
  });

  it('leaves the connections of its neighbours alone', () => {
    const { runtimes, closed, connected } = someRuntimes();
    const neighbour = tenantCalled('neighbour');
    runtimes.follow(rosterWith([tenantCalled('acme'), neighbour]));
    runtimes.follow(rosterWith([tenantCalled('acme'), neighbour]));
    expect(connected.filter(({ tenant }) => tenant === 'neighbour')).toHaveLength(1);
    expect(closed).not.toContain(neighbour);
  });
});

describe('a tenant that is not served', () => {
  it('is waited for where it is not known: what was asked fails for a while, and is reported to no record', async () => {
    const { runtimes, activity } = someRuntimes();
    runtimes.follow(rosterWith([]));
    const asked = activity({ tenant: 'acme', key: 'k' }, async () => runtimes.of('acme'));
    await expect(asked).rejects.toMatchObject({
      type: 'TRANSIENT',
      nonRetryable: false,
      message: expect.stringContaining('TENANT_NOT_SERVED'),
      details: [{ isOurs: true }],
    });
    const acme = tenantCalled('acme');
    runtimes.follow(rosterWith([acme]));
    expect(await activity({ tenant: 'acme' }, async () => runtimes.of('acme').tenant)).toBe(acme);
  });

  it('ends what is under way for it where it was removed, whatever that would do, with the reason', async () => {
    const { runtimes, closed, activity } = someRuntimes();
    const acme = tenantCalled('acme');
    runtimes.follow(rosterWith([acme]));
    runtimes.follow(rosterWith([], ['acme']));
    expect(closed).toEqual([acme]);
    let ran = false;
    const asked = activity({ tenant: 'acme' }, async () => {
      ran = true;
    });
    await expect(asked).rejects.toMatchObject({
      type: 'TENANT_REMOVED',
      nonRetryable: true,
      message: 'TENANT_REMOVED: the tenant acme was removed',
    });
    expect(ran).toBe(false);
    runtimes.follow(rosterWith([tenantCalled('acme')]));
    await activity({ tenant: 'acme' }, async () => runtimes.of('acme'));
  });

  it('stops no other where it cannot be connected', async () => {
    const { runtimes, broken, activity } = someRuntimes();
    broken.add('bad');
    runtimes.follow(rosterWith([tenantCalled('bad'), tenantCalled('good')]));
    expect(await activity({ tenant: 'good' }, async () => runtimes.of('good').tenant.tenant)).toBe('good');
    expect(() => runtimes.of('bad')).toThrow(/TENANT_NOT_SERVED/);
    broken.clear();
    runtimes.follow(rosterWith([tenantCalled('bad'), tenantCalled('good')]));
    expect(runtimes.of('bad').tenant.tenant).toBe('bad');
  });
});
