import {
  dueReport,
  essential,
  goneDigest,
  reportInput,
  reportingDigest,
} from '../../src/domain/decide/report.ts';
import { isVendorIdTaken } from '../../src/domain/evolve/after-report.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { LOST_MS } from '../outage/notify-waiting.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { linkOf, sharedCall } from './observe.ts';
import { settleReport } from './settle.ts';

export type ReportArgs = RecordArgs & {
  /** Nobody waits for this record in particular: what another writer is telling of it is waited for. */
  readonly byLane?: true;
};

/**
 * Tells the CRM's users the sync state, when it has changed. A refusal here never holds the deal itself up, and
 * state and message get through whatever else of the row is refused.
 */
export function createReportToCrm(deps: ActivityDeps) {
  return async function reportToCrm({ tenant, key, byLane }: ReportArgs): Promise<void> {
    const known = await linkOf(deps, tenant, key);
    if (byLane && isBeingReported(known, deps.now())) return;
    const due = dueReport(reportInput(known));
    if (due === null) return;
    const link = await noteReporting(deps, known, due.report);
    const refused = await tell(deps, link, due.report);
    // Nobody was told.
    if (refused?.kind === 'gone') {
      await settleReport(deps, link, {
        type: 'reported',
        digest: goneDigest(link.reported),
        answer: named(refused),
      });
      return;
    }
    const noted = await noteVendorId(deps, link, due.report, refused);
    // What the answer itself is news of is told at once.
    const last = (noted === link ? null : dueReport(reportInput(noted))) ?? due;
    const isAllTold = refused === null && last === due;
    const still = isAllTold ? null : await tell(deps, link, essential(last.report));
    const answer =
      refused === null ? 'reported' : still === null ? `in part, ${named(refused)}` : named(still);
    await settleReport(deps, noted, { type: 'reported', digest: last.digest, answer });
  };
}

/**
 * Whether another writer tells users that the change waits, and will find that it does no longer: it has the record looked at again then, with
 * all the others of which that holds. What is told beside it would have to be told once more.
 */
function isBeingReported({ waitReportedSince: since }: Link, at: string): boolean {
  return since !== undefined && Date.parse(at) - Date.parse(since) < LOST_MS;
}

/**
 * Of users who were told before it is known no more what they see, from now on until it is noted what they were told: a worker may die
 * between the two, and the record be again by then as they were told at first.
 */
async function noteReporting(deps: ActivityDeps, link: Link, report: CrmReport): Promise<Link> {
  if (link.reported === null) return link;
  const digest = reportingDigest(link.reported, report);
  return digest === link.reported ? link : settleReport(deps, link, { type: 'reporting', digest });
}

/** Keeps in mind whether the vendor id could be written: an external id stands in one opportunity only. */
async function noteVendorId(
  deps: ActivityDeps,
  link: Link,
  { opportunity }: CrmReport,
  refused: CrmError | null,
): Promise<Link> {
  const taken = refused?.code === 'DUPLICATE_VALUE';
  const isAbout = opportunity['Vendor_Id__c'] !== undefined && (refused === null || taken);
  if (!isAbout || taken === isVendorIdTaken(link)) return link;
  return settleReport(deps, link, { type: 'vendor-id-told', taken });
}

/** Null, or why the CRM refused it for good. */
async function tell(deps: ActivityDeps, link: Link, report: CrmReport): Promise<CrmError | null> {
  const sync = { ...report.sync, Last_Synced__c: deps.now() };
  try {
    await deps.runtime(link.tenant).crm.report({ ...report, sync }, sharedCall(link));
    return null;
  } catch (error) {
    if (!(error instanceof CrmError) || !NOT_CURED_BY_TIME.has(error.kind)) throw toFailure(error);
    return error;
  }
}

function named({ code, fields }: CrmError): string {
  return `refused ${code} ${fields.join(' ')}`.trim();
}

const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch', 'gone']);
