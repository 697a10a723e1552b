import { cancellationSignal } from '@temporalio/activity';
import { maybeReportedDigest, waitingReport } from '../../src/domain/decide/report.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import { stoppedBy } from '../../src/domain/streams/work.ts';
import type { ReportDigest } from '../../src/ledger/queue/waiting-ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, RecordArgs, TenantArgs } from '../support/deps.ts';
import { pausedReason, waitOf } from '../support/to-failure.ts';

/** What is on its way for less is not worth a request: it is over before anybody reads of it. */
const MOMENTS_MS = 5_000;
/** Records told of at once: one request of the adapter's. */
const MOST_REPORTED = 1_000;
/** What was to be told for so long was told, or its worker died: none takes as long. */
export const LOST_MS = 60_000;
/** Telling may not hold up the failure that it is about. Of a burst it goes along with a request that comes within this time. */
const TELL_LIMIT_MS = { alone: 10_000, inBurst: 30_000 } as const;

/**
 * Tells the CRM's users of every record of a tenant whose change is known and on its way for longer than moments, in bulk:
 * while a group is paused, while work waits in line, and where its wake-up was lost. True when there are more.
 */
export function createNotifyWaiting(deps: ActivityDeps) {
  return async function notifyWaiting({ tenant }: TenantArgs): Promise<{ notified: number; more: boolean }> {
    const pauses = await deps.ledger.pauses(tenant);
    if (pauses.some(({ group }) => group === 'salesforce')) return { notified: 0, more: false };
    const pause = stoppedBy(pauses, 'records');
    const before = new Date(Date.parse(deps.now()) - (pause === undefined ? MOMENTS_MS : 0)).toISOString();
    const waiting = await deps.ledger.unreportedWaiting(tenant, before, MOST_REPORTED);
    const over = [...(await noteLost(deps, tenant))];
    const waitNoMore = new Set(await noteReporting(deps, tenant, waiting));
    const note = noteInTurn(async (digests) => {
      over.push(...(await deps.ledger.noteReported(tenant, digests, deps.now())));
    });
    const taken = await Promise.all(
      waiting.map(async ({ waitingFor, inBurst = false, ...link }) => {
        if (waitNoMore.has(link.key)) return false;
        const waitsFor = pause === undefined ? (waitingFor ?? 'turn') : pausedReason(pause.group);
        const due = waitingReport({ ...link, waitsFor });
        const taken = due === null ? 'no' : await tell(deps, tenant, due.report, inBurst);
        // What was perhaps told stays noted as that, until it is taken for lost.
        if (due !== null && taken !== 'unknown')
          await note({
            key: link.key,
            digest: taken === 'yes' ? due.digest : maybeReportedDigest(link.reported),
          });
        return taken === 'yes';
      }),
    );
    // What they were told is no longer so: another look tells them, for which the vendor need not be asked.
    if (over.length > 0) await deps.wake(tenant, over, 'crm');
    const notified = taken.filter(Boolean).length;
    return { notified, more: notified > 0 && waiting.length === MOST_REPORTED };
  };
}

/**
 * Before they are told, each is noted as one that is perhaps told: a worker that dies between the two would leave users with a wait that is
 * long over, and nobody would know. Gives those that wait no more.
 */
async function noteReporting(
  { ledger, now }: ActivityDeps,
  tenant: string,
  waiting: readonly { readonly key: string; readonly reported: string | null }[],
): Promise<readonly string[]> {
  const digests = waiting.map(({ key, reported }) => ({ key, digest: maybeReportedDigest(reported) }));
  return digests.length === 0 ? [] : ledger.noteReported(tenant, digests, now(), true);
}

/**
 * What was to be told by a worker that died may have come to the CRM after what the record's own work told of its end. Gives those that
 * wait no more.
 */
async function noteLost({ ledger, now }: ActivityDeps, tenant: string): Promise<readonly string[]> {
  const before = new Date(Date.parse(now()) - LOST_MS).toISOString();
  const lost = await ledger.unconfirmedReports(tenant, before, MOST_REPORTED);
  const digests = lost.map(({ key, reported }) => ({ key, digest: maybeReportedDigest(reported) }));
  return digests.length === 0 ? [] : ledger.noteReported(tenant, digests, now());
}

/**
 * Notes each as soon as it was told, together with what came meanwhile, and not when the last one was: whose work comes to its
 * end between the two has to be told once more.
 */
function noteInTurn(
  note: (digests: readonly ReportDigest[]) => Promise<void>,
): (digest: ReportDigest) => Promise<void> {
  const waiting: ReportDigest[] = [];
  let last = Promise.resolve();
  return (digest) => {
    waiting.push(digest);
    last = last.then(async () => {
      const digests = waiting.splice(0);
      if (digests.length > 0) await note(digests);
    });
    return last;
  };
}

/** An activity about a record, of which the CRM's users are told where it fails and its change has to wait. */
export function reportingWaits<Args extends RecordArgs, Result>(
  deps: ActivityDeps,
  run: (args: Args) => Promise<Result>,
  failureOf: (error: unknown) => Error,
): (args: Args) => Promise<Result> {
  return async (args) => {
    try {
      return await run(args);
    } catch (error) {
      const failure = failureOf(error);
      await noteWaiting(deps, args, failure);
      throw failure;
    }
  };
}

/** Best effort: the workflow has to hear of the failure, whatever becomes of this. What is left out is told in bulk. */
async function noteWaiting(deps: ActivityDeps, { tenant, key }: RecordArgs, failure: Error): Promise<void> {
  const wait = waitOf(failure);
  if (wait === null) return;
  const { waitsFor, atLeastMs } = wait;
  try {
    const link = await deps.ledger.noteWaiting(tenant, key, waitsFor);
    if (link?.crmId == null || link.waitingSince === null || !SAYS_NOTHING.has(link.state)) return;
    const waitedMs = Date.parse(deps.now()) - Date.parse(link.waitingSince);
    const isLong = waitsFor.endsWith('paused') || waitedMs + atLeastMs >= MOMENTS_MS;
    if (!isLong || waitsFor.startsWith('crm-')) return;
    const { crmId, reported, waitingSince: since } = link;
    const due = waitingReport({ crmId, reported, since, waitsFor });
    if (due === null || (await noteReporting(deps, tenant, [{ key, reported }])).length > 0) return;
    const taken = await tell(deps, tenant, due.report);
    if (taken === 'unknown') return;
    const digest = taken === 'yes' ? due.digest : maybeReportedDigest(reported);
    await deps.ledger.noteReported(tenant, [{ key, digest }], deps.now());
  } catch {
    // The next failure, or the guard, tries again.
  }
}

/** States of which users would be told that all is well, or nothing at all. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['new', 'in-sync', 'pending']);

/**
 * Whether the CRM has heard it: `unknown` where it did not answer and may have taken it. One that will not hear of this record
 * counts as told.
 */
async function tell(
  deps: ActivityDeps,
  tenant: string,
  report: CrmReport,
  inBurst = false,
): Promise<'yes' | 'no' | 'unknown'> {
  const limit = AbortSignal.timeout(TELL_LIMIT_MS[inBurst ? 'inBurst' : 'alone']);
  const signal = AbortSignal.any([cancellationSignal(), limit]);
  try {
    await deps.runtime(tenant).crm.report(report, { signal, mayWait: inBurst });
    return 'yes';
  } catch (error) {
    if (!(error instanceof CrmError) || !ANSWERED.has(error.kind)) return 'unknown';
    return NOT_CURED_BY_TIME.has(error.kind) ? 'yes' : 'no';
  }
}

const NOT_CURED_BY_TIME: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch', 'gone']);
/** Errors after which nothing was written, for sure. */
const ANSWERED: ReadonlySet<string> = new Set([
  ...NOT_CURED_BY_TIME,
  'throttled',
  'systemic',
  'stale',
  'busy',
  'governor',
]);
