import { describe, expect, it } from 'vitest';
import { allLines } from '../../../src/cli/commands/status.ts';
import { ISSUES } from '../../../src/domain/record/issues.ts';
import { pauseOpens } from '../../../src/operator/status/pause-opens.ts';
import type { Status, TenantStatus } from '../../../src/operator/status/status.ts';

const AT = '2026-01-01T12:00:00.000Z';

const QUIET = {
  tenant: 'acme',
  records: { 'in-sync': 291, superseded: 73 },
  ...{
    changes: null,
    paused: [],
    failing: [],
    overdue: [],
    stopped: [],
    refusedRows: {},
    ownerNotices: [],
    undelivered: [],
    parkedRows: {},
  },
  ...{
    waiting: [],
    drift: null,
    org: null,
    unopenedMapping: null,
    vendor: { codes: [], changes: [] },
    crmCalls: null,
    orders: null,
  },
  flow: { lag: [], backlog: null, causes: [], quotas: [] },
  attention: [],
} as unknown as TenantStatus;

const lines = (more: object): readonly string[] =>
  allLines({ tenants: [{ ...QUIET, ...more }], unavailable: [] } as unknown as Status);

describe('a person reads of a tenant', () => {
  it('no records that another one has superseded', () => {
    expect(lines({})).toEqual(['acme: 291 in-sync']);
  });

  it.each([
    [1, '1 record waits for a free worker'],
    [291, '291 records wait for a free worker'],
  ])('of %i that waits, in the right number', (records, words) => {
    const waiting = [{ records, since: AT, waitsFor: null, longest: '006A' }];
    expect(lines({ waiting })[1]).toContain(`  pending: ${words}, the first since`);
  });

  it('which version of the mapping does not open, and which applies instead', () => {
    expect(lines({ unopenedMapping: { version: 4, applies: 3 } })[1]).toMatch(
      /^ {2}mapping: version 4 .* does not open .* version 3 applies; .*lockstep mapping versions --tenant acme$/,
    );
  });

  it('one row, one reading and one record as one', () => {
    const of = {
      flow: { ...QUIET.flow, backlog: { records: 1, since: AT, seconds: 90, boundBy: 'quota' } },
      vendor: {
        codes: [{ field: 'status', code: 'X', readings: 1, since: AT, repair: 'add it' }],
        changes: [],
      },
      parkedRows: { pullOrders: 1 },
      refusedRows: { pullOrders: { STRING_TOO_LONG: 1 } },
      drift: { records: 1, repaired: 1, at: AT },
    };
    const text = lines(of).join('\n');
    expect(text).not.toMatch(/\b1 (?:rows|records|readings|orders|reads)\b/);
    expect(text).toContain('1 record on the way');
  });

  it.each(['vendor-sales', 'salesforce', 'whole-tenant', 'by-hand'] as const)(
    'of a pause of %s a line that fits a terminal in three',
    (group) => {
      const reason = 'refused our sign-in or key (INVALID_SESSION_ID)';
      const paused = [{ group, reason, since: AT, opens: pauseOpens(group, 'acme') }];
      expect(lines({ paused })[1]?.length).toBeLessThanOrEqual(240);
    },
  );

  it('the name of a deal behind its id', () => {
    const attention = [
      { key: '006A', crmId: '006A', vendorId: 'LO-1', state: 'parked', issues: [ISSUES.vendorMissing()] },
    ];
    const status = { tenants: [{ ...QUIET, attention }], unavailable: [] } as unknown as Status;
    const names = { named: (id: string) => `${id} "Wind farm"`, notes: [] };
    expect(allLines(status, names)).toContain('  parked: 006A "Wind farm"');
  });
});
