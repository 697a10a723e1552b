import { sameValue } from '../mapping/index.ts';
import { type Base, EMPTY_BASE } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';

type Sides = {
  readonly base: Base | null;
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly config: MappingConfig;
};

/**
 * Whether a sync would copy an amount although the two sides have different currencies, which would change what the amount means. False if
 * only the CRM changed the currency, because Lockstep then sends the currency together with the lines.
 */
export function currenciesDiffer({ base, crm, vendor, config }: Sides): boolean {
  const agreed = base ?? EMPTY_BASE;
  const [own, theirs] = [crm.currency ?? agreed.crm.currency, vendor.currency ?? agreed.vendor.currency];
  if (!own || !theirs || own === theirs) return false;
  const isUntouched = (field: 'currency' | 'offerLines'): boolean =>
    vendor[field] === undefined || sameValue(field, vendor[field], agreed.vendor[field], config);
  const before = agreed.crm.currency;
  const movesAlong = Boolean(before) && before !== own && isUntouched('currency') && isUntouched('offerLines');
  return !movesAlong;
}
