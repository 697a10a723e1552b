import type { LegalEntity, Observed, Text } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';

/**
 * The company of the account that an opportunity was moved to, with the vendor's site id of that account. `entity` is undefined where
 * the integration user may not see all of the account.
 */
export type MovedTo = { readonly entity: LegalEntity | undefined; readonly siteId: Text };

/**
 * Whether the opportunity belongs to another account than when both sides agreed on the company (`agreed`: the CRM's side of that), and
 * to which. Undefined where it belongs to the same, to none, or where the ledger does not know the former account.
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
