import type { CrmCreate, CrmGraph, CrmReport } from '../../domain/record/crm-graph.ts';
import type { CrmNames, LeadSettings } from '../../domain/record/mapping-config.ts';
import { isLeadId } from '../../domain/record/salesforce-id.ts';
import type { CrmPosition } from '../../domain/streams/crm-cursor.ts';
import type { CrmGraphPage, ImportAnswer } from '../crm.ts';
import { fullSelection } from '../graph-fields.ts';
import type { Update } from '../send-updates.ts';
import type { OpenSession, RestCall } from '../session.ts';
import { convertLead } from './convert-lead.ts';
import { leadFields } from './lead-query.ts';
import { createLeadReader } from './read-lead.ts';
import { findImportedLead, importLead, leadsConvertedInto, reportLead, writeLead } from './write-lead.ts';

/** The CRM client's calls about leads. They exist only for a tenant that syncs leads. */
export type Leads = {
  /** Whether a record id is the id of a lead, and not of an opportunity. */
  readonly has: (id: string) => boolean;
  readonly read: (leadId: string, call: RestCall) => Promise<CrmGraph | null>;
  /** Reads at most `limit` leads that are shared with the vendor, or were, after a position (SystemModstamp and Id). One request. */
  readonly after: (position: CrmPosition, limit: number, call: RestCall) => Promise<CrmGraphPage>;
  readonly write: (update: Update, call: RestCall) => Promise<void>;
  readonly report: (report: CrmReport, call: RestCall) => Promise<void>;
  readonly create: (create: CrmCreate, call: RestCall) => Promise<ImportAnswer>;
  /** The id of the lead that an import of this vendor record has made; null if there is none. */
  readonly imported: (vendorId: string, call: RestCall) => Promise<string | null>;
  readonly convert: (
    lead: { readonly leadId: string; readonly opportunityName: string },
    call: RestCall,
  ) => Promise<void>;
  readonly convertedInto: (crmId: string, call: RestCall) => Promise<readonly string[]>;
};

/**
 * Creates the CRM client's calls about leads. Null for a tenant that does not sync leads; no request about a lead is then sent to the
 * tenant's org.
 */
export function createLeads(
  session: OpenSession,
  options: {
    readonly mappings: readonly (CrmNames & { readonly leads?: LeadSettings })[];
    readonly multiCurrency: boolean;
    readonly now: () => number;
  },
): Leads | null {
  const { mappings, multiCurrency, now } = options;
  const settings = mappings.find(({ leads }) => leads !== undefined)?.leads;
  if (settings === undefined) return null;
  const { Product2, Lockstep_Sync__c } = fullSelection(multiCurrency, mappings);
  const sync = Lockstep_Sync__c.filter((name) => name !== 'Opportunity_Key__c');
  const full = { lead: leadFields(multiCurrency), product: Product2, sync };
  const { read, after } = createLeadReader(session, { full, offer: settings.offer, now });
  return {
    has: isLeadId,
    read,
    after,
    write: (update, call) => writeLead(session, update, call),
    report: (report, call) => reportLead(session, report, call),
    create: (create, call) => importLead(session, create, call),
    imported: (vendorId, call) => findImportedLead(session, vendorId, call),
    convert: (lead, call) => convertLead(session, lead, call),
    convertedInto: (crmId, call) => leadsConvertedInto(session, crmId, call),
  };
}
