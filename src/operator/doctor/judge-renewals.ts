import type { CrmLimits } from '../../domain/record/crm-limits.ts';
import type { RenewalRules } from '../../domain/record/renewal-rules.ts';
import { type Judgment, ok } from './finding.ts';

/** The fields that Lockstep sets when it creates an opportunity for a renewal. */
const FIELDS = [
  ...['Name', 'StageName', 'CloseDate', 'Amount', 'AccountId', 'OwnerId'],
  ...['Vendor_Renewal_Id__c', 'Vendor_Renewal_State__c', 'Vendor_Renewal_Followed__c'],
];

/** Judges whether the integration user may create opportunities for renewals with the stage from the tenant file. */
export function judgeRenewals({ stage, daysBefore }: RenewalRules, described: CrmLimits): readonly Judgment[] {
  const seen = described['Opportunity'];
  const barred = FIELDS.filter((field) => seen?.[field]?.createable !== true);
  const stages = seen?.['StageName']?.choices?.map(({ value }) => value) ?? seen?.['StageName']?.values ?? null;
  const problems: readonly Judgment[] = [
    ...(barred.length === 0
      ? []
      : [
          {
            verdict: 'warns' as const,
            what: `Opportunity.${barred.join(', Opportunity.')} cannot be given by us, so renewals get no opportunity`,
            repair: 'deploy the package, and assign the permission set Lockstep_Integration to the integration user',
          },
        ]),
    ...(stages === null || stages.includes(stage)
      ? []
      : [
          {
            verdict: 'warns' as const,
            what: `no opportunity has the stage ${stage}`,
            repair: `set orders.renewalOpportunities.stage to one of ${stages.join(', ')}`,
          },
        ]),
  ];
  return problems.length > 0 ? problems : [ok(`renewals get an opportunity ${daysBefore} days before they begin`)];
}
