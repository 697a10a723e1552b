import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { addressTable, tenantUiLink } from '../../../playground/up/address-table.ts';
import { stopRequests } from '../../../playground/up/stop-requests.ts';
import { endpoints } from '../../support/endpoints.ts';

describe('the addresses', () => {
  it('are printed without any secret', () => {
    const table = addressTable(endpoints, ['demo'], { dir: '/h', logs: '/h/logs', throwAway: false }).join('\n');
    expect(table).not.toContain('SECRET');
    for (const port of [7233, 8233, 4010, 4020, 4030, 4031, 4040, 5433]) expect(table).toContain(`127.0.0.1:${port}`);
  });

  it('say of the Temporal UI that it answers any Host', () => {
    const table = addressTable(endpoints, ['demo'], { dir: '/h', logs: '/h/logs', throwAway: false });
    expect(table[1]).toContain('it answers any Host');
  });

  it('lead to what runs for the tenant in the Temporal UI', () => {
    const link = new URL(tenantUiLink('http://127.0.0.1:8233', ['demo']));
    expect(link.searchParams.get('query')).toBe('LockstepTenant="demo" AND WorkflowType="syncOpportunity"');
  });
});

describe('a stop request', () => {
  it('that comes several times at once is one; a later one is another', () => {
    const source = Object.assign(new EventEmitter(), { exit: () => {} });
    let nowMs = 0;
    const heard: string[] = [];
    const requests = stopRequests(source, () => nowMs);
    const listener = () => void heard.push('stop');
    requests.on('SIGINT', listener);
    for (nowMs of [10_000, 10_001, 10_500, 13_000]) source.emit('SIGINT');
    expect(heard).toEqual(['stop', 'stop']);
    requests.off('SIGINT', listener);
    expect(source.listenerCount('SIGINT')).toBe(0);
  });
});
