import type { LegalEntity, Observed, Text } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';

/** The opportunity's new account, after `AccountId` changed. `entity`: undefined if not fully readable. */
export type MovedTo = { readonly entity: LegalEntity | undefined; readonly siteId: Text };

/**
 * The opportunity's new account, if `AccountId` changed since both sides last agreed. `agreed`: the CRM's last agreed values. Undefined if
 * it did not change, or is unknown.
 */
export function movedTo(
  agreed: Observed | undefined,
  shown: Observed,
  { account }: Pick<CrmGraph, 'account'>,
): MovedTo | undefined {
  const previousValues = agreed?.customerLegalEntity?.crmAccountId;
  if (previousValues === undefined || account === null || account['Id'] === previousValues) return undefined;
  return { entity: shown.customerLegalEntity ?? undefined, siteId: shown.customerSiteId ?? null };
}
