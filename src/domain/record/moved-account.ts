import type { LegalEntity, Observed, Text } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';

/**
 * The account of an opportunity whose `AccountId` changed. `entity`: the new account as a company; undefined if not all its fields can be
 * read. `siteId`: the company's site id at the vendor; null if the account has none.
 */
export type MovedTo = { readonly entity: LegalEntity | undefined; readonly siteId: Text };

/**
 * The opportunity's new account, if its `AccountId` changed since both sides last agreed. `agreed`: the CRM's values at the last agreement.
 * Undefined if the account is still the old one, if the old account is unknown, or if the CRM shows no new account.
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
