import { dueReport, essential, reportInput, whileReporting } from '../../src/domain/decide/report.ts';
import { isSameReported, withGone, withOwnedUnknown } from '../../src/domain/decide/reported.ts';
import { isVendorIdTaken } from '../../src/domain/evolve/after-report.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { isLeadId } from '../../src/domain/record/salesforce-id.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { LOST_MS } from '../outage/notify-waiting.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { linkOf, sharedCall } from './observe.ts';
import { settleReport } from './settle.ts';

export type ReportArgs = RecordArgs & {
  /**
   * Whether the lane (the workflow for many records) calls the activity. The lane sends no report for a record while another writer is
   * sending one.
   */
  readonly byLane?: true;
};

/** Reports a changed sync state of a record to the CRM's users. If the CRM refuses the report, the sync continues. */
export function createReportToCrm(deps: ActivityDeps) {
  return async function reportToCrm({ tenant, key, byLane }: ReportArgs): Promise<void> {
    const known = await linkOf(deps, tenant, key);
    if (byLane && isBeingReported(known, deps.now())) return;
    const mapping = mappingOf(deps.runtime(tenant).tenant.mapping, known.crmId);
    const due = dueReport(reportInput(known, mapping));
    if (due === null) return;
    const link = await noteReporting(deps, known, due.report);
    const refused = await send(deps, link, due.report);
    // The sync row of an opportunity is deleted with it. The sync row of a lead stays, so its users still read it.
    if (refused?.kind === 'gone' && !isLeadId(link.crmId)) return noteGone(deps, link, refused);
    const noted = await noteVendorId(deps, link, due.report, refused);
    // If storing the report's result changed the state, the new state is reported at once.
    const last = (noted === link ? null : dueReport(reportInput(noted, mapping))) ?? due;
    const isComplete = refused === null && last === due;
    const still = isComplete ? null : await send(deps, link, essential(last.report));
    if (still?.kind === 'gone') return noteGone(deps, noted, still);
    const answer = refused === null ? 'reported' : still === null ? `in part, ${named(refused)}` : named(still);
    const isOwnedLost =
      refused !== null && mayBeWrittenLater(refused) && hasOwned(due.report) && !isVendorIdTaken(noted);
    const shows = isOwnedLost ? withOwnedUnknown(last.shows) : last.shows;
    await settleReport(deps, noted, { type: 'reported', shows, answer });
  };
}

/** Stores that the report reached no user, because neither the record nor its sync row exists. */
async function noteGone(deps: ActivityDeps, link: Link, refused: CrmError): Promise<void> {
  const shows = withGone(link.reported);
  await settleReport(deps, link, { type: 'reported', shows, answer: named(refused) });
}

/**
 * Whether fields of a report that the CRM refused may become writable later, so that a later report must send them again. False after
 * `stale`: the CRM answers this for a converted lead, which stays read-only.
 */
function mayBeWrittenLater({ kind }: CrmError): boolean {
  return kind !== 'stale';
}

function hasOwned({ opportunity }: CrmReport): boolean {
  return Object.keys(opportunity).length > 0;
}

/**
 * Whether another writer is at this moment reporting to the CRM that this record waits. That writer afterwards wakes the record's workflow,
 * which reports the new state, so no report is needed now.
 */
function isBeingReported({ waitReportedSince: since }: Link, at: string): boolean {
  return since !== undefined && Date.parse(at) - Date.parse(since) < LOST_MS;
}

/**
 * Notes in the ledger (Lockstep's database), before a report of the sync state is sent, that the CRM may show either the old or the new
 * report until the result is stored. Returns the record's current link (its row in the ledger).
 */
async function noteReporting(deps: ActivityDeps, link: Link, report: CrmReport): Promise<Link> {
  if (link.reported === null) return link;
  const shows = whileReporting(link.reported, report);
  return isSameReported(shows, link.reported) ? link : settleReport(deps, link, { type: 'reporting', shows });
}

/**
 * Stores whether the CRM accepted the vendor id that Lockstep wrote to the opportunity. The CRM refuses an id that another opportunity
 * already has. Returns the record's current link (its row in Lockstep's database).
 */
async function noteVendorId(
  deps: ActivityDeps,
  link: Link,
  { opportunity }: CrmReport,
  refused: CrmError | null,
): Promise<Link> {
  const taken = refused?.code === 'DUPLICATE_VALUE';
  const isAbout = opportunity['Vendor_Id__c'] !== undefined && (refused === null || taken);
  if (!isAbout || taken === isVendorIdTaken(link)) return link;
  return settleReport(deps, link, { type: 'vendor-id-reported', taken });
}

/**
 * Sends a report to the CRM. Returns null if the CRM accepted it, or the error with which the CRM refused it permanently. Throws all other
 * failures.
 */
async function send(deps: ActivityDeps, link: Link, report: CrmReport): Promise<CrmError | null> {
  const sync = { ...report.sync, Last_Synced__c: deps.now() };
  try {
    const hasRow = link.reported !== null;
    await deps.runtime(link.tenant).crm.report({ ...report, sync, hasRow }, sharedCall(link));
    return null;
  } catch (error) {
    if (!(error instanceof CrmError) || !NOT_CURED_BY_TIME.has(error.kind)) throw toFailure(error);
    return error;
  }
}

function named({ code, fields }: CrmError): string {
  return `refused ${code} ${fields.join(' ')}`.trim();
}

/**
 * Kinds of CRM errors that no retry can mend. `stale` is among them. The writes of a report have no condition, so Salesforce answers
 * `stale` only for a converted lead, which is read-only.
 */
const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch', 'gone', 'stale']);
