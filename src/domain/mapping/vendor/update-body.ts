import type { Observed } from '../../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import { ISSUES } from '../../record/issues.ts';
import { lensOf } from '../lens-of.ts';
import type { UpdateBody, UpdateContext, Withheld } from '../types.ts';
import { addPart, intentOf, noParts } from './request-parts.ts';

/**
 * The partial body of an update (sales spec 4.2): of the core only what changed; arrays and the legal entity
 * whole, because what the vendor does with a part of them is not shown. `''` clears a string and `[]` a list; what
 * cannot be cleared or said is withheld. `intent` is null when nothing is left to send. Pure.
 */
export function updateBody(changes: Observed, context: UpdateContext): UpdateBody {
  const { reference, ...sides } = context;
  const parts = noParts();
  const withheld: Withheld[] = [];
  for (const field of FIELD_NAMES) {
    if (changes[field] === undefined) continue;
    const lens = lensOf(field);
    const result = lens.toVendor(changes[field], { ...sides, field, use: 'update', changes });
    if (result.kind === 'send') addPart(parts, field, result.value, result.record);
    else if (result.kind === 'withhold') withheld.push({ field, issue: result.issue });
    else if (!FIELDS[field].clearable) withheld.push({ field, issue: ISSUES.vendorCannotClear(field) });
    else addPart(parts, field, lens.unset === null ? '' : [], { [field]: changes[field] });
  }
  const empty = Object.keys(parts.record).length === 0;
  return { intent: empty ? null : intentOf(parts, reference, context.config.partnerId), withheld };
}
