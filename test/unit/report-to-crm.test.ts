import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createReportToCrm } from '../../activities/opportunity/report-to-crm.ts';
import { settle } from '../../activities/opportunity/settle.ts';
import { createResumeGroup } from '../../activities/outage/group-outage.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { dueReport, reportInput } from '../../src/domain/decide/report.ts';
import { NOTHING_KNOWN } from '../../src/domain/decide/reported.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Waiting } from '../../src/domain/record/plan.ts';
import type { Settlement } from '../../src/ledger/plans/plan-ledger.ts';
import { CrmError, type CrmErrorKind } from '../../src/salesforce/errors.ts';
import { sees } from '../support/ledger/ledger-samples.ts';
import { linkSample, vendorReading } from '../support/value-engine/samples.ts';

const LINK = {
  tenant: 'acme',
  key: '006A',
  crmId: '006A',
  vendorId: 'DS-1',
  state: 'parked',
  issues: [ISSUES.vendorMissing()],
  base: null,
  vendorObservation: vendorReading({}, { readOnly: { poNumber: 'x'.repeat(300) } }),
  reported: null,
};

/** The activity against a CRM with given answers; records the reports and the calls to the ledger. */
async function reported(
  refuses: (report: CrmReport) => boolean,
  link: Partial<Link> = {},
  kind: CrmErrorKind = 'permanent',
) {
  const steps: string[] = [];
  const reports: CrmReport[] = [];
  const settled: unknown[] = [];
  const deps = {
    now: () => '2026-03-01T10:00:00.000Z',
    ledger: {
      findLink: async () => ({ ...LINK, ...link }),
      settle: async (_tenant: string, _key: string, settlement: Settlement) => {
        steps.push(`noted ${settlement.reported?.row.is}`);
        settled.push(settlement);
        return { ...LINK, ...link, ...settlement };
      },
    },
    runtime: () => ({
      tenant: { mapping: {} },
      crm: {
        report: async (report: CrmReport) => {
          steps.push('told');
          reports.push(report);
          if (refuses(report)) throw new CrmError(kind, 'STRING_TOO_LONG', '', { fields: ['PO_Number__c'] });
        },
      },
    }),
  } as unknown as ActivityDeps;
  await new MockActivityEnvironment().run(createReportToCrm(deps), { tenant: 'acme', key: '006A' });
  return { reports, settled, steps };
}

it('cuts the vendor’s texts to their fields', async () => {
  const { reports } = await reported(() => false);
  expect(String(reports[0]?.sync['PO_Number__c'])).toHaveLength(255);
});

it('tells state and message though the CRM refuses another field of the row', async () => {
  const { reports, settled } = await reported((report) => 'PO_Number__c' in report.sync);
  expect(reports).toHaveLength(2);
  expect(reports[1]?.sync).toMatchObject({
    Sync_State__c: 'Parked',
    Message__c: ISSUES.vendorMissing().message,
  });
  expect(settled).toMatchObject([
    { journal: [{ summary: { answer: 'in part, refused STRING_TOO_LONG PO_Number__c' } }] },
  ]);
});

it('sends Lockstep’s own fields again after the CRM refused them', async () => {
  const refused = await reported((report) => 'Vendor_Id__c' in report.opportunity);
  const [{ reported: shows }] = refused.settled as [Settlement];
  expect(shows?.owned).toEqual({ is: 'unknown' });
  const { reports } = await reported(() => false, { reported: shows ?? null });
  expect(reports.map(({ opportunity }) => opportunity)).toEqual([{ Vendor_Id__c: 'DS-1' }]);
});

it('does not send its own fields again to a converted lead, which stays read-only', async () => {
  const { settled } = await reported((report) => 'Vendor_Id__c' in report.opportunity, {}, 'stale');
  const [{ reported: shows }] = settled as [Settlement];
  expect(shows?.owned).not.toEqual({ is: 'unknown' });
});

it('says so where not even that gets through', async () => {
  const { settled } = await reported(() => true);
  expect(settled).toMatchObject([{ journal: [{ summary: { answer: 'refused STRING_TOO_LONG PO_Number__c' } }] }]);
});

it('notes before it tells that it is not known what users see, unless they were notified of nothing so far', async () => {
  const first = await reported(() => false);
  expect(first.steps).toEqual(['told', 'noted shown']);
  const anew = await reported(() => false, { reported: sees('before') });
  expect(anew.steps).toEqual(['noted unknown', 'told', 'noted shown']);
  const again = await reported(() => false, { reported: NOTHING_KNOWN });
  expect(again.steps).toEqual(['told', 'noted shown']);
});

it.each([
  ['are still to be told', 'parked', { reportDue: true }],
  ['were told before', 'in-sync', {}],
] as const)('says with the last mark of a record whether its users %s', async (_, stateAfter, expected) => {
  const settlements: Settlement[] = [];
  const ledger = { settle: async (_: string, __: string, one: Settlement) => void settlements.push(one) };
  const deps = { ledger, now: () => '2026-03-01T10:00:00.000Z' } as unknown as ActivityDeps;
  const known = linkSample();
  const link = { ...known, reported: dueReport(reportInput(known))?.shows ?? null };
  const issues = stateAfter === 'parked' ? [ISSUES.vendorMissing()] : [];
  const plan = {
    next: 'nothing',
    decisions: [],
    stateAfter,
    issues,
    baseAfter: known.base,
  } as unknown as Waiting;
  await settle(deps, link, { type: 'decided', plan, generation: 1, trigger: 'crm' });
  const [{ reportDue } = {}] = settlements;
  expect(reportDue === undefined ? {} : { reportDue }).toEqual(expected);
});

it('drains what was marked before the end of a pause', async () => {
  let second = 0;
  const now = (): string => `2026-03-01T10:00:0${second}.000Z`;
  const deps = {
    now,
    ledger: {
      pauses: async () => [],
      resume: async () => {
        second = 3;
      },
    },
  } as unknown as ActivityDeps;
  const activity = createResumeGroup(deps);
  const resumed = await new MockActivityEnvironment().run(activity, {
    tenant: 'acme',
    group: 'salesforce' as const,
  });
  expect(resumed).toEqual({ at: '2026-03-01T10:00:03.000Z' });
});

it.each([
  ['an opportunity that is gone takes its sync row with it', '006A', () => true, 'gone'],
  ['a lead that is gone leaves its sync row to users', '00QA', hasFields, 'shown'],
  ['a lead that is gone and has no sync row yet reaches no user', '00QA', () => true, 'gone'],
] as const)('%s', async (_, crmId, refuses, row) => {
  const { settled } = await reported(refuses, { crmId, state: 'in-sync', issues: [] }, 'gone');
  expect(settled.at(-1)).toMatchObject({ reported: { row: { is: row } } });
});

function hasFields({ opportunity }: CrmReport): boolean {
  return Object.keys(opportunity).length > 0;
}
