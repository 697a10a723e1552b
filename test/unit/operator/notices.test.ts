import { describe, expect, it } from 'vitest';
import { noticeLines } from '../../../src/cli/commands/notices.ts';
import { CAUSE_NAMES, type NoticeCause } from '../../../src/domain/notices/causes.ts';
import { NotSent } from '../../../src/notices/not-sent.ts';
import type { NoticesSetup } from '../../../src/notices/read-notices-file.ts';
import { noticesCheck } from '../../../src/operator/doctor/notices-check.ts';
import { hasUndelivered, listNotices } from '../../../src/operator/notices/list-notices.ts';
import { type NoticeFacts, statesElsewhere, statesOf } from '../../../src/operator/notices/states-of.ts';
import { testChannel } from '../../../src/operator/notices/test-channel.ts';
import { aTenant } from '../../support/stack/webhooks.ts';

const NOW = '2026-11-02T10:00:00.000Z';
const EARLIER = '2026-11-02T09:00:00.000Z';

const NOTHING: NoticeFacts = {
  ...{ reads: [], pauses: [], quotas: [], issues: [], refusedNotices: [], crmUse: undefined },
  ...{ kept: () => undefined, keySince: null, isUnavailable: false },
};

function keeping(values: Readonly<Record<string, unknown>>): Partial<NoticeFacts> {
  return { kept: (stream, ...path) => values[[stream, ...path].join('/')] };
}

const readOf = (readAt: string, more: object = {}) => ({
  ...{ stream: 'pullOrders', readAt, parkedRows: 0, refusedRows: {} },
  ...more,
});

/** What the ledger holds when each cause is met. */
const MET: Readonly<Record<NoticeCause, Partial<NoticeFacts>>> = {
  'tenant-unavailable': { isUnavailable: true },
  'remote-down': { pauses: [{ group: 'salesforce', reason: 'ECONNREFUSED', since: EARLIER }] },
  'mass-change': { pauses: [{ group: 'whole-tenant', reason: '900 of 1000', since: EARLIER }] },
  'paused-by-hand': { pauses: [{ group: 'by-hand', reason: 'upgrade', since: EARLIER }] },
  'stream-overdue': { reads: [readOf('2026-11-01T10:00:00.000Z')] },
  'stream-stopped': keeping({ 'stopped sweepSalesforce': { code: 'INVALID_FIELD', blames: [], since: EARLIER } }),
  'mapping-refused': keeping({ 'watchOrg/problems': [{ verdict: 'fails' }] }),
  'records-wait': { issues: [{ code: 'vendor-refused', records: 12 }] },
  'rows-refused': { reads: [readOf(NOW, { refusedRows: { STRING_TOO_LONG: 2 } })] },
  'rows-without-id': { reads: [readOf(NOW, { parkedRows: 2 })] },
  'owner-notices-refused': {
    refusedNotices: [{ notices: 1, reason: 'INVALID_FIELD', since: EARLIER, retryAt: NOW }],
  },
  drift: keeping({ 'audit/last/differing': 3, 'audit/last/repaired': 1, 'audit/last/startedAt': EARLIER }),
  'change-events-stopped': keeping({ changes: { failed: { code: 'UNAVAILABLE', since: EARLIER } } }),
  'org-calls-used-up': { crmUse: { own: 25_000, orgUse: { used: 25_000, limit: 100_000 } } },
  'vendor-quota-used-up': {
    quotas: [
      { quota: 'vendor-sales', limit: 60, remaining: 0, bulkUsed: 0, until: '2026-11-02T10:00:30Z', seconds: 60 },
    ],
  },
  'key-waits': { keySince: EARLIER },
};

const tenant = { ...aTenant(), salesforce: { ...aTenant().salesforce, changes: 'both' as const } };
const foundIn = (facts: Partial<NoticeFacts>) => statesOf(tenant, { ...NOTHING, ...facts }, NOW);

describe('the states of a tenant', () => {
  it('are none while nothing is wrong, and records that need no person are none', () => {
    const issues = [{ code: 'contact-incomplete' as const, records: 9 }];
    expect(foundIn({ issues, reads: [readOf(NOW)] }).states).toEqual([]);
  });

  it.each(CAUSE_NAMES)('contain %s when the ledger holds it', (cause) => {
    const causes = foundIn(MET[cause]).states.map((state) => state.cause);
    expect(new Set(causes)).toEqual(new Set([cause]));
  });

  it('leave open if a stream would be read in time while a remote is paused', () => {
    const { isUnclear } = foundIn(MET['remote-down']);
    const overdue = (subject: string) => isUnclear({ cause: 'stream-overdue', subject });
    expect([overdue('sweepSalesforce'), overdue('pollVendor')]).toEqual([true, false]);
  });

  it('are all unclear but one for a tenant that the process cannot serve', () => {
    const { states, isUnclear } = statesElsewhere({ isUnavailable: true });
    expect(states.map(({ cause }) => cause)).toEqual(['tenant-unavailable']);
    const clear = CAUSE_NAMES.filter((cause) => !isUnclear({ cause, subject: '' }));
    expect(clear).toEqual(['tenant-unavailable']);
  });
});

const CHANNEL: NoticesSetup['channels'][number] = {
  name: 'ops',
  settings: { type: 'webhook', address: 'https://hooks.example.com', secret: 'file:secret', private: false },
  secrets: {},
};
const SETUP = { channels: [CHANNEL], console: null } as unknown as NoticesSetup;
const UNDELIVERED = { channel: 'ops', waiting: 2, since: EARLIER, givenUp: 1, error: 'HTTP_503' };

describe('the list of notices', () => {
  const open = {
    ...({ tenant: 'acme', cause: 'remote-down', subject: 'salesforce', since: EARLIER, records: null } as const),
    ...{ foundAt: NOW, isAnnounced: true, goneSince: null, to: [{ channel: 'ops', way: 'now' as const }] },
  };
  const message = {
    ...({
      id: 'msg_1',
      tenant: 'acme',
      channel: 'ops',
      kind: 'began',
      title: 'acme: remote-down',
      state: 'sent',
    } as const),
    ...{ createdAt: NOW, dueAt: NOW, attempts: 2, endedAt: NOW, error: null },
  };
  const ledger = {
    listNotices: async () => ({ open: [open], messages: [message] }),
    undeliveredOf: async (tenants: readonly string[]) => new Map([[tenants.at(-1) ?? '', [UNDELIVERED]]]),
  };

  it('shows what is open, what was sent, and what a channel does not take', async () => {
    const found = await listNotices(ledger, SETUP, { tenants: ['acme'], withDigests: true, limit: 10 }, NOW);
    expect(found.undelivered).toEqual([{ tenant: null, ...UNDELIVERED }]);
    expect(hasUndelivered(found)).toBe(true);
    expect(noticeLines(found)).toEqual([
      'channels: ops (webhook)',
      `acme: urgent: Lockstep cannot use Salesforce, so the work that needs it is paused. No change is lost. Since ${EARLIER}; notified: ops`,
      `  undelivered: the channel ops fails (HTTP_503): 2 notices to be sent, the oldest since ${EARLIER}, 1 notice given up within a week; to test it: lockstep notices test ops`,
      `  ${NOW} ops: acme: remote-down: sent ${NOW}, 2 attempts`,
    ]);
  });

  it('is checked by the doctor, with the notices file', async () => {
    const checkOf = (undelivered: (typeof UNDELIVERED)[]) =>
      noticesCheck(
        {
          setup: () => SETUP,
          ledger: async () => ({ undeliveredOf: async () => new Map([['acme', undelivered]]) }),
          now: () => NOW,
        },
        ['acme'],
      ).run();
    expect(await checkOf([])).toEqual([{ verdict: 'ok', what: '1 channels take all notices', repair: null }]);
    expect(await checkOf([UNDELIVERED])).toMatchObject([{ verdict: 'warns' }]);
  });
});

describe('a test of a channel', () => {
  it('says if the channel took it, with the code of a failure', async () => {
    const took = await testChannel({ setup: SETUP, send: async () => null }, 'ops', NOW);
    expect(took).toEqual({ shape: 'notices-test/1', channel: 'ops', sent: true, error: null });
    const fails = () => Promise.reject(new NotSent('ECONNREFUSED'));
    const failed = await testChannel({ setup: SETUP, send: fails }, 'ops', NOW);
    expect([failed.sent, failed.error]).toEqual([false, 'ECONNREFUSED']);
  });

  it('names the channels that there are', async () => {
    const asked = { setup: SETUP, send: async () => null };
    await expect(testChannel(asked, 'oops', NOW)).rejects.toThrow('it names: ops');
    await expect(testChannel({ ...asked, setup: null }, 'ops', NOW)).rejects.toThrow('LOCKSTEP_NOTICES');
  });
});
