import type { Ambiguity, CrmSide } from '../domain/decide/input.ts';
import type { Issue } from '../domain/record/issue.ts';
import { ISSUES } from '../domain/record/issues.ts';
import type { Link } from '../domain/record/link.ts';
import { scopeOf } from '../domain/record/scope.ts';
import { isVendorId } from '../domain/record/vendor-id.ts';
import type { LinkLedger, WaitingRecord } from '../ledger/links/link-ledger.ts';

/**
 * Which vendor record an opportunity is whose link does not know. `written`: it carries this id, because the answer to
 * whoever wrote it was lost, or a person entered it. `waiting`: this one waits because it may be it; by being shared it is.
 * `unclear`: only a person can tell, or has separated it from what it may be.
 */
export type Counterpart =
  | { readonly kind: 'none' }
  | { readonly kind: 'written'; readonly crmId: string; readonly vendorId: string }
  | { readonly kind: 'waiting'; readonly crmId: string; readonly vendorId: string }
  | { readonly kind: 'unclear'; readonly ambiguity: Ambiguity };

const NONE: Counterpart = { kind: 'none' };

/** Asks the ledger alone, and changes nothing in it. */
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
  // What somebody typed there that is no id names no record.
  if (!scopeOf(opportunity).inScope) return NONE;
  const waiting = (await ledger.waitingFor(tenant, [crmId])).get(crmId) ?? [];
  const possible = waiting.filter((record) => !from.includes(record.vendorId));
  if (possible.length > 0) return amongWaiting(crmId, possible);
  return from.length > 0 ? { kind: 'unclear', ambiguity: { kind: 'separated', from } } : NONE;
}

/** What an opportunity is that these records wait for. */
function amongWaiting(crmId: string, [first, ...others]: readonly WaitingRecord[]): Counterpart {
  if (first === undefined) return NONE;
  const { vendorId, rivals } = first;
  if (others.length > 0) {
    const vendorIds = [vendorId, ...others.map((other) => other.vendorId)];
    return { kind: 'unclear', ambiguity: { kind: 'may-be', vendorIds } };
  }
  // It is shared as well as another that agrees as much: that tells nothing.
  if (rivals.length > 0) return { kind: 'unclear', ambiguity: { kind: 'one-of', vendorId, crmIds: rivals } };
  return { kind: 'waiting', crmId, vendorId };
}

/** What is told where the vendor record that carries our reference is one that a person has separated. */
export function separatedReference(vendorIds: readonly string[]): Issue {
  const otherwise = ', ask the vendor to clear our reference, or untick "Vendor: share"';
  return ISSUES.separated('this opportunity', vendorIds, otherwise);
}
