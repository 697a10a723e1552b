import { expect, it } from 'vitest';
import { NOTHING_FOUND } from '../../../src/domain/audit/audit-result.ts';
import {
  type AuditPorts,
  AuditUnderWay,
  runAudit,
  showLastAudit,
  stopAudit,
} from '../../../src/operator/runs/audit.ts';

const NOW = '2027-01-01T00:00:00.000Z';
const kept = (startedAt: string) => ({
  last: { shape: 'audit/1', startedAt, ...NOTHING_FOUND },
  proven: null,
});

/** `states`: how the audit stands each time it is looked at; once it is no more running, the ledger has `after`. */
function tools(states: readonly string[], after: unknown = kept(NOW), looks = 10) {
  const started: unknown[] = [];
  const result: string[] = [];
  let look = -1;
  const progress = { phase: 'crm', pairs: 7, totals: NOTHING_FOUND };
  const ports = {
    audits: {
      start: async (order: unknown) => {
        started.push(order);
        return states.length > 0;
      },
      status: async () => ({ state: states[look] ?? 'COMPLETED', progress }),
      stop: async () => states[0] === 'RUNNING',
    },
    ledger: { cursor: async () => (states[look] === 'RUNNING' || look < 0 ? kept('before') : after) },
    pause: async () => {
      look += 1;
      return look < looks;
    },
    progress: (text: string) => void result.push(text),
  };
  return { ports: ports as unknown as AuditPorts, started, result };
}

const ORDER = { repairs: true, cap: null };

it('waits for the end, tells how far it is, and gives what came of it', async () => {
  const { ports, started, result } = tools(['RUNNING', 'COMPLETED']);
  expect(await runAudit(ports, 'acme', { repairs: true, cap: 9 })).toMatchObject({
    shape: 'audit/1',
    startedAt: NOW,
  });
  expect(started).toEqual([{ tenant: 'acme', repairs: true, cap: 9 }]);
  expect(result).toEqual(['audit: 7 pairs, crm, 0 calls, 0 differ so far']);
});

it('leaves it running where nobody waits any longer', async () => {
  const { ports, started } = tools(['RUNNING', 'RUNNING'], kept(NOW), 1);
  expect(await runAudit(ports, 'acme', ORDER)).toMatchObject({ state: 'under-way' });
  expect(started).toEqual([{ tenant: 'acme', repairs: true }]);
});

it('begins none beside another', async () => {
  await expect(runAudit(tools([]).ports, 'acme', ORDER)).rejects.toThrow(AuditUnderWay);
});

it.each([
  ['an outage cut it short', 'COMPLETED', 'lockstep status'],
  ['somebody stopped it', 'CANCELLED', 'it was stopped'],
  ['it failed', 'FAILED', 'Temporal UI'],
])('says so where %s', async (_, state, reason) => {
  const answer = await runAudit(tools([state], kept('before')).ports, 'acme', ORDER);
  expect(answer).toMatchObject({ state: 'cut-short', reason: expect.stringContaining(reason) });
});

it('shows the last one, and stops one that is under way', async () => {
  expect(await showLastAudit({ cursor: async () => kept(NOW) }, 'acme')).toMatchObject({ startedAt: NOW });
  expect(await showLastAudit({ cursor: async () => null }, 'acme')).toMatchObject({ state: 'none' });
  expect(await stopAudit(tools(['RUNNING']).ports.audits, 'acme')).toMatchObject({ state: 'stopped' });
  expect(await stopAudit(tools(['COMPLETED']).ports.audits, 'acme')).toMatchObject({ state: 'idle' });
});
