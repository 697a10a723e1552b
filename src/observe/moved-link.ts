import { converted } from '../domain/base/after-conversion.ts';
import type { CrmSide } from '../domain/decide/input.ts';
import { formerLead, type Link } from '../domain/record/link.ts';
import { scopeOf } from '../domain/record/scope.ts';
import type { LinkLedger } from '../ledger/links/link-ledger.ts';
import type { CrmReads, DecidingTenant } from './remotes.ts';

/** `taken`: the lead and the opportunity that it became both have a vendor record. */
export type Moved = { readonly kind: 'moved'; readonly link: Link } | { readonly kind: 'taken' } | null;

type Ports = {
  readonly tenant: DecidingTenant;
  readonly crm: Pick<CrmReads, 'leadsConvertedInto'>;
  readonly ledger: Pick<LinkLedger, 'findLinkByIds'>;
};

/**
 * The link as it will be after the deal has moved to the opportunity or lead that its lead became; null if nothing is to be moved. Writes
 * nothing. Looks from both ends, as the deal's workflow does.
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
  const movedFrom = formerLead(link) ?? link.crmId;
  return {
    ...link,
    crmId,
    base: link.base && converted(link.base),
    ...(movedFrom === null ? {} : { movedFrom }),
  };
}
