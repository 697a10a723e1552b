import type { Ambiguity, CrmSide } from '../../src/domain/decide/input.ts';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import type { ActivityDeps } from '../support/deps.ts';

export type Identified = { readonly link: Link; readonly ambiguity: Ambiguity | null };

/**
 * Which vendor record an opportunity is, where its link does not know. One whose id it carries: the answer to whoever
 * wrote it was lost, or a person entered it. One that waits because it may be this opportunity: by being shared it is.
 * Without this the deal would be created at the vendor a second time.
 */
export async function identify(deps: ActivityDeps, link: Link, crm: CrmSide): Promise<Identified> {
  if (link.vendorId !== null || link.crmId === null || crm.kind !== 'observed')
    return { link, ambiguity: null };
  const { opportunity } = crm.observation.graph;
  const vendorId = opportunity['Vendor_Id__c'];
  // What somebody typed there that is no id names no record.
  if (!isVendorId(vendorId)) return byWaiting(deps, link, link.crmId, opportunity);
  const resolved = await deps.ledger.resolveLink(link.tenant, { crmId: link.crmId, vendorId }, deps.now());
  const isOurs = resolved.link.vendorId === vendorId;
  return { link: resolved.link, ambiguity: isOurs ? null : { kind: 'id-of-another' } };
}

async function byWaiting(
  deps: ActivityDeps,
  link: Link,
  crmId: string,
  opportunity: CrmFields,
): Promise<Identified> {
  if (!scopeOf(opportunity).inScope) return { link, ambiguity: null };
  const waiting = (await deps.ledger.waitingFor(link.tenant, [crmId])).get(crmId) ?? [];
  const [vendorId] = waiting;
  if (vendorId === undefined) return { link, ambiguity: null };
  if (waiting.length > 1) return { link, ambiguity: { kind: 'may-be', vendorIds: waiting } };
  const ids = { crmId, vendorId };
  const entry = adoptionLine(deps.now(), { matchedOn: 'shared', candidates: 1, ...ids });
  // Null where a create is under way: its search comes first.
  return { link: (await deps.ledger.adopt(link.tenant, ids, entry)) ?? link, ambiguity: null };
}
