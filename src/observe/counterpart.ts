import type { Ambiguity, CrmSide } from '../domain/decide/input.ts';
import type { Issue } from '../domain/record/issue.ts';
import { ISSUES } from '../domain/record/issues.ts';
import type { Link } from '../domain/record/link.ts';
import { scopeOf } from '../domain/record/scope.ts';
import { isVendorId } from '../domain/record/vendor-id.ts';
import type { LinkLedger, WaitingRecord } from '../ledger/links/link-ledger.ts';

/**
 * The vendor record that belongs to an opportunity whose link lacks one. `written`: the opportunity has its id, because the answer to the
 * write was lost or a person entered it. `waiting`: the vendor record waits until a matching opportunity is shared, as this one is.
 * `unclear`: only a person can decide, or a person separated the two.
 */
export type Counterpart =
  | { readonly kind: 'none' }
  | { readonly kind: 'written'; readonly crmId: string; readonly vendorId: string }
  | { readonly kind: 'waiting'; readonly crmId: string; readonly vendorId: string }
  | { readonly kind: 'unclear'; readonly ambiguity: Ambiguity };

const NONE: Counterpart = { kind: 'none' };

/** Reads only the ledger, and changes nothing. */
export async function counterpartOf(
  ledger: Pick<LinkLedger, 'waitingFor' | 'barredFrom'>,
  { tenant, crmId, vendorId: known }: Pick<Link, 'tenant' | 'crmId' | 'vendorId'>,
  crm: CrmSide,
): Promise<Counterpart> {
  if (known !== null || crmId === null || crm.kind !== 'observed') return NONE;
  const { opportunity } = crm.observation.graph;
  const vendorId = opportunity['Vendor_Id__c'];
  const from = await ledger.barredFrom(tenant, { crmId });
  if (isVendorId(vendorId) && !from.includes(vendorId)) return { kind: 'written', crmId, vendorId };
  // A text in the field that is no vendor id names no record.
  if (!scopeOf(opportunity).inScope) return NONE;
  const waiting = (await ledger.waitingFor(tenant, [crmId])).get(crmId) ?? [];
  const possible = waiting.filter((record) => !from.includes(record.vendorId));
  if (possible.length > 0) return amongWaiting(crmId, possible);
  return from.length > 0 ? { kind: 'unclear', ambiguity: { kind: 'separated', from } } : NONE;
}

/** The counterpart among the vendor records that wait for this opportunity. */
function amongWaiting(crmId: string, [first, ...others]: readonly WaitingRecord[]): Counterpart {
  if (first === undefined) return NONE;
  const { vendorId, rivals } = first;
  if (others.length > 0) {
    const vendorIds = [vendorId, ...others.map((other) => other.vendorId)];
    return { kind: 'unclear', ambiguity: { kind: 'may-be', vendorIds } };
  }
  // Another opportunity matches equally well and is shared too, so sharing decides nothing.
  if (rivals.length > 0) return { kind: 'unclear', ambiguity: { kind: 'one-of', vendorId, crmIds: rivals } };
  return { kind: 'waiting', crmId, vendorId };
}

/** The issue if a person separated the opportunity from the vendor record that has its reference. */
export function separatedReference(vendorIds: readonly string[]): Issue {
  const otherwise = ', ask the vendor to clear our reference, or untick "Vendor: share"';
  return ISSUES.separated('this opportunity', vendorIds, otherwise);
}
