import type { CrmSchema } from '../../domain/record/crm-schema.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { PartnerIdRule } from '../../domain/record/partner-ids.ts';
import type { Misfit } from './problem.ts';

/**
 * Problems of the rules in `vendor.partnerIds`, which choose the partner id (the legal entity of the reseller at the vendor) for a new
 * deal: rules with a field or record type that the org lacks or hides. A new deal waits if such a rule would have to decide.
 */
export function judgePartnerIds({ partnerIds = [] }: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  return partnerIds.flatMap((rule) => {
    const what = missing(rule, schema);
    if (what === null) return [];
    const repair = 'correct the rule in the tenant file, or show it to the integration user';
    return [{ at: ['vendor', 'partnerIds'], verdict: 'fails', what: `vendor.partnerIds: ${what}`, repair }];
  });
}

function missing(rule: PartnerIdRule, { Opportunity }: CrmSchema): string | null {
  if ('field' in rule && Opportunity?.fields[rule.field] === undefined) return `the org does not show ${rule.field}`;
  if ('recordType' in rule && Opportunity?.recordTypes.includes(rule.recordType) !== true)
    return `the integration user has no record type ${rule.recordType}`;
  return null;
}
