import { withLinesOfProducts } from '../lines/lines-with-product.ts';
import { crmCreate } from '../mapping/index.ts';
import { EMPTY_BASE } from '../record/base.ts';
import { stateOf } from '../record/link-state.ts';
import type { VendorObservation } from '../record/observation.ts';
import { referenceKind } from '../record/reference.ts';
import type { DecideInput } from './input.ts';
import { idle } from './no-write.ts';
import type { Plan } from './plan.ts';

/**
 * A record that so far only the vendor has. One that names an opportunity of ours is resolved by the ledger before
 * this is asked; any other is made in the CRM, repeatably, by upsert on the vendor id.
 */
export function decideImport(input: DecideInput, vendor: VendorObservation | 'unread'): Plan {
  if (vendor === 'unread') return idle(input, 'read-vendor', 'seen at the vendor only', 'new', []);
  if (referenceKind(vendor.reference) === 'ours') {
    return idle(input, 'read-vendor', 'names an opportunity of ours', 'new', []);
  }
  if (!input.importFromVendor) {
    return idle(input, 'detached', 'import of vendor-created records is off for this tenant', 'detached', []);
  }
  const shared = withLinesOfProducts(vendor.record, input.unknownOffers);
  const create = crmCreate({ ...vendor, record: shared.record }, input.config);
  return {
    next: 'create-in-crm',
    reason: 'created at the vendor',
    toVendor: null,
    toCrm: null,
    createInCrm: create,
    decisions: [],
    issues: shared.issues,
    baseBefore: input.link.base,
    // The CRM's half is taken from the record as the CRM shows it once it is made.
    baseAfter: { ...EMPTY_BASE, vendor: shared.record, vendorVersion: vendor.version },
    stateAfter: stateOf(shared.issues),
  };
}
