import { ESSENTIAL_LEAD_FIELDS, LEAD_PRODUCT } from '../../domain/mapping/leads/lead-fields.ts';
import { graphOfLead } from '../../domain/mapping/leads/lead-graph.ts';
import type { CrmFields, CrmGraph } from '../../domain/record/crm-graph.ts';
import { NARROWED_FOR_MS } from '../../domain/record/crm-schema.ts';
import type { CrmPosition } from '../../domain/streams/crm-cursor.ts';
import { flagOf, idOf, instantOf, listOf, objectOf, queryPage, rowsById, textOf } from '../answers.ts';
import { crmError } from '../classify.ts';
import type { CrmGraphPage } from '../crm.ts';
import { CrmError } from '../errors.ts';
import { row } from '../flatten.ts';
import type { RestRecord } from '../options.ts';
import { type QueryAnswer, queryRows } from '../query.ts';
import type { RestCall, Session } from '../session.ts';
import { isRecordId } from '../soql.ts';
import { type LeadSelection, leadQuery, leadsQuery, OWNER_FIELDS, SYNC_ROWS } from './lead-query.ts';

export type LeadReader = {
  /**
   * Reads one lead, converted to the form in which opportunities are read; null if it does not exist. A deleted lead has `IsDeleted` true.
   * One request.
   */
  readonly read: (leadId: string, call: RestCall) => Promise<CrmGraph | null>;
  /**
   * Reads at most `limit` leads after a position, in the order (SystemModstamp, Id): those that are shared with the vendor, or were. One
   * request.
   */
  readonly after: (position: CrmPosition, limit: number, call: RestCall) => Promise<CrmGraphPage>;
};

/**
 * Creates the reader of leads. It reads every field until a query fails because a field is hidden from the integration user. Then it leaves
 * hidden fields out for ten minutes (`NARROWED_FOR_MS`).
 * @param offer the vendor's offer for a lead that names none; null if the tenant has no such default
 */
export function createLeadReader(
  session: Session,
  options: { readonly full: LeadSelection; readonly offer: string | null; readonly now: () => number },
): LeadReader {
  const { full, offer, now } = options;
  let narrowed: { readonly selection: LeadSelection; readonly atMs: number } | null = null;
  const selection = (): LeadSelection => {
    if (narrowed !== null && now() - narrowed.atMs >= NARROWED_FOR_MS) narrowed = null;
    return narrowed?.selection ?? full;
  };
  const readOnce = async (leadId: string, asked: LeadSelection, call: RestCall): Promise<CrmGraph | null> => {
    const answer = await queryRows(session, leadQuery(asked, [leadId]), { ...call, deleted: true });
    const found = rowsById(answer.rows, [leadId]).get(leadId);
    return found === undefined ? null : graphOf(found, asked, answer, offer);
  };
  const pageOnce = async (position: CrmPosition, limit: number, asked: LeadSelection, call: RestCall) => {
    const answer = await queryRows(session, leadsQuery(asked, position, limit), { ...call, deleted: true });
    const graphs = answer.rows.map((found) => graphOf(found, asked, answer, offer));
    return { graphs, position: positionAfter(graphs, position), more: graphs.length === limit };
  };
  const withVisible = async <T>(call: RestCall, work: (asked: LeadSelection) => Promise<T>): Promise<T> => {
    try {
      return await work(selection());
    } catch (error) {
      if (!(error instanceof CrmError) || error.code !== 'INVALID_FIELD') throw error;
      const atMs = now();
      narrowed = { selection: await visible(session, full, call), atMs };
      return work(narrowed.selection);
    }
  };
  return {
    read: async (leadId, call) =>
      isRecordId(leadId) ? withVisible(call, (asked) => readOnce(leadId, asked, call)) : null,
    after: (position, limit, call) => withVisible(call, (asked) => pageOnce(position, limit, asked, call)),
  };
}

/** The position of a deal in the order (SystemModstamp, Id). */
export function positionOf({ opportunity }: CrmGraph): CrmPosition {
  return { systemModstamp: instantOf(opportunity['SystemModstamp']), id: idOf(opportunity['Id']) };
}

function positionAfter(graphs: readonly CrmGraph[], start: CrmPosition): CrmPosition {
  const last = graphs.at(-1);
  return last === undefined ? start : positionOf(last);
}

function graphOf(found: RestRecord, asked: LeadSelection, answer: QueryAnswer, offer: string | null): CrmGraph {
  // The flags must be booleans. If a missing flag counted as false, Lockstep might stop syncing the deal, or sync a deleted one.
  for (const flag of ['IsDeleted', 'Vendor_Share__c', 'IsConverted']) flagOf(found[flag]);
  const fields = row(found, asked.lead);
  const changedAt = instantOf(found['SystemModstamp']);
  const lead = {
    fields,
    product: parentRow(found, LEAD_PRODUCT, asked.product),
    owner: isUser(found) ? parentRow(found, 'Owner', OWNER_FIELDS) : null,
    sync: syncRow(found, asked.sync),
  };
  const readAt = answer.date === null || changedAt > answer.date ? changedAt : answer.date;
  return { ...graphOfLead(lead, offer, readAt), readBy: answer.userId };
}

function isUser(lead: RestRecord): boolean {
  const { Owner: owner } = lead;
  return typeof owner === 'object' && owner !== null && (owner as RestRecord)['Type'] === 'User';
}

function parentRow(lead: RestRecord, relationship: string, fields: readonly string[]): CrmFields | null {
  const parent = lead[relationship];
  return typeof parent === 'object' && parent !== null ? row(parent as RestRecord, fields) : null;
}

/**
 * The lead's sync row (`Lockstep_Lead_Sync__c`) that is not deleted; null if there is none. The key of sync rows is unique, so all other
 * rows are in the recycle bin.
 */
function syncRow(lead: RestRecord, fields: readonly string[]): CrmFields | null {
  const page = lead[SYNC_ROWS];
  if (typeof page !== 'object' || page === null) return null;
  const [first] = queryPage(page).records.filter((each) => each['IsDeleted'] !== true);
  return first === undefined ? null : row(first, fields);
}

/**
 * The fields of leads, products and sync rows that the integration user may see. Throws `schema-mismatch` if an essential field of leads is
 * hidden.
 */
async function visible(session: Session, full: LeadSelection, call: RestCall): Promise<LeadSelection> {
  const lead = await shown(session, 'Lead', call);
  const hidden = ESSENTIAL_LEAD_FIELDS.filter((name) => !lead.has(name));
  if (hidden.length > 0) {
    throw crmError('schema-mismatch', 'INVALID_FIELD', { fields: hidden.map((name) => `Lead.${name}`) });
  }
  const [product, sync] = [await shown(session, 'Product2', call), await shown(session, 'Lockstep_Lead_Sync__c', call)];
  return {
    lead: full.lead.filter((name) => lead.has(name)),
    product: full.product.filter((name) => product.has(name)),
    sync: full.sync.filter((name) => sync.has(name)),
  };
}

async function shown(session: Session, object: string, call: RestCall): Promise<ReadonlySet<string>> {
  try {
    const answer = await session.request({ method: 'GET', path: `/sobjects/${object}/describe` }, call);
    return new Set(listOf(objectOf(answer.body)['fields']).map((field) => textOf(objectOf(field)['name'])));
  } catch (error) {
    if (!(error instanceof CrmError) || error.kind !== 'gone') throw error;
    throw crmError('schema-mismatch', 'INVALID_TYPE', { fields: [object] });
  }
}
