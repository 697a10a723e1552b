import { describe, expect, it } from 'vitest';
import { eraseTenant, untilQuiet } from '../../../src/operator/tenants/erase-tenant.ts';
import type { DeclaredTenant } from '../../../src/platform/tenant-declaration.ts';

const NOW = '2027-01-04T08:00:00.000Z';

describe('erasing a tenant', () => {
  /** Of a tenant with rows and workflows, to which `late` rows are written while it is erased. */
  function toErase(state: 'active' | 'removed', late: number) {
    const there = { rows: 7, workflows: 2, late };
    const clock = { ms: Date.parse(NOW) };
    const row = { tenant: 'one', state, changedAt: NOW } as DeclaredTenant;
    const ports = {
      ledger: {
        tenantsSince: async () => [row],
        tenantRows: async () => (there.rows === 0 ? {} : { links: there.rows }),
        destroyedKeys: async () => (there.rows === 0 ? [{ id: 'd:1', at: NOW }] : []),
        eraseTenant: async () => {
          const erased = there.rows;
          there.rows = 0;
          return { links: erased };
        },
      },
      workflows: {
        forget: async () => {
          there.workflows = 0;
        },
        count: async () => there.workflows,
      },
      pause: async (ms: number) => {
        clock.ms += ms;
        if (there.late > 0) there.rows += 1;
        there.late -= 1;
      },
      now: () => new Date(clock.ms).toISOString(),
    };
    return { ports, there, clock };
  }

  it('tells what there is, and does nothing', async () => {
    const { ports, there } = toErase('active', 0);
    expect(await eraseTenant(ports, 'one', { yes: false })).toMatchObject({
      ...{ applied: false, rows: { links: 7 }, remaining: { rows: 7, workflows: 2 }, destroyedKeys: [] },
    });
    expect(there).toMatchObject({ rows: 7, workflows: 2 });
  });

  it('goes on until nothing comes in, and counts what is left', async () => {
    const { ports } = toErase('removed', 2);
    expect(await eraseTenant(ports, 'one', { yes: true })).toMatchObject({
      ...{ applied: true, rows: { links: 9 }, remaining: { rows: 0, workflows: 0 } },
      destroyedKeys: [{ id: 'd:1', at: NOW }],
    });
  });

  it('counts no sooner than a worker that had work under way has left', async () => {
    const { ports, clock } = toErase('removed', 0);
    await eraseTenant(ports, 'one', { yes: true });
    expect(clock.ms - Date.parse(NOW)).toBe(20_000);
    await eraseTenant(ports, 'one', { yes: true });
    expect(clock.ms - Date.parse(NOW)).toBe(22_000);
  });

  it('stops when the tenant is added again meanwhile', async () => {
    const { ports, there } = toErase('removed', 2);
    const eraseTenantOnce = async () => {
      if (there.rows === 7) return ports.ledger.eraseTenant();
      return null;
    };
    const ledger = { ...ports.ledger, eraseTenant: eraseTenantOnce };
    await expect(eraseTenant({ ...ports, ledger }, 'one', { yes: true })).rejects.toThrow(
      /one was added again while its data was erased/,
    );
    expect(there.rows).toBe(1);
  });

  it('waits for late rows before an export, and not for a tenant that was removed long ago', async () => {
    const { ports, clock } = toErase('removed', 0);
    await untilQuiet(ports, 'one');
    await untilQuiet(ports, 'one');
    await untilQuiet(ports, 'two');
    expect(clock.ms - Date.parse(NOW)).toBe(20_000);
  });

  it('tells Temporal again what it did not take', async () => {
    const { ports, there } = toErase('removed', 0);
    let asked = 0;
    const forget = async (): Promise<void> => {
      asked += 1;
      if (asked < 3) throw new Error('it does something else');
      there.workflows = 0;
    };
    const { remaining } = await eraseTenant({ ...ports, workflows: { ...ports.workflows, forget } }, 'one', {
      yes: true,
    });
    expect([asked, remaining.workflows]).toEqual([3, 0]);
  });

  it('says what is left where it does not end', async () => {
    const { ports } = toErase('removed', 1_000);
    expect((await eraseTenant(ports, 'one', { yes: true })).remaining.rows).toBe(1);
  });

  it('erases nothing of one that is in service, or unknown', async () => {
    const { ports, there } = toErase('active', 0);
    await expect(eraseTenant(ports, 'one', { yes: true })).rejects.toThrow(
      /one is in service: lockstep tenants remove one/,
    );
    await expect(eraseTenant(ports, 'two', { yes: false })).rejects.toThrow(/There is no tenant two/);
    expect(there.rows).toBe(7);
  });
});
