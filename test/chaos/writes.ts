import type { LoggedRequest } from 'lockstep-simulators/testing';
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

/** Objects of orders and catalog, which come when their streams are read, by the clock; they are no answer to a write about a deal. */
const MIRRORED = /^(Vendor_\w+__c|Product2|PricebookEntry|Pricebook2)$/;
/** An opportunity's totals of its orders, which the order stream writes too. */
const ORDER_TOTALS = /^Vendor_(Order|Booked|Last_Order)_\w+__c$/;

type Row = Readonly<Record<string, unknown>> & { readonly attributes?: { readonly type?: string } };
type Part = { readonly method?: string; readonly url?: string; readonly body?: Body };
type Body = Row & { readonly compositeRequest?: readonly Part[]; readonly records?: readonly Row[] };

/** A write in words: the request and, where it is about rows of the CRM, their objects and the names of their fields. */
export function writeWords({ method, path, body }: LoggedRequest): string {
  const parts = ((body as Body | null)?.compositeRequest ?? []).filter((part) => part.method !== 'GET');
  const words = [...rowWords(body as Body | null), ...parts.map(partWords)];
  return [`${method} ${path}`, ...words].join(', ');
}

function partWords({ method, url = '', body = {} }: Part): string {
  const words = body.records === undefined ? fieldsOf(body) : rowWords(body);
  return [method, url.replace(/^.*?(?=\/sobjects|\/composite)/, ''), ...words].join(' ');
}

/** Rows with equal fields are written once. */
function rowWords(body: Body | null): readonly string[] {
  return [...new Set((body?.records ?? []).map((row) => [row.attributes?.type, ...fieldsOf(row)].join(' ')))];
}

/** Whether the CRM was asked to change anything about a deal. */
export function isCrmWrite({ method, operation, path, body }: LoggedRequest): boolean {
  if (method === 'GET' || operation.startsWith('oauth.') || isOfMirror(path, body as Body | null)) return false;
  const parts = (body as Body | null)?.compositeRequest;
  return parts === undefined || parts.some((part) => part.method !== 'GET');
}

function isOfMirror(path: string, body: Body | null): boolean {
  const object = /\/composite\/sobjects\/(\w+)/.exec(path)?.[1];
  if (object !== undefined) return MIRRORED.test(object);
  const rows = body?.records ?? [];
  return rows.length > 0 && rows.every(isMirroredRow);
}

function isMirroredRow(row: Row): boolean {
  const type = row.attributes?.type ?? '';
  return MIRRORED.test(type) || (type === 'Opportunity' && fieldsOf(row).every((name) => ORDER_TOTALS.test(name)));
}

function fieldsOf({ attributes: _, id: __, ...fields }: Row): readonly string[] {
  return Object.keys(fields);
}
