import { describe, expect, it } from 'vitest';
import { auditLines } from '../../../src/cli/commands/audit.ts';
import { backfillLines, progressLine } from '../../../src/cli/commands/backfill.ts';
import { conflictLines, resolvedLines } from '../../../src/cli/commands/conflicts.ts';
import { isRefused, keyLines } from '../../../src/cli/commands/keys.ts';
import { linkLines } from '../../../src/cli/commands/link.ts';
import { recordLines, summaryLines } from '../../../src/cli/commands/plan.ts';
import { unlinkLines } from '../../../src/cli/commands/unlink.ts';

/** What a person reads. */
const text = (lines: readonly string[]): string => lines.join('\n');
/** Any answer of a verb, with what its lines are made of. */
const result = <T>(answer: object): T => answer as T;

const SINCE = '2026-01-01T00:00:00.000Z';
const CRM = '006Hs00001ABCDEIA5';
const VENDOR = 'LO-00000005';

const BACKFILL = {
  ...{ shape: 'backfill/1', tenant: 'acme', state: 'running', isRunning: true, phase: 'crm' },
  order: { since: SINCE, from: 'both', share: 0.5 },
  ...{ found: 523, done: 218, inFlight: 20, fraction: 0.451, perSecond: 1.84, remainingSeconds: 163 },
  outcomes: { 'in-sync': 200, linked: 12, parked: 6 },
};

describe('a person reads of a backfill', () => {
  it('where it stands, what came of it, and what to type', () => {
    expect(text(backfillLines(result(BACKFILL)))).toMatchInlineSnapshot(`
      "acme, since 2026-01-01T00:00:00.000Z: 45 %, crm: 218 of 523 records, 1.8 a second, about 3 min left
        200 in-sync, 12 linked, 6 parked
        it goes on in the worker, and this shows how far: lockstep backfill status --watch --tenant acme
        to hold it: lockstep backfill pause --tenant acme; to end it: lockstep backfill cancel --tenant acme
        what waits for a person: lockstep inbox --tenant acme"
    `);
    const paused = { ...BACKFILL, state: 'paused', perSecond: null, remainingSeconds: null, outcomes: {} };
    expect(text(backfillLines(result(paused)))).toMatchInlineSnapshot(`
      "acme, since 2026-01-01T00:00:00.000Z: 45 %, paused: 218 of 523 records
        it goes on in the worker, and this shows how far: lockstep backfill status --watch --tenant acme
        to let it go on: lockstep backfill resume --tenant acme; to end it: lockstep backfill cancel --tenant acme"
    `);
    const done = {
      ...BACKFILL,
      ...{ state: 'done', isRunning: false, phase: 'over', done: 523, fraction: 1 },
    };
    const order = { ...BACKFILL.order, fields: ['nextMilestone'] };
    expect(text(backfillLines(result({ ...done, order })))).toMatchInlineSnapshot(`
      "acme, since 2026-01-01T00:00:00.000Z, nextMilestone alone: 100 %, done: 523 of 523 records, 1.8 a second
        200 in-sync, 12 linked, 6 parked
        what waits for a person: lockstep inbox --tenant acme"
    `);
  });

  it('how far it is, while they wait', () => {
    expect(progressLine(result(BACKFILL))).toMatchInlineSnapshot(
      `"[##########..............] 45 %, crm: 218 of 523 records, 1.8 a second, about 3 min left"`,
    );
  });
});

const AUDIT = {
  ...{
    shape: 'audit/1',
    tenant: 'acme',
    startedAt: SINCE,
    endedAt: '2026-01-01T00:04:00.000Z',
    repairs: false,
  },
  ...{ pairs: 2_400, differing: 3, underWay: 5, explained: 2, repaired: 0, left: 3 },
  ...{ causes: {}, fields: { closeDate: 2, status: 1 }, unlinked: { crm: 4, vendor: 1 } },
  examples: [{ crmId: CRM, vendorId: VENDOR, cause: 'not-told', fields: ['closeDate'] }],
  asked: { vendorSearches: 12, vendorReads: 40, crmReads: 3 },
};

describe('a person reads of an audit', () => {
  it('what differs, in which fields, and what repairs it', () => {
    expect(text(auditLines(result(AUDIT)))).toMatchInlineSnapshot(`
      "2400 pairs, 3 differ (2026-01-01T00:00:00.000Z to 2026-01-01T00:04:00.000Z)
        2 differ in closeDate
        1 differs in status
          006Hs00001ABCDEIA5 LO-00000005: not-told closeDate
        Repair them with: lockstep audit --repair --tenant acme
        under way 5, waiting for a repair 2, without a counterpart 4 opportunities and 1 vendor record
        asked: 12 searches and 40 reads of the vendor, 3 reads of Salesforce"
    `);
    const repairing = { ...AUDIT, repairs: true, repaired: 2, left: 1 };
    expect(auditLines(result(repairing)).filter((line) => line.includes('repair'))).toMatchInlineSnapshot(`
      [
        "  2 are on the way to be repaired; the cap leaves 1 to the next: lockstep audit --repair --cap 1 --tenant acme",
        "  under way 5, waiting for a repair 2, without a counterpart 4 opportunities and 1 vendor record",
      ]
    `);
  });

  it('that it goes on, was stopped, is not under way, never was, or was cut short', () => {
    const states = ['under-way', 'stopped', 'idle', 'none', 'cut-short'].flatMap((state) => {
      const answer = { shape: 'audit-state/1', tenant: 'acme', state, reason: 'the ledger is out' };
      return auditLines(result(answer));
    });
    expect(text(states)).toMatchInlineSnapshot(`
      "The audit goes on in Temporal. What it came to: lockstep audit --last --tenant acme; to end it: lockstep audit --stop --tenant acme
      The audit is stopped; what it had marked due goes on.
      No audit of acme is under way.
      No audit of acme has ended yet.
      The audit did not come to its end: the ledger is out"
    `);
  });
});

describe('a person reads of a plan', () => {
  it('what it would do, what it costs, and that nothing was written', () => {
    const plan = {
      ...{
        shape: 'plan/1',
        tenant: 'acme',
        since: SINCE,
        until: SINCE,
        asked: { vendorCalls: 130, crmPages: 1 },
      },
      totals: {
        ...{
          records: 198,
          actions: { 'update-both': 36, park: 6, 'create-in-crm': 8, 'create-at-vendor': 148 },
        },
        ...{
          linkBy: { keys: 30, reference: 6 },
          fields: { closeDate: 4 },
          issues: { 'possible-duplicate': 6 },
        },
      },
      cost: { vendorCalls: 410, crmCalls: 12, changeEvents: 238, seconds: 82, boundBy: 'quota' },
      eventsLeft: 24_000,
      renewals: { opportunities: 3 },
    };
    expect(text(summaryLines(result(plan)))).toMatchInlineSnapshot(`
      "acme, since 2026-01-01T00:00:00.000Z: 198 records: 148 create-at-vendor, 36 update-both, 8 create-in-crm, 6 park
        linked by: 30 keys, 6 reference
        fields: 4 closeDate
        reasons: 6 possible-duplicate
        costs about 410 vendor calls and 12 Salesforce calls, 82 s at the vendor’s quota
        causes about 238 change events; the org still delivers 24000 within a day
        creates 3 renewal opportunities, from the renewals in Salesforce
        nothing was written; this plan took 130 vendor calls and 1 page of Salesforce"
    `);
  });

  it('each record with its fields', () => {
    const record = {
      ...{
        crmId: CRM,
        vendorId: VENDOR,
        action: 'update-both',
        linkBy: 'keys',
        reason: 'both sides have it',
      },
      fields: [{ field: 'closeDate', way: 'to the vendor', verdict: 'here', rule: 'newest' }],
      issues: [{ code: 'conflict', field: 'status' }],
      before: { action: 'nothing' },
    };
    expect(text(recordLines(result(record)))).toMatchInlineSnapshot(`
      "update-both instead of nothing: 006Hs00001ABCDEIA5 LO-00000005, linked by keys (both sides have it)
        closeDate to the vendor: here, newest
        conflict status"
    `);
  });
});

describe('a person reads of two records', () => {
  const ids = { tenant: 'acme', crmId: CRM, vendorId: VENDOR };

  it('that they are one deal, and why nothing travels yet', () => {
    const linked = { ...ids, workflowId: 'acme/opportunity/x', waitsFor: 'salesforce is paused' };
    expect(text(linkLines(linked))).toMatchInlineSnapshot(`
      "006Hs00001ABCDEIA5 and LO-00000005 are one deal; on its way: acme/opportunity/x
      Nothing travels yet: salesforce is paused."
    `);
  });

  it('that they are two, and what makes them one again', () => {
    expect(text(unlinkLines(result(ids)))).toMatchInlineSnapshot(`
      "006Hs00001ABCDEIA5 and LO-00000005 are two, and stay so until: lockstep link 006Hs00001ABCDEIA5 LO-00000005 --tenant acme
      006Hs00001ABCDEIA5 waits while it is shared, and LO-00000005 is not made in the CRM: see: lockstep inbox --code unlinked --tenant acme"
    `);
  });
});

describe('a person reads of conflicts', () => {
  it('which wait, by record and field, and no other issue', () => {
    const issues = [
      { code: 'conflict', field: 'closeDate', message: 'both sides changed it' },
      { code: 'vendor-refused', field: null, message: 'not this' },
    ];
    const records = [{ key: 'k', crmId: null, vendorId: VENDOR, issues }];
    expect(text(conflictLines(result({ tenant: 'acme', records })))).toMatchInlineSnapshot(
      `
      "LO-00000005 closeDate: both sides changed it
        both values: lockstep explain LO-00000005 --field closeDate --values --tenant acme
        decide it: lockstep conflicts resolve LO-00000005 closeDate --take crm --tenant acme (or --take vendor, or another value)"
    `,
    );
    expect(text(conflictLines({ tenant: 'acme', records: [] }))).toMatchInlineSnapshot(`"acme: no conflict waits."`);
  });

  it('what became of one that they decided', () => {
    const decided = {
      key: 'k',
      crmId: CRM,
      vendorId: VENDOR,
      field: 'closeDate',
      take: 'crm',
      workflowId: 'acme/opportunity/x',
    };
    expect(text(resolvedLines(result({ ...decided, outcome: null })))).toMatchInlineSnapshot(
      `"closeDate of 006Hs00001ABCDEIA5 is decided (crm); on its way: acme/opportunity/x"`,
    );
    const outcome = { ended: true, state: 'conflict', waitsFor: ['status: both sides changed it'] };
    expect(text(resolvedLines(result({ ...decided, outcome })))).toMatchInlineSnapshot(`
      "closeDate of 006Hs00001ABCDEIA5 is decided (crm): conflict (acme/opportunity/x)
        status: both sides changed it"
    `);
  });
});

describe('a person reads of the vendor’s key', () => {
  const inUse = { tenant: 'acme', inUse: 'ledger', switchedAt: null, provenAt: null, waiting: null, paused: [] };
  const waits = { phase: 'waiting', lostAnswers: 0, isRunning: true };
  const since = '2026-01-02T00:00:00.000Z';
  const refused = { phase: 'refused', lostAnswers: 0, begunAt: '2026-01-02T00:05:00.000Z' };
  const status = {
    ...{ tenant: 'acme', inUse: 'tenant file', switchedAt: null, provenAt: null, waiting: null },
    ...{ rotation: refused, rotationKey: null, paused: [{ group: 'vendor-sales', reason: 'refused our key', since }] },
  };

  it('that it is refused, and what to do', () => {
    const lines = text(keyLines(result(status)));
    expect(lines).toMatch(/refused our key[\s\S]*ended the key: lockstep keys set acme/);
    expect(lines).toContain('gives no new one for it: lockstep keys set acme');
  });

  it('that the new key is in use, and how to end its rotation', () => {
    const rotation = { ...waits, proof: { sales: 'taken', order: 'refused' } };
    expect(text(keyLines(result({ ...inUse, rotation, rotationKey: 'in use' })))).toMatchInlineSnapshot(`
      "acme uses the key of the ledger.
      The vendor does not take the new key everywhere yet: sales taken, order refused.
      The new key is in use, because the vendor refuses the key before it. To end the rotation: lockstep keys confirm acme
      Where the vendor has ended the new key, too: lockstep keys set acme, with one that it hands out."
    `);
  });

  it('that the ledger lacks the new key, without the hash of another', () => {
    const other = { ...inUse, waiting: { hashedKey: 'another', since } };
    const lines = text(keyLines(result({ ...other, rotation: waits, rotationKey: 'missing' })));
    expect(lines).toContain('First: lockstep keys abort acme. Then: lockstep keys rotate acme');
    expect(lines).not.toContain('another');
  });

  it('that another is in use since, which is not to be set once more', () => {
    const set = { ...status, inUse: 'ledger', switchedAt: '2026-01-02T00:10:00.000Z' };
    expect([isRefused(result(status)), isRefused(result(set))]).toEqual([true, false]);
    expect(text(keyLines(result(set)))).toMatchInlineSnapshot(`
      "acme uses the key of the ledger, since 2026-01-02T00:10:00.000Z.
      vendor-sales is paused since 2026-01-02T00:00:00.000Z, when another key was in use.
      The one in use is tried within five minutes, or at once by: lockstep resume acme"
    `);
  });
});
