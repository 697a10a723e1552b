import { expect, it } from 'vitest';
import { retryStreams, stoppedStreams } from '../../../src/operator/status/stopped-streams.ts';

const SINCE = '2026-03-01T12:00:00.000Z';
const NOW = '2026-03-01T12:20:00.000Z';
const STOP = { code: 'INVALID_TYPE', blames: ['Account'], since: SINCE, retryAt: '2026-03-01T13:00:00.000Z' };

it('a stopped stream is shown, and tried again at its next turn on a person’s word', async () => {
  const cursors = new Map<string, unknown>([
    ['stopped sweepSalesforce', STOP],
    ['pollVendor', {}],
  ]);
  const ledger = {
    cursors: async (_tenant: string, names: readonly string[]) => names.map((name) => cursors.get(name) ?? null),
    retryRefusedRows: async () => 3,
    saveCursor: async (_tenant: string, name: string, position: unknown) => void cursors.set(name, position),
  };
  expect(await stoppedStreams(ledger, 'acme')).toEqual([{ stream: 'sweepSalesforce', ...STOP }]);
  expect(await retryStreams(ledger, 'acme', NOW)).toEqual({
    streams: ['sweepSalesforce'],
    refusedRows: 3,
  });
  expect(await stoppedStreams(ledger, 'acme')).toEqual([{ stream: 'sweepSalesforce', ...STOP, retryAt: NOW }]);
});
