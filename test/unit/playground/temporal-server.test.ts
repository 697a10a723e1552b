import { describe, expect, it } from 'vitest';
import { serverArgs } from '../../../playground/temporal/temporal-server.ts';

describe('the Temporal server', () => {
  it('gets our search attributes, its own file, and fairness, on the loopback only', () => {
    const args = serverArgs({
      program: 't',
      port: 1,
      uiPort: 2,
      dbFile: '/h/temporal.db',
      logFile: '',
      env: {},
      signal: AbortSignal.abort(),
    }).join(' ');
    for (const part of [
      '--ip 127.0.0.1 --port 1 --ui-port 2 --db-filename /h/temporal.db ',
      '--search-attribute LockstepTenant=Keyword',
      '--search-attribute LockstepSyncState=Keyword',
      '--dynamic-config-value matching.enableFairness=true',
    ])
      expect(args).toContain(part);
  });
});
