import { unsetOf } from '../mapping/index.ts';
import { sameValue } from '../mapping/same-value.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';

/**
 * Marks a base (last agreed values) as one of a lead. The deal has become an opportunity, and the opportunity has not been compared with
 * this base yet.
 */
export function converted(base: Base): Base {
  return { ...base, fromLead: true };
}

/**
 * The base of a deal after the conversion of its lead, given the opportunity's values. A conversion carries some fields over and leaves the
 * others empty. A field that it left empty was not cleared by a user, so both sides have never agreed on it: the vendor's value fills it. A
 * different value on the opportunity is an edit. Pure.
 */
export function afterConversion(base: Base, opportunity: Observed, config: MappingConfig): Base {
  const { fromLead, ...rest } = base;
  if (fromLead === undefined) return base;
  const isCarried = ([field]: readonly [string, unknown]): boolean => {
    const name = field as FieldName;
    const shown = opportunity[name];
    return name !== 'offerLines' && shown !== undefined && !sameValue(name, shown, unsetOf(name), config);
  };
  const crm = Object.fromEntries(Object.entries(base.crm).filter(isCarried));
  return { ...rest, crm: crm as Observed, linePairs: [] };
}
