import type { LoggedRequest } from '../support/simulators/simulator-admin.ts';
import type { World } from './load.ts';

export type Writes = { readonly vendor: number; readonly crm: number };

const VENDOR_WRITES: ReadonlySet<string> = new Set(['createLeadOpportunity', 'updateLeadOpportunity']);

/** What each side was asked to change, whatever it answered. The users' own requests are among them. */
export async function writesOf({ vendor, crm }: World): Promise<{
  readonly vendor: readonly LoggedRequest[];
  readonly crm: readonly LoggedRequest[];
}> {
  const [vendorLog, crmLog] = await Promise.all([vendor.allRequests(), crm.allRequests()]);
  return {
    vendor: vendorLog.filter(({ operation }) => VENDOR_WRITES.has(operation)),
    crm: crmLog.filter(isCrmWrite),
  };
}

export async function countWrites(world: World): Promise<Writes> {
  const { vendor, crm } = await writesOf(world);
  return { vendor: vendor.length, crm: crm.length };
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

/** Rows of orders and catalog, which come when their streams are read, by the clock; they are no answer to a write about a deal. */
const MIRRORED = /\/composite\/sobjects\/(Vendor_\w+__c|Product2|PricebookEntry|Pricebook2)\b/;

function isCrmWrite({ method, operation, path, body }: LoggedRequest): boolean {
  if (method === 'GET' || operation.startsWith('oauth.') || MIRRORED.test(path)) return false;
  const parts = (body as { readonly compositeRequest?: readonly { readonly method?: string }[] } | null)
    ?.compositeRequest;
  return parts === undefined || parts.some((part) => part.method !== 'GET');
}
