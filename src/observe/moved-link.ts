import { converted } from '../domain/base/after-conversion.ts';
import type { CrmSide } from '../domain/decide/input.ts';
import type { Link } from '../domain/record/link.ts';
import { scopeOf } from '../domain/record/scope.ts';
import type { LinkLedger } from '../ledger/links/link-ledger.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/**
 * Whether a deal must move to another link (stored pair of a CRM and a vendor record) after a lead's conversion or merge. `moved`: with the
 * link as it will be after the move. `taken`: the deal cannot move, because the lead and its opportunity both have a vendor record. Null:
 * nothing has to move.
 */
export type Moved = { readonly kind: 'moved'; readonly link: Link } | { readonly kind: 'taken' } | null;

type Ports = {
  readonly tenant: DecidingTenant;
  readonly crm: Pick<CrmReads, 'leadsConvertedInto'>;
  readonly ledger: Pick<LinkLedger, 'findLinkByIds'>;
};

/**
 * Finds out whether a lead's conversion or merge requires that a deal moves to another link. A link is the stored pair of a CRM and a
 * vendor record. `link`: the link of the lead, or of an opportunity into which a lead may have been converted. Writes nothing.
 */
export async function movedLink(ports: Ports, link: Link, crm: CrmSide): Promise<Moved> {
  if (ports.tenant.mapping.leads === undefined || crm.kind !== 'observed' || link.crmId === null) return null;
  const { graph } = crm.observation;
  const { ledger } = ports;
  const crmId = graph.lead?.opportunityId ?? graph.lead?.mergedInto ?? null;
  if (crmId !== null) {
    const after = await ledger.findLinkByIds(link.tenant, { crmId });
    if (after === null || after.vendorId === null) return { kind: 'moved', link: movedTo(crmId, link) };
    return link.vendorId === null || after.key === link.key ? { kind: 'moved', link: after } : { kind: 'taken' };
  }
  if (link.vendorId !== null || !scopeOf(graph.opportunity).inScope) return null;
  for (const leadId of await ports.crm.leadsConvertedInto(link.crmId)) {
    const before = await ledger.findLinkByIds(link.tenant, { crmId: leadId });
    if (before !== null && before.vendorId !== null) return { kind: 'moved', link: movedTo(link.crmId, before) };
  }
  return null;
}

function movedTo(crmId: string, link: Link): Link {
  const { crmId: before, formerIds = [] } = link;
  return {
    ...link,
    crmId,
    base: link.base && before !== null ? converted(link.base, { leadId: before, crmId }) : link.base,
    ...(before === null ? {} : { formerIds: [...formerIds, before] }),
  };
}
