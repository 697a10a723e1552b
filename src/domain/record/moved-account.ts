import type { LegalEntity, Observed, Text } from './canonical.ts';
import type { CrmGraph } from './crm-graph.ts';

/** The new account of a moved opportunity. `entity` is undefined if the integration user cannot read the whole account. */
export type MovedTo = { readonly entity: LegalEntity | undefined; readonly siteId: Text };

/** The account to which the opportunity was moved since the base (`agreed`: its CRM side). Undefined if not moved, or unknown. */
export function movedTo(
  agreed: Observed | undefined,
  shown: Observed,
  { account }: Pick<CrmGraph, 'account'>,
): MovedTo | undefined {
  const previousValues = agreed?.customerLegalEntity?.crmAccountId;
  if (previousValues === undefined || account === null || account['Id'] === previousValues) return undefined;
  return { entity: shown.customerLegalEntity ?? undefined, siteId: shown.customerSiteId ?? null };
}
