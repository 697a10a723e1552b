import type { SignedInOrg } from '../domain/record/known-org.ts';
import { queryPage } from './answers.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import type { RestRecord } from './options.ts';

type Get = (path: string) => Promise<{ readonly body: unknown }>;

/**
 * Reads facts about the org after a sign-in: its id, whether it is a sandbox, and for a sandbox, whether it has opportunities with a vendor
 * id. At most two queries.
 */
export async function readOrg(get: Get): Promise<SignedInOrg> {
  const [row] = await rows(get, 'SELECT Id, IsSandbox FROM Organization LIMIT 1');
  const organizationId = row?.['Id'];
  if (typeof organizationId !== 'string') throw crmError('transient', 'MALFORMED_ANSWER');
  const isSandbox = row?.['IsSandbox'] === true;
  return { organizationId, isSandbox, hasSyncedDeals: isSandbox && (await hasSyncedDeals(get)) };
}

async function hasSyncedDeals(get: Get): Promise<boolean> {
  try {
    return (await rows(get, 'SELECT Id FROM Opportunity WHERE Vendor_Id__c != null LIMIT 1')).length > 0;
  } catch (error) {
    // If the org lacks the package's field for the vendor id, no deal of the org was ever synced.
    if (error instanceof CrmError && error.kind === 'schema-mismatch') return false;
    throw error;
  }
}

async function rows(get: Get, soql: string): Promise<readonly RestRecord[]> {
  return queryPage((await get(`/query?q=${encodeURIComponent(soql)}`)).body).records;
}
