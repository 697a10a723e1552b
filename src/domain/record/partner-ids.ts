import type { CrmFields } from './crm-graph.ts';

/**
 * A rule that chooses the partner's legal entity for a deal: a deal that fits belongs to `partnerId`. The rule compares the developer name
 * of the deal's record type, the country of its account, or a field of the opportunity. A country is an ISO 3166 code of two letters, or
 * the text that the org's accounts contain.
 */
export type PartnerIdRule = { readonly partnerId: string } & (
  | { readonly recordType: string }
  | { readonly country: string }
  | { readonly field: string; readonly is: string }
);

const RECORD_TYPE = 'RecordType.DeveloperName';

/** The opportunity fields that these rules compare in order to choose the partner's legal entity for a deal. */
export function fieldsOfPartnerIds(rules: readonly PartnerIdRule[] = []): readonly string[] {
  const fields = rules.flatMap((rule) => ('recordType' in rule ? [RECORD_TYPE] : 'field' in rule ? [rule.field] : []));
  return [...new Set(fields)];
}

export type PartnerIdOf = { readonly partnerId: string } | { readonly hidden: string };

/**
 * The partner's legal entity under which a new deal is registered at the vendor: the entity of the first rule that fits, else `otherwise`.
 * If the integration user may not see a field that a rule needs, the result names this field (`hidden`) instead, because a guess could
 * register the deal for the wrong entity. `country`: the country of the deal's account; undefined if it is hidden from the integration
 * user.
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
    if (value !== null && fits(rule, String(value), is)) return { partnerId: rule.partnerId };
  }
  return { partnerId: otherwise };
}

function fits(rule: PartnerIdRule, value: string, is: string): boolean {
  return 'country' in rule ? [is, nameOf(is)].map(folded).includes(folded(value)) : value === is;
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/**
 * The English name of the country with this code, because an account may contain the code or the name. A text that is no country code is
 * returned unchanged.
 */
function nameOf(country: string): string {
  return /^[A-Z]{2}$/.test(country) ? (COUNTRIES.of(country) ?? country) : country;
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

function comparedBy(rule: PartnerIdRule): readonly [string, string] {
  if ('recordType' in rule) return [RECORD_TYPE, rule.recordType];
  return 'country' in rule ? ['country', rule.country] : [rule.field, rule.is];
}
