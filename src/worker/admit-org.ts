import { type SignedInOrg, whyNotOrg } from '../domain/record/known-org.ts';
import { cursorOf } from '../domain/streams/streams.ts';
import type { StreamLedger } from '../ledger/streams/stream-ledger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { CrmOptions } from '../salesforce/options.ts';

/**
 * The name of the value in the ledger (Lockstep's PostgreSQL database) that stores the id of a tenant's org: the last org that was accepted
 * at a sign-in. Unless the tenant file declares an org id, only this org is accepted again.
 */
const ACCEPTED_ORG = 'first-org';

export type AdmitPorts = {
  readonly ledger: Pick<StreamLedger, 'cursor' | 'saveCursor'>;
  /** The present instant, ISO. */
  readonly now: () => string;
};

type OfTenant = { readonly tenant: string; readonly salesforce: Pick<Tenant['salesforce'], 'organizationId'> };
type AdmitOrg = NonNullable<CrmOptions['admitOrg']>;

/**
 * Makes the function that decides at each sign-in whether the org is the tenant's, and stores the id of an accepted org. Nothing is read
 * from or written to a refused org; `whyNotOrg` says which orgs are refused.
 */
export function admitOrg({ ledger, now }: AdmitPorts, tenant: OfTenant): AdmitOrg {
  return async (read) => {
    const org = await read();
    const { refusal, accepted } = await judged(ledger, tenant, org);
    if (refusal === null && accepted !== org.organizationId)
      await ledger.saveCursor(tenant.tenant, ACCEPTED_ORG, org.organizationId, now());
    return refusal;
  };
}

/**
 * Makes the function that decides at each sign-in whether the org is the tenant's, and stores nothing. It is for operators' commands and
 * the console, because only workers may determine which org is the tenant's.
 */
export function checkOrg(ledger: () => Promise<Pick<StreamLedger, 'cursor'>>, tenant: OfTenant): AdmitOrg {
  return async (read) => (await judged(await ledger(), tenant, await read())).refusal;
}

async function judged(ledger: Pick<StreamLedger, 'cursor'>, { tenant, salesforce }: OfTenant, org: SignedInOrg) {
  const accepted = (await ledger.cursor(tenant, ACCEPTED_ORG)) as string | null;
  const hasSynced = (await ledger.cursor(tenant, cursorOf('sweepSalesforce'))) !== null;
  return { accepted, refusal: whyNotOrg(org, { declared: salesforce.organizationId, accepted, hasSynced }) };
}
