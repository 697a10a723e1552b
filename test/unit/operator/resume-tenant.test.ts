import { describe, expect, it } from 'vitest';
import type { OperationGroup } from '../../../src/domain/loop/operation-groups.ts';
import { LOAD_PAUSE } from '../../../src/domain/streams/orders-load.ts';
import { resumeTenant } from '../../../src/operator/tenants/resume-tenant.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const TENANT = { tenant: 'acme', guards: { maxDetachShare: 0.2, minimum: 5, windowMs: 3_600_000 } };

/** A ledger in which these groups are paused; its writes are listed in their order. */
function ledgerPaused(...groups: readonly OperationGroup[]) {
  const writes: unknown[] = [];
  const probeNow = async (_tenant: string, group: OperationGroup) => void writes.push(`look ${group}`);
  return {
    writes,
    guards: async () => ({
      probeNow,
      endWaits: async (_tenant: string, keys: readonly string[]) => void writes.push(`end ${keys.join(' ')}`),
    }),
    ledger: {
      endWaits: async () => 3,
      dueKeys: async () => ['006A', '006B'],
      cursor: async () => null,
      pauses: async () => groups.map((group) => ({ group, reason: 'why', since: NOW })),
      saveCursor: async (_tenant: string, _stream: string, position: unknown) => void writes.push(position),
      resume: async (_tenant: string, group: OperationGroup) => void writes.push(group),
    },
  };
}

describe('resuming a tenant', () => {
  it('lets everything leave for the length of the guard’s window, before it lifts the pause', async () => {
    const { ledger, writes, guards } = ledgerPaused('whole-tenant');
    const until = '2026-03-01T13:00:00.000Z';
    expect(await resumeTenant(ledger, TENANT, NOW, guards)).toEqual({
      tenant: 'acme',
      resumed: true,
      groups: ['whole-tenant'],
      allowedUntil: until,
      loadPausedSince: null,
    });
    expect(writes).toEqual([{ until }, 'whole-tenant', 'look whole-tenant']);
  });

  it('lifts every pause, and opens the guard only where that had paused the tenant', async () => {
    const { ledger, writes, guards } = ledgerPaused('salesforce', 'vendor-sales');
    expect(await resumeTenant(ledger, TENANT, NOW, guards)).toEqual({
      tenant: 'acme',
      resumed: true,
      groups: ['salesforce', 'vendor-sales'],
      allowedUntil: null,
      loadPausedSince: null,
    });
    // Of each, what is kept of its relapses goes first; its guard looks once the pause is lifted.
    expect(writes).toEqual([null, 'salesforce', 'look salesforce', null, 'vendor-sales', 'look vendor-sales']);
  });

  it('ends what it waits for by itself, where a person asks for that', async () => {
    const { ledger, writes, guards } = ledgerPaused();
    expect(await resumeTenant(ledger, TENANT, NOW, guards, true)).toMatchObject({
      resumed: false,
      waitsEnded: 5,
    });
    expect(writes).toEqual(['end 006A 006B']);
  });

  it('leaves a first load of orders that an operator has paused, and tells of it', async () => {
    const { ledger, writes, guards } = ledgerPaused();
    const held = {
      ...ledger,
      cursor: async (_: string, name: string) => ({ [LOAD_PAUSE]: { since: NOW } })[name],
    };
    expect(await resumeTenant(held, TENANT, NOW, guards)).toMatchObject({
      resumed: false,
      loadPausedSince: NOW,
    });
    expect(writes).toEqual([]);
  });
});
