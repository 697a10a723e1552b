import { sameValue } from '../mapping/index.ts';
import type { GoingBack } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { TAKEN_BACK } from '../record/field-decision.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { listOf } from '../values/text.ts';

type Shown = {
  readonly field: FieldName;
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
};

/** The next step of an undo for one field: a write to one side, or `same` if the undo of the field is done. */
type UndoStep =
  | { readonly verdict: 'undone-at-vendor'; readonly rule: string; readonly toVendor: unknown }
  | { readonly verdict: 'undone-in-crm'; readonly rule: string; readonly toCrm: unknown }
  | { readonly verdict: 'same'; readonly rule: string };

/**
 * The next step when an operator's undo restores a field: a write to one side, or `same` if nothing is left to do. If a user has edited the
 * field on one side since the undo was ordered, the result names this side, whose edit is kept. If users edited both sides, the result is
 * null, and the merge decides. A side counts as edited if it shows neither the agreed value nor the value to restore. Pure.
 */
export function undoStep(
  { field, base, crm: inCrm, vendor: atVendor }: Shown,
  back: GoingBack,
  config: MappingConfig,
): UndoStep | 'crm-edited' | 'vendor-edited' | null {
  // A side that does not show the field, for example while an own write is not visible yet, counts as unchanged.
  const crm = inCrm === undefined ? base.crm : inCrm;
  const vendor = atVendor === undefined ? base.vendor : atVendor;
  const isSame = (one: unknown, other: unknown): boolean => one === other || sameValue(field, one, other, config);
  const isEdited = (shown: unknown, known: unknown, target: unknown): boolean =>
    !isSame(shown, known) && !(target !== undefined && isSame(shown, target));
  const [crmEdited, vendorEdited] = [isEdited(crm, base.crm, back.crm), isEdited(vendor, base.vendor, back.vendor)];
  if (crmEdited && vendorEdited) return null;
  if (crmEdited) return 'crm-edited';
  if (vendorEdited) return 'vendor-edited';
  if (back.vendor !== undefined && !isSame(vendor, back.vendor))
    return { verdict: 'undone-at-vendor', rule: TAKEN_BACK, toVendor: back.vendor };
  if (back.crm !== undefined && !isSame(crm, back.crm))
    return { verdict: 'undone-in-crm', rule: TAKEN_BACK, toCrm: forCrm(field, back.crm, crm) };
  return { verdict: 'same', rule: TAKEN_BACK };
}

/**
 * The value that an undo writes to the CRM. A line that a CRM user has deleted gets no id, because the CRM creates it again with a new id.
 */
function forCrm(field: FieldName, target: unknown, shown: unknown): unknown {
  if (field !== 'offerLines') return target;
  const present = new Set((listOf(shown) as readonly OfferLine[]).map(({ crmLineId }) => crmLineId));
  return (listOf(target) as readonly OfferLine[]).map((line) => {
    const { crmLineId, ...rest } = line;
    return present.has(crmLineId) ? line : rest;
  });
}
