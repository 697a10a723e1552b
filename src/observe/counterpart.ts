import type { CrmSide } from '../domain/decide/input.ts';
import type { Link } from '../domain/record/link.ts';
import { scopeOf } from '../domain/record/scope.ts';
import { isVendorId } from '../domain/record/vendor-id.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * Which vendor record an opportunity is whose link does not know. `written`: it carries this id, because the answer to
 * whoever wrote it was lost, or a person entered it. `waiting`: these wait because they may be it; by being shared it is.
 */
export type Counterpart =
  | { readonly kind: 'none' }
  | { readonly kind: 'written'; readonly crmId: string; readonly vendorId: string }
  | { readonly kind: 'waiting'; readonly crmId: string; readonly vendorIds: readonly [string, ...string[]] };

const NONE: Counterpart = { kind: 'none' };

/** Asks the ledger alone, and changes nothing in it. */
export async function counterpartOf(
  ledger: Pick<Ledger, 'waitingFor'>,
  { tenant, crmId, vendorId: known }: Pick<Link, 'tenant' | 'crmId' | 'vendorId'>,
  crm: CrmSide,
): Promise<Counterpart> {
  if (known !== null || crmId === null || crm.kind !== 'observed') return NONE;
  const { opportunity } = crm.observation.graph;
  const vendorId = opportunity['Vendor_Id__c'];
  if (isVendorId(vendorId)) return { kind: 'written', crmId, vendorId };
  // What somebody typed there that is no id names no record.
  if (!scopeOf(opportunity).inScope) return NONE;
  const [first, ...others] = (await ledger.waitingFor(tenant, [crmId])).get(crmId) ?? [];
  return first === undefined ? NONE : { kind: 'waiting', crmId, vendorIds: [first, ...others] };
}
