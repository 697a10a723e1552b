import { whyNotOrg } from '../domain/record/known-org.ts';
import { cursorOf } from '../domain/streams/streams.ts';
import type { StreamLedger } from '../ledger/streams/stream-ledger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { CrmOptions } from '../salesforce/options.ts';

/** The name of the ledger's cursor with the id of the org to which a tenant signed in first. */
const FIRST_ORG = 'first-org';

export type AdmitPorts = {
  readonly ledger: Pick<StreamLedger, 'cursor' | 'saveCursor'>;
  /** The present instant, ISO. */
  readonly now: () => string;
};

/**
 * Makes the function that decides at each sign-in whether the org is the tenant's, and stores the id of the first org that is accepted.
 * Nothing is read from or written to a refused org; `whyNotOrg` says which orgs are refused.
 */
export function admitOrg(
  { ledger, now }: AdmitPorts,
  {
    tenant,
    salesforce,
  }: { readonly tenant: string; readonly salesforce: Pick<Tenant['salesforce'], 'organizationId'> },
): NonNullable<CrmOptions['admitOrg']> {
  return async (read) => {
    const org = await read();
    const { organizationId: declared } = salesforce;
    const first = (await ledger.cursor(tenant, FIRST_ORG)) as string | null;
    const hasSynced = (await ledger.cursor(tenant, cursorOf('sweepSalesforce'))) !== null;
    const refusal = whyNotOrg(org, { declared, first, hasSynced });
    if (refusal === null && first !== org.organizationId)
      await ledger.saveCursor(tenant, FIRST_ORG, org.organizationId, now());
    return refusal;
  };
}
