import { sidesOf } from '../../../src/domain/decide/report-fields.ts';
import type { Base } from '../../../src/domain/record/base.ts';
import { issue } from '../../../src/domain/record/issue.ts';
import { agreedBase, vendorReading } from '../value-engine/samples.ts';
import type { StandInOrg } from './component-page.ts';

/** An org with one deal of every kind of row, as the engine reports it; `may`: what the user who looks may read. */

export const DEAL = '006000000000001AAA';
export const SYNC = 'a00000000000001AAA';
const SAVED = { crmSavedAt: '2026-11-28T09:12:44.000Z', vendorSavedAt: '2026-11-28T09:05:02.000Z' };

const BASE: Base = {
  ...agreedBase({ name: 'Wind farm simulation' }),
  defaulted: ['reasonWon'],
  vendor: { reasonWon: ['STRNG_VAL_PROP'] },
  held: {
    description: { crm: 'Simulation of 40 turbines, pilot in spring', vendor: 'Simulation of 60 turbines' },
    closeDate: { crm: '2026-12-18', vendor: '2027-01-29' },
  },
  overruled: {
    dsOwnerEmail: {
      ...SAVED,
      rule: 'newest',
      winner: 'crm',
      crm: 'kim.lee@vendor.example',
      vendor: 'sam@vendor.example',
    },
  },
};
const ISSUES = [
  issue('conflict', 'description', 'Choose.'),
  issue('vendor-refused', 'nextMilestone', 'The vendor refused "Vendor: next milestone"; correct the field and save.'),
];

const LABELS: Readonly<Record<string, unknown>> = {
  Name: 'Wind farm simulation',
  StageName: 'Proposal',
  Description: 'Simulation of 40 turbines, pilot in spring',
  CloseDate: { value: '2026-12-18', displayValue: '12/18/2026' },
  Vendor_Owner_Email__c: 'kim.lee@vendor.example',
  Vendor_Next_Milestone__c: 'Demo on site ☎',
  Vendor_Next_Milestone_Date__c: { value: '2026-12-04', displayValue: '12/4/2026' },
  Vendor_Forecast_Category__c: { value: 'PIPELINE', displayValue: 'Pipeline' },
  Vendor_Campaign_Code__c: 'WIND-26',
  Vendor_Reasons_Won__c: null,
  Vendor_Reasons_Lost__c: null,
  Vendor_Competitors__c: null,
  Vendor_Reason_Comment__c: null,
  Vendor_GTM_Tactic__c: null,
  CurrencyIsoCode: 'EUR',
};

export const LEAD = '00Q000000000001AAA';
const OF_LEAD: Readonly<Record<string, unknown>> = {
  Vendor_Deal_Name__c: 'Wind farm simulation',
  Status: 'Working - Contacted',
  Vendor_Close_Date__c: { value: '2026-12-18', displayValue: '12/18/2026' },
  Description: 'Simulation of 40 turbines, pilot in spring',
  Vendor_Owner_Email__c: 'kim.lee@vendor.example',
  Vendor_Next_Milestone__c: 'Demo on site ☎',
};

/** An org with a lead of every kind of row. */
export function leadOrg(): StandInOrg {
  const link = { base: BASE, issues: ISSUES, vendorObservation: vendorReading({ nextMilestone: 'Demo' }), crmId: LEAD };
  const sync = {
    ...{ Lead__c: LEAD, Sync_State__c: 'Conflict', State_In_Words__c: 'Both sides changed the same field.' },
    ...{ Message__c: null, Resolve__c: null, Last_Synced__c: '2026-11-28T09:30:00.000Z' },
    ...sidesOf(link, { rules: { description: 'manual', closeDate: 'manual' } }),
  };
  return {
    rows: { [LEAD]: { apiName: 'Lead', fields: OF_LEAD }, [SYNC]: { apiName: 'Lockstep_Lead_Sync__c', fields: sync } },
    syncsOf: { [LEAD]: [SYNC] },
    list: [],
  };
}

type May = { readonly seeValues?: boolean; readonly hidden?: readonly string[]; readonly refuses?: string };

export function demoOrg({ seeValues = true, hidden = [], refuses }: May = {}): StandInOrg {
  const vendorObservation = vendorReading({ nextMilestone: 'Demo' });
  const { Field_States__c, Field_Values__c } = sidesOf(
    { base: BASE, issues: ISSUES, vendorObservation, crmId: null },
    { rules: { description: 'manual', closeDate: 'manual' } },
  );
  const visible = Object.entries(LABELS).filter(([name]) => !hidden.includes(name));
  return {
    rows: {
      [DEAL]: { apiName: 'Opportunity', fields: Object.fromEntries(visible) },
      [SYNC]: {
        apiName: 'Lockstep_Sync__c',
        fields: {
          Opportunity__c: DEAL,
          Opportunity__r: { value: { fields: { Name: { value: LABELS['Name'] } } } },
          Sync_State__c: 'Conflict',
          State_In_Words__c: 'Both sides changed the same field; choose whose value stays.',
          Message__c: null,
          Resolve__c: null,
          Last_Synced__c: '2026-11-28T09:30:00.000Z',
          Field_States__c,
          ...(seeValues ? { Field_Values__c } : {}),
        },
      },
    },
    syncsOf: { [DEAL]: [SYNC] },
    list: [SYNC],
    ...(refuses === undefined ? {} : { refuses }),
  };
}
