import { withLinesOfProducts } from '../lines/lines-with-product.ts';
import { crmCreate } from '../mapping/index.ts';
import { EMPTY_BASE } from '../record/base.ts';
import { stateOf } from '../record/link-state.ts';
import type { Plan } from '../record/plan.ts';
import { referenceKind } from '../record/reference.ts';
import type { DecideInput, VendorSide } from './input.ts';
import { detached, lookFurther } from './without-write.ts';

/**
 * A record that so far only the vendor has. One that names an opportunity of ours is resolved by the ledger before
 * this is asked; any other is made in the CRM, repeatably, by upsert on the vendor id.
 */
export function decideImport(input: DecideInput, vendor: Exclude<VendorSide, { kind: 'missing' }>): Plan {
  if (vendor.kind === 'unread') return lookFurther('read-vendor', 'seen at the vendor only', 'new', []);
  const { observation } = vendor;
  if (referenceKind(observation.reference) === 'ours')
    return lookFurther('read-vendor', 'names an opportunity of ours', 'new', []);
  if (!input.importFromVendor) return detached('import of vendor-created records is off for this tenant');
  const shared = withLinesOfProducts(observation.record, input.unknownOffers);
  return {
    next: 'create-in-crm',
    reason: 'created at the vendor',
    create: crmCreate({ ...observation, record: shared.record }, input.config),
    decisions: [],
    issues: shared.issues,
    baseBefore: input.link.base,
    // The CRM's half is taken from the record as the CRM shows it once it is made.
    baseAfter: { ...EMPTY_BASE, vendor: shared.record, vendorVersion: observation.version },
    stateAfter: stateOf(shared.issues),
  };
}
