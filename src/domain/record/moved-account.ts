import type { LegalEntity, Observed, Text } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';

/**
 * The opportunity's new account, if its `AccountId` changed. `entity`: the account as a company; undefined if not all its fields can be
 * read.
 */
export type MovedTo = { readonly entity: LegalEntity | undefined; readonly siteId: Text };

/**
 * The opportunity's new account, if its `AccountId` changed since both sides last agreed. `agreed`: the CRM's values at the last agreement.
 * Undefined if the account is the same, or unknown.
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
