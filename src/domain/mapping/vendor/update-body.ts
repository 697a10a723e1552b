import type { Observed } from '../../record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../record/fields.ts';
import { ISSUES } from '../../record/issues.ts';
import { lensOf } from '../lens-of.ts';
import type { UpdateBody, UpdateContext, Withheld } from '../types.ts';
import { addPart, intentOf, noParts, toVendor } from './request-parts.ts';

/**
 * The request body that updates a record at the vendor (sales spec 4.2). It contains only changed single values, but whole lists and the
 * whole legal entity (the customer's company), because the documents do not say how the vendor merges parts of them. A value that cannot be
 * cleared or expressed in the vendor's form is not sent, but returned in `withheld`. `intent` (the request) is null if nothing is left to
 * send. Pure.
 */
export function updateBody(changes: Observed, context: UpdateContext): UpdateBody {
  const { reference, ...sides } = context;
  const parts = noParts();
  const withheld: Withheld[] = [];
  for (const field of FIELD_NAMES) {
    if (changes[field] === undefined) continue;
    const lens = lensOf(field);
    const result = toVendor(lens, changes[field], { ...sides, field, use: 'update', changes });
    if (result.kind === 'send') addPart(parts, field, result.value, result.record);
    else if (result.kind === 'withhold') withheld.push({ field, issue: result.issue });
    else if (!FIELDS[field].clearable) withheld.push({ field, issue: ISSUES.vendorCannotClear(field) });
    else addPart(parts, field, lens.unset === null ? '' : [], { [field]: changes[field] });
  }
  const empty = Object.keys(parts.record).length === 0;
  // An update need not contain the partner's id. If the partner has several legal entities (each with an id), the id is left out, so that
  // the deal stays with the entity for which it was registered.
  const { partnerId, partnerIds } = context.config;
  return { intent: empty ? null : intentOf(parts, reference, partnerIds === undefined ? partnerId : ''), withheld };
}
