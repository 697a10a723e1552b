import { sameValue } from '../mapping/index.ts';
import type { Base } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';

type Sides = {
  readonly base: Base | null;
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly config: MappingConfig;
};

/**
 * Whether an amount would change its currency on the way to the other side. A currency that the CRM alone changed, while
 * nobody touched the vendor's lines, travels with them.
 */
export function currenciesDiffer({ base, crm, vendor, config }: Sides): boolean {
  const [own, theirs] = [crm.currency ?? base?.crm.currency, vendor.currency ?? base?.vendor.currency];
  if (!own || !theirs || own === theirs) return false;
  const isUntouched = (field: 'currency' | 'offerLines'): boolean =>
    vendor[field] === undefined || sameValue(field, vendor[field], base?.vendor[field], config);
  const before = base?.crm.currency;
  const movesAlong =
    Boolean(before) && before !== own && isUntouched('currency') && isUntouched('offerLines');
  return !movesAlong;
}
