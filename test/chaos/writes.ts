import type { LoggedRequest } from '../support/simulators/simulator-admin.ts';
import type { World } from './load.ts';

export type Writes = { readonly vendor: number; readonly crm: number };

const VENDOR_WRITES: ReadonlySet<string> = new Set(['createLeadOpportunity', 'updateLeadOpportunity']);

/** How often each side was asked to change something, whatever it answered. The users' own requests count too. */
export async function countWrites({ vendor, crm }: World): Promise<Writes> {
  const [vendorLog, crmLog] = await Promise.all([vendor.allRequests(), crm.allRequests()]);
  return {
    vendor: vendorLog.filter(({ operation }) => VENDOR_WRITES.has(operation)).length,
    crm: crmLog.filter(isCrmWrite).length,
  };
}

/** References whose creation the vendor carried out more than once. */
export async function createdTwice({ vendor }: World): Promise<readonly string[]> {
  const applied = (await vendor.requests('createLeadOpportunity')).filter(({ status }) => status === 201);
  const references = applied.map(({ body }) => {
    const { leadOpportunity } = body as { readonly leadOpportunity: Readonly<Record<string, unknown>> };
    return String(leadOpportunity['partnerLeadOpportunityId']);
  });
  return references.filter((reference, index) => references.indexOf(reference) !== index);
}

function isCrmWrite({ method, operation, body }: LoggedRequest): boolean {
  if (method === 'GET' || operation.startsWith('oauth.')) return false;
  const parts = (body as { readonly compositeRequest?: readonly { readonly method?: string }[] } | null)
    ?.compositeRequest;
  return parts === undefined || parts.some((part) => part.method !== 'GET');
}
