import type { Ambiguity, CrmSide } from '../../src/domain/decide/input.ts';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { counterpartOf } from '../../src/observe/counterpart.ts';
import type { ActivityDeps } from '../support/deps.ts';

export type Identified = { readonly link: Link; readonly ambiguity: Ambiguity | null };

/**
 * Links an opportunity whose link does not know its vendor record to the one that it is, where that can be told. Without
 * this the deal would be created at the vendor a second time.
 */
export async function identify(deps: ActivityDeps, link: Link, crm: CrmSide): Promise<Identified> {
  const { ledger } = deps;
  const found = await counterpartOf(ledger, link, crm);
  if (found.kind === 'none') return { link, ambiguity: null };
  if (found.kind === 'separated') return { link, ambiguity: found };
  const { crmId } = found;
  if (found.kind === 'written') {
    const { vendorId } = found;
    const resolved = await ledger.resolveLink(link.tenant, { crmId, vendorId }, deps.now());
    const isOurs = resolved.link.vendorId === vendorId;
    return { link: resolved.link, ambiguity: isOurs ? null : { kind: 'id-of-another' } };
  }
  const { vendorIds } = found;
  if (vendorIds.length > 1) return { link, ambiguity: { kind: 'may-be', vendorIds } };
  const ids = { crmId, vendorId: vendorIds[0] };
  const entry = adoptionLine(deps.now(), { matchedOn: 'shared', candidates: 1, ...ids });
  // Null where a create is under way: its search comes first.
  return { link: (await ledger.adopt(link.tenant, ids, entry)) ?? link, ambiguity: null };
}
