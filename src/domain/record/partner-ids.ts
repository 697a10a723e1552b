import type { CrmFields } from './crm-graph.ts';

/** What a rule compares: the record type's developer name, the account's country (ISO 3166, two letters), or a field of the opportunity. */
export type PartnerIdRule = { readonly partnerId: string } & (
  | { readonly recordType: string }
  | { readonly country: string }
  | { readonly field: string; readonly is: string }
);

const RECORD_TYPE = 'RecordType.DeveloperName';

/** The opportunity fields that the rules for partner ids compare. */
export function fieldsOfPartnerIds(rules: readonly PartnerIdRule[] = []): readonly string[] {
  const fields = rules.flatMap((rule) => ('recordType' in rule ? [RECORD_TYPE] : 'field' in rule ? [rule.field] : []));
  return [...new Set(fields)];
}

export type PartnerIdOf = { readonly partnerId: string } | { readonly hidden: string };

/**
 * The partner's legal entity at the vendor to which a new deal belongs: that of the first rule that fits, else `otherwise`. If Lockstep may
 * not see a field that a rule compares, returns the field as `hidden`, because a guess could register the deal for the wrong entity.
 * `country`: undefined if unseen.
 */
export function partnerIdOf(
  rules: readonly PartnerIdRule[],
  otherwise: string,
  deal: { readonly opportunity: CrmFields; readonly country: string | null | undefined },
): PartnerIdOf {
  for (const rule of rules) {
    const [name, is] = comparedBy(rule);
    const value = name === 'country' ? deal.country : deal.opportunity[name];
    if (value === undefined) return { hidden: name };
    if (value !== null && String(value) === is) return { partnerId: rule.partnerId };
  }
  return { partnerId: otherwise };
}

function comparedBy(rule: PartnerIdRule): readonly [string, string] {
  if ('recordType' in rule) return [RECORD_TYPE, rule.recordType];
  return 'country' in rule ? ['country', rule.country] : [rule.field, rule.is];
}
