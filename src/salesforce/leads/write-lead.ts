import { leadFieldsOf, leadWrite, newLead } from '../../domain/mapping/leads/lead-writes.ts';
import type { CrmCreate, CrmFields, CrmReport } from '../../domain/record/crm-graph.ts';
import { isLeadId } from '../../domain/record/salesforce-id.ts';
import { idOf } from '../answers.ts';
import { crmError } from '../classify.ts';
import { failureOf, type SubRequest, sendComposite } from '../composite.ts';
import type { ImportAnswer } from '../crm.ts';
import { queryRows } from '../query.ts';
import { withoutReferences } from '../references.ts';
import { tooEarly, type Update } from '../send-updates.ts';
import type { RestCall, Session } from '../session.ts';
import { isoInstant, listLiteral, textLiteral } from '../soql.ts';
import { LEAD_SYNC } from './lead-query.ts';

/**
 * Applies a write to a lead, if the lead still has the version on which the write is based (`If-Unmodified-Since`). Throws `stale` if the
 * lead has another version. Also throws `stale` if the version was read so soon after its own timestamp that a later save in the same
 * second could be missed, because `If-Unmodified-Since` has only whole seconds. Throws `gone` if the lead does not exist.
 */
export async function writeLead(session: Session, update: Update, call: RestCall): Promise<void> {
  const early = tooEarly(update);
  if (early !== null) throw early;
  const { write, sync } = update;
  const leadId = write.opportunityId;
  const fields = leadWrite(write);
  if (Object.keys(fields).length === 0) return;
  const headers = { 'If-Unmodified-Since': new Date(isoInstant(write.ifUnmodifiedSince)).toUTCString() };
  const change: SubRequest = { ...patch(leadId, fields), headers };
  const requests = sync === null ? [change] : [change, syncRequest(leadId, sync)];
  const answers = await sendComposite(session, requests, { ...call, allOrNone: false });
  const failure = failureOf(answers.slice(0, 1));
  if (failure !== null) throw failure.error ?? crmError('transient', 'PROCESSING_HALTED');
}

/**
 * Writes the sync state of a lead to its sync row (`Lockstep_Lead_Sync__c`), and the report's fields to the lead if there are any.
 * Idempotent. Throws the error of the row or of the lead if Salesforce refuses it. The sync row of a deleted lead is written without its
 * lookup, because a lookup cannot refer to a deleted record.
 */
export async function reportLead(session: Session, report: CrmReport, call: RestCall): Promise<void> {
  const { opportunityId: leadId, sync, hasRow } = report;
  const fields = leadFieldsOf(report.opportunity);
  const named = Object.keys(fields).length === 0 ? [] : [patch(leadId, fields)];
  const asked = { ...call, allOrNone: false };
  const answers = await sendComposite(session, [syncRequest(leadId, sync), ...named], asked);
  const isRowRefused = failureOf(answers.slice(0, 1)) !== null;
  const alone =
    isRowRefused && hasRow === true ? await sendComposite(session, [rowAlone(leadId, sync)], asked) : answers;
  const failure = failureOf([...alone.slice(0, 1), ...answers.slice(1)]);
  if (failure !== null) throw failure.error ?? crmError('transient', 'PROCESSING_HALTED');
}

/**
 * Creates the lead of a vendor-created record, or finds the one that an earlier attempt created. The org refuses a second lead with the
 * same vendor id.
 */
export async function importLead(session: Session, create: CrmCreate, call: RestCall): Promise<ImportAnswer> {
  const earlier = await findImportedLead(session, create.vendorId, call);
  if (earlier !== null) return { opportunityId: earlier, isNew: false };
  const request: SubRequest = { method: 'POST', path: '/sobjects/Lead', referenceId: 'lead', body: newLead(create) };
  const [answer] = await sendComposite(session, [request], { ...call, allOrNone: true });
  if (answer?.error) {
    const rival =
      answer.error.code === 'DUPLICATE_VALUE' ? await findImportedLead(session, create.vendorId, call) : null;
    if (rival === null) throw answer.error;
    return { opportunityId: rival, isNew: false };
  }
  return { opportunityId: idOf((answer?.body as { readonly id?: unknown } | undefined)?.id), isNew: true };
}

/**
 * The lead with this vendor id that the integration user created; null if there is none. A lead that was merged into another lead counts,
 * because the other lead continues its deal. A lead that was only deleted does not count. Throws DUPLICATE_VALUE if another user created
 * the lead, because it is then no import of Lockstep's.
 */
export async function findImportedLead(session: Session, vendorId: string, call: RestCall): Promise<string | null> {
  const there = 'IsDeleted = false OR MasterRecordId != null';
  const soql = `SELECT Id, CreatedById FROM Lead WHERE Vendor_Id__c = ${textLiteral(vendorId)} AND (${there}) ORDER BY IsDeleted, Id LIMIT 1`;
  const { rows, userId } = await queryRows(session, soql, { ...call, deleted: true });
  const [row] = rows;
  if (row === undefined) return null;
  if (userId !== null && row['CreatedById'] !== userId)
    throw crmError('permanent', 'DUPLICATE_VALUE', { fields: ['Vendor_Id__c'] });
  return idOf(row['Id']);
}

/**
 * The ids of the leads from which an opportunity or lead came: the leads that were converted into this opportunity or merged into this
 * lead, and earlier leads that were merged into these. The earliest lead comes first, because a caller searches these leads for one that
 * has a deal. During this search, a merge may move the deal, but only to a later lead. A search that begins with the earliest lead still
 * finds it there. One query, and one more for each step back, up to `MOST_STEPS`.
 */
export async function leadsConvertedInto(session: Session, id: string, call: RestCall): Promise<readonly string[]> {
  const converted = `ConvertedOpportunityId = ${textLiteral(id)} AND IsConverted = true`;
  const found: string[] = [];
  let next = await leadsThat(session, isLeadId(id) ? mergedInto([id]) : converted, call);
  for (let steps = 0; next.length > 0 && steps < MOST_STEPS; steps += 1) {
    found.push(...next);
    next = (await leadsThat(session, mergedInto(next), call)).filter((lead) => !found.includes(lead));
  }
  return found.reverse();
}

/**
 * The maximum number of steps from a lead back to the leads that were merged into it. Earlier leads are not found. Each step is a query.
 */
const MOST_STEPS = 10;

function mergedInto(ids: readonly string[]): string {
  return `MasterRecordId IN ${listLiteral(ids)} AND IsDeleted = true`;
}

async function leadsThat(session: Session, condition: string, call: RestCall): Promise<readonly string[]> {
  const soql = `SELECT Id FROM Lead WHERE ${condition} ORDER BY SystemModstamp, Id LIMIT 10`;
  const { rows } = await queryRows(session, soql, { ...call, deleted: true });
  return rows.map((row) => idOf(row['Id']));
}

function patch(leadId: string, body: CrmFields): SubRequest {
  return { method: 'PATCH', path: `/sobjects/Lead/${leadId}`, referenceId: 'lead', body };
}

/** The sub-request that upserts the sync row (`Lockstep_Lead_Sync__c`) of a lead, with the row's lookup to the lead. */
function syncRequest(leadId: string, sync: CrmFields): SubRequest {
  const alone = rowAlone(leadId, sync);
  return { ...alone, body: { ...alone.body, [LEAD_SYNC.parent]: leadId } };
}

/**
 * The sub-request that upserts the sync row (`Lockstep_Lead_Sync__c`) of a lead, without the row's lookup to the lead. It is sent as it is
 * for a deleted lead, because a lookup cannot refer to a deleted record.
 */
function rowAlone(leadId: string, sync: CrmFields): SubRequest & { readonly body: CrmFields } {
  const cells = Object.entries(sync).map(([name, value]) => [name, withoutReferences(value)] as const);
  const path = `/sobjects/${LEAD_SYNC.object}/${LEAD_SYNC.key}/${encodeURIComponent(leadId)}`;
  return { method: 'PATCH', path, referenceId: 'sync', body: Object.fromEntries(cells) };
}
