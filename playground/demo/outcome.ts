import type { AdminRecord, LoggedRequest, RequestLog } from './http.ts';

/** The result that `npm start -- --once` prints last, counted from the simulators' logs and records. */
export type Outcome = {
  readonly converged: boolean;
  /** Vendor records created from the CRM, and CRM records created from the vendor. */
  readonly created: number;
  /** Successful updates of vendor records. */
  readonly pushed: number;
  /** Successful updates of opportunities by the connector. */
  readonly pulled: number;
  /** Creates whose answer was ERR801 or was lost, and that still ended as exactly one vendor record. */
  readonly adopted: number;
  /** Requests, or parts of them, that the vendor's documents do not allow. */
  readonly violations: number;
  readonly vendorRequests: Readonly<Record<string, number>>;
  readonly salesforceRequests: number;
  readonly elapsedMs: number;
};

export type Evidence = {
  readonly vendorLog: RequestLog;
  readonly salesforceLog: RequestLog;
  /** REST requests of the demo itself, which are in the Salesforce log too. */
  readonly ownRequests: number;
  readonly violations: number;
  readonly leads: readonly AdminRecord[];
  readonly opportunities: readonly AdminRecord[];
};

/** Computes the outcome from the simulators' logs. `completed`: every step was seen on the other side. */
export function countOutcome(evidence: Evidence, completed: boolean, elapsedMs: number): Outcome {
  const { vendorLog, salesforceLog, leads } = evidence;
  const creates = vendorLog.requests.filter(({ operation }) => operation === 'createLeadOpportunity');
  const applied = creates.filter(({ status, fault }) => status === 201 || fault === 'cut:after');
  const ambiguous = creates.filter(({ status, fault }) => fault === 'cut:after' || status === 400);
  const endedAsOne = [...referencesOf(ambiguous)].filter(
    (reference) => leads.filter(({ fields }) => fields['partnerLeadOpportunityId'] === reference).length === 1,
  );
  const writes = salesforceLog.requests.flatMap(opportunityWrites);
  const answered = Object.values(salesforceLog.counts).reduce((sum, count) => sum + count, 0);
  return {
    converged: completed && agree(evidence),
    created: referencesOf(applied).size + writes.filter((write) => write === 'create').length,
    pushed: vendorLog.requests.filter(
      ({ operation, status }) => operation === 'updateLeadOpportunity' && status === 200,
    ).length,
    pulled: writes.filter((write) => write === 'update').length,
    adopted: endedAsOne.length,
    violations: evidence.violations,
    vendorRequests: vendorLog.counts,
    salesforceRequests: answered - evidence.ownRequests,
    elapsedMs: Math.round(elapsedMs),
  };
}

function referencesOf(creates: readonly LoggedRequest[]): ReadonlySet<string> {
  const references = creates.map(({ body }) => {
    const lead = (body as { leadOpportunity?: { partnerLeadOpportunityId?: unknown } } | null)?.leadOpportunity;
    return lead?.partnerLeadOpportunityId;
  });
  return new Set(references.filter((reference) => typeof reference === 'string'));
}

type SubRequest = { readonly method?: string; readonly url?: string; readonly body?: object };

/** The connector's writes to opportunities in one composite request. Writing only the vendor id does not count as an update. */
function opportunityWrites({ operation, status, body }: LoggedRequest): readonly ('create' | 'update')[] {
  if (operation !== 'composite' || status !== 200) return [];
  const { compositeRequest } = (body ?? {}) as { compositeRequest?: readonly SubRequest[] };
  return (compositeRequest ?? []).flatMap(({ method, url = '', body: fields = {} }) => {
    const [, object, rest] = /\/sobjects\/(\w+)\/?(.*)$/.exec(url) ?? [];
    if (object !== 'Opportunity') return [];
    if (method === 'POST') return ['create'];
    const isVendorIdOnly = Object.keys(fields).every((field) => field === 'Vendor_Id__c');
    return method === 'PATCH' && rest !== '' && !isVendorIdOnly ? ['update'] : [];
  });
}

/** Whether both sides show equal values for every shared deal, without duplicates. */
function agree({ leads, opportunities }: Evidence): boolean {
  const shared = opportunities.filter(({ fields }) => fields['Vendor_Share__c'] === true);
  return (
    shared.length > 0 &&
    shared.length === leads.length &&
    shared.every((opportunity) => {
      const pair = leads.filter(({ id }) => id === opportunity.fields['Vendor_Id__c']);
      return pair.length === 1 && pair.every((lead) => isSame(opportunity, lead));
    })
  );
}

/** Pairs of an opportunity field and a vendor field that both contain plain text. */
const COMPARED = [
  ['Name', 'name'],
  ['Description', 'description'],
  ['Vendor_Next_Milestone__c', 'nextMilestone'],
] as const;

function isSame(opportunity: AdminRecord, lead: AdminRecord): boolean {
  const closes = String(lead.fields['closeDate'] ?? '').slice(0, 10);
  return (
    String(opportunity.fields['CloseDate'] ?? '') === closes &&
    COMPARED.every(([crm, vendor]) => (opportunity.fields[crm] ?? '') === (lead.fields[vendor] ?? ''))
  );
}
