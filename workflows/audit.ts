import { continueAsNew, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { afterPeriod, nextPeriod, type PeriodProgress } from '../src/domain/audit/audit-period.ts';
import { type AuditPart, type AuditResult, added, NOTHING_FOUND } from '../src/domain/audit/audit-result.ts';
import type { AuditRun } from '../src/domain/audit/audit-run.ts';
import { REPAIR_CAP } from '../src/domain/audit/audit-run.ts';
import { shownId } from '../src/domain/values/shown-id.ts';
import { isLong } from './history.ts';
import { type AuditInput, type AuditProgress, auditQuery } from './messages.ts';
import { outageReported } from './outage.ts';
import { audits, vendorAudits, vendorBulk } from './proxies.ts';

/** How many vendor records the audit reads at the same time. */
const AT_ONCE = 5;

/**
 * Compares both records of every linked pair (opportunity and vendor record) with the values on which the CRM and the vendor last agreed.
 * Reads a vendor record only if no search has proved it unmodified. If the input says `repairs`, marks records that differ as due for a
 * sync, at most `cap` of them; the sync repairs them. Returns the audit's result; null if an outage ended the audit.
 */
export async function audit(input: AuditInput): Promise<AuditResult | null> {
  const { tenant } = input;
  let progress: AuditProgress | null = input.carried ?? null;
  setHandler(auditQuery, () => progress);
  setCurrentDetails(progress === null ? `${tenant}: audit begins` : detailsOf(progress));
  const ended = await outageReported(tenant, async () => {
    progress ??= await begin(input);
    while (progress.phase !== 'ended' && !isLong()) {
      progress = await STEPS[progress.phase](progress, runOf(input, progress));
      setCurrentDetails(detailsOf(progress));
    }
    return progress.phase === 'ended' ? finish(input, progress) : 'to be continued';
  });
  if (ended !== 'to be continued') return ended;
  return continueAsNew<typeof audit>({ ...input, carried: progress as unknown as AuditProgress });
}

async function begin({ tenant }: AuditInput): Promise<AuditProgress> {
  const { startedAt, periods, lateMs, pairs } = await audits.beginAudit({ tenant });
  const position = { systemModstamp: new Date(0).toISOString(), id: '' };
  const totals = NOTHING_FOUND;
  return { phase: 'vendor', startedAt, lateMs, pairs, seen: 0, periods, position, after: '', totals };
}

function finish(input: AuditInput, progress: AuditProgress): Promise<AuditResult> {
  const { pairs, totals } = progress;
  return audits.finishAudit({ run: runOf(input, progress), repairs: input.repairs, pairs, totals });
}

function runOf({ tenant, repairs, cap = REPAIR_CAP }: AuditInput, progress: AuditProgress): AuditRun {
  const { startedAt, totals } = progress;
  return { tenant, startedAt, room: repairs ? Math.max(0, cap - totals.repaired) : 0 };
}

type Step = (progress: AuditProgress, run: AuditRun) => Promise<AuditProgress>;

const STEPS: Readonly<Record<Exclude<AuditProgress['phase'], 'ended'>, Step>> = {
  vendor: searchPeriod,
  crm: readPage,
  'crm-rest': readRest,
  'vendor-rest': readUnproven,
};

function withPart(progress: AuditProgress, part: AuditPart): AuditProgress {
  return { ...progress, totals: added(progress.totals, part) };
}

/**
 * Searches the vendor's records that were modified in the next period, and returns the audit's progress. Each period lies further back in
 * time than the one before. The next phase begins once all linked pairs were found or no period is left.
 */
async function searchPeriod(progress: AuditProgress, run: AuditRun): Promise<AuditProgress> {
  const period = nextPeriod(progress.periods);
  if (period === null || progress.seen >= progress.pairs) return { ...progress, phase: 'crm' };
  const { lateMs } = progress;
  const call = vendorBulk(run.tenant, `modified ${period.fromDate} to ${period.toDate}`);
  const { part, found, seen } = await vendorAudits.auditVendorPeriod.executeWithOptions(call, [
    { run, period, lateMs },
  ]);
  const periods: PeriodProgress = afterPeriod(progress.periods, period, found);
  return { ...withPart(progress, part), periods, seen: progress.seen + seen };
}

async function readPage(progress: AuditProgress, run: AuditRun): Promise<AuditProgress> {
  const summary = { summary: 'a page of opportunities' };
  const { position } = progress;
  const page = await audits.auditCrmPage.executeWithOptions(summary, [{ run, position }]);
  const phase = page.more ? 'crm' : 'crm-rest';
  return { ...withPart(progress, page.part), position: page.position, phase };
}

async function readRest(progress: AuditProgress, run: AuditRun): Promise<AuditProgress> {
  const { after } = progress;
  const rest = await audits.auditCrmRest({ run, after });
  const next = withPart(progress, rest.part);
  return rest.more ? { ...next, after: rest.after } : { ...next, after: '', phase: 'vendor-rest' };
}

async function readUnproven(progress: AuditProgress, run: AuditRun): Promise<AuditProgress> {
  const pairs = await audits.listUnproven({ run, after: progress.after });
  const last = pairs.at(-1);
  if (last === undefined) return { ...progress, phase: 'ended' };
  let next: AuditProgress = { ...progress, after: last.key };
  for (let start = 0; start < pairs.length; start += AT_ONCE) {
    const group = pairs.slice(start, start + AT_ONCE);
    const room = Math.max(0, run.room - (next.totals.repaired - progress.totals.repaired));
    const parts = await Promise.all(
      group.map(({ vendorId }, place) => {
        const call = vendorBulk(run.tenant, `read ${shownId(vendorId)}`);
        const args = { run: { ...run, room: Math.max(0, room - place) }, vendorId };
        return vendorAudits.auditVendorRecord.executeWithOptions(call, [args]);
      }),
    );
    next = parts.reduce(withPart, next);
  }
  return next;
}

function detailsOf({ phase, pairs, totals }: AuditProgress): string {
  const { differing, repaired, asked } = totals;
  const calls = `${asked.vendorSearches} searches, ${asked.vendorReads} vendor reads, ${asked.crmReads} CRM reads`;
  return `${phase}: ${pairs} pairs, ${differing} differ, ${repaired} to be repaired; ${calls}`;
}
