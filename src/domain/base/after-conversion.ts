import { unsetOf } from '../mapping/index.ts';
import { sameValue } from '../mapping/same-value.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { isLeadStatus } from '../values/status.ts';

/**
 * The base (last agreed values) with the mark that it comes from a lead: the deal has become an opportunity, which has not been compared
 * with this base yet.
 */
export function converted(base: Base): Base {
  return { ...base, fromLead: true };
}

/** The values of the opportunity, and the vendor's status as last read; undefined if it is unknown. */
type Shown = { readonly crm: Observed; readonly status: unknown };

/**
 * The base of a deal after the conversion of its lead, given the opportunity's values. A conversion carries some fields over and leaves the
 * others empty. A field that it left empty was not cleared by a user, so both sides have never agreed on it: the vendor's value fills it. A
 * different value on the opportunity is an edit. Pure.
 */
export function afterConversion(base: Base, shown: Shown, config: MappingConfig): Base {
  const { fromLead, ...rest } = base;
  if (fromLead === undefined) return base;
  const isCarried = ([field]: readonly [string, unknown]): boolean => {
    const name = field as FieldName;
    const value = shown.crm[name];
    return name !== 'offerLines' && value !== undefined && !sameValue(name, value, unsetOf(name), config);
  };
  const carried = Object.fromEntries(Object.entries(base.crm).filter(isCarried)) as Observed;
  // The first stage may also stand for the lead's status, so nothing counts as agreed on the CRM's status.
  const crm = carried.status === undefined ? carried : { ...carried, status: unsetOf('status') as null };
  return withFirstStage({ ...rest, crm, linePairs: [] }, shown, config);
}

/**
 * The base with the opportunity's present stage as agreed on both sides, if the vendor's status is no longer a lead's. Salesforce gives
 * every new opportunity its first stage, which is therefore no user's edit, so the vendor's status then moves the opportunity.
 */
function withFirstStage(base: Base, { crm, status }: Shown, config: MappingConfig): Base {
  const { status: first } = crm;
  if (typeof status !== 'string' || typeof first !== 'string' || isLeadStatus(status, config)) return base;
  return { ...base, crm: { ...base.crm, status: first }, vendor: { ...base.vendor, status: first } };
}
