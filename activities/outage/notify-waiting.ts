import { cancellationSignal } from '@temporalio/activity';
import { waitingReport } from '../../src/domain/decide/report.ts';
import { withRowUnknown } from '../../src/domain/decide/reported.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import type { Reported } from '../../src/domain/record/reported.ts';
import { stoppedBy } from '../../src/domain/streams/work.ts';
import type { NotedReport } from '../../src/ledger/queue/waiting-ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps, RecordArgs, TenantArgs } from '../support/deps.ts';
import { pausedReason, waitOf } from '../support/to-failure.ts';

/** Waits shorter than this, in ms, are not reported, because they end before a user could read about them. */
const MOMENTS_MS = 5_000;
/** The maximum number of waiting records that one call reports to the CRM. A further call reports the rest. */
const MOST_REPORTED = 1_000;
/**
 * How long, in ms, Lockstep waits for the result of a report (a message to CRM users that a record waits). If the ledger (Lockstep's
 * database) has no result by then, the report counts as lost. No report takes this long, so the CRM gave no answer, or the worker died
 * before it stored the result.
 */
export const LOST_MS = 60_000;
/**
 * Time limits of a report to the CRM, in ms. `alone`: for a record that did not change together with many others. It is short, because a
 * failed activity waits for the report before it ends. `inBurst`: longer, because reports about many records that changed together wait for
 * each other, in order to share a request.
 */
const SEND_LIMIT_MS = { alone: 10_000, inBurst: 30_000 } as const;

/**
 * Creates the activity that shows the CRM's users, in bulk, which of their changes have waited for more than a few seconds. Result of the
 * activity: `notified`, how many of these changes the CRM now shows as waiting; `more`, whether further changes wait.
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
    const note = noteInTurn(async (reports) => {
      over.push(...(await deps.ledger.noteReported(tenant, reports, deps.now())));
    });
    const taken = await Promise.all(
      waiting.map(async ({ waitingFor, inBurst = false, ...link }) => {
        if (waitNoMore.has(link.key)) return false;
        const waitsFor = pause === undefined ? (waitingFor ?? 'turn') : pausedReason(pause.group);
        const due = waitingReport({ ...link, waitsFor });
        const taken =
          due === null ? 'no' : await send(deps, tenant, { ...due.report, hasRow: link.reported !== null }, inBurst);
        // A report in doubt stays unconfirmed until it counts as lost.
        if (due !== null && taken !== 'unknown')
          await note({
            key: link.key,
            reported: taken === 'yes' ? due.shows : withRowUnknown(link.reported),
          });
        return taken === 'yes';
      }),
    );
    // These records were finished while their wait was reported. They are woken to report their new state, without a vendor read.
    if (over.length > 0) await deps.wake(tenant, over, 'crm');
    const notified = taken.filter(Boolean).length;
    return { notified, more: notified > 0 && waiting.length === MOST_REPORTED };
  };
}

/**
 * Marks reports (to the CRM, that a record waits) as unconfirmed before they are sent, because the worker may die before their result is
 * stored. Returns the keys of records that do not wait any more and need no report.
 */
async function noteReporting(
  { ledger, now }: ActivityDeps,
  tenant: string,
  waiting: readonly { readonly key: string; readonly reported: Reported | null }[],
): Promise<readonly string[]> {
  const reports = waiting.map(({ key, reported }) => ({ key, reported: withRowUnknown(reported) }));
  return reports.length === 0 ? [] : ledger.noteReported(tenant, reports, now(), true);
}

/**
 * Marks reports (to the CRM, that a record waits) as lost if they have no result, because their worker died. It is then unknown whether the
 * CRM shows them. Returns the keys of records that do not wait any more.
 */
async function noteLost({ ledger, now }: ActivityDeps, tenant: string): Promise<readonly string[]> {
  const before = new Date(Date.parse(now()) - LOST_MS).toISOString();
  const lost = await ledger.unconfirmedReports(tenant, before, MOST_REPORTED);
  const reports = lost.map(({ key, reported }) => ({ key, reported: withRowUnknown(reported) }));
  return reports.length === 0 ? [] : ledger.noteReported(tenant, reports, now());
}

/**
 * Makes a function that stores the results of reports (to the CRM, that a record waits), one batch after another. A batch contains the
 * results that arrived while the previous batch was stored, so each result is stored soon. This matters because a record's sync may end
 * before the result of its report is stored. The CRM may then still show the wait, and `notifyWaiting` must wake the record to correct
 * this.
 */
function noteInTurn(note: (reports: readonly NotedReport[]) => Promise<void>): (report: NotedReport) => Promise<void> {
  const waiting: NotedReport[] = [];
  let last = Promise.resolve();
  return (report) => {
    waiting.push(report);
    last = last.then(async () => {
      const reports = waiting.splice(0);
      if (reports.length > 0) await note(reports);
    });
    return last;
  };
}

/** Wraps an activity on a record: after a failure that delays a change of the record, notifies the CRM's users that the record waits. */
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

/**
 * Stores that a record waits, and notifies the CRM's users if the wait is long. Ignores errors of its own, for two reasons. The workflow
 * must get the activity's failure instead, and `notifyWaiting` later notifies users of each wait that they do not see yet.
 */
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
    const taken = await send(deps, tenant, { ...due.report, hasRow: reported !== null });
    if (taken === 'unknown') return;
    const shows = taken === 'yes' ? due.shows : withRowUnknown(reported);
    await deps.ledger.noteReported(tenant, [{ key, reported: shows }], deps.now());
  } catch {
    // After the next failure, the wait is reported again, or by the guard.
  }
}

/**
 * States in which the CRM's users do not see that a record waits: they see it as "in sync", or see no state at all. After a failure, the
 * activity reports the wait only for a record in one of these states.
 */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['new', 'in-sync', 'pending']);

/**
 * Whether the CRM got the report; `unknown` if it did not answer. A permanent refusal counts as `yes`, so that the report is not sent
 * again.
 */
async function send(
  deps: ActivityDeps,
  tenant: string,
  report: CrmReport,
  inBurst = false,
): Promise<'yes' | 'no' | 'unknown'> {
  const limit = AbortSignal.timeout(SEND_LIMIT_MS[inBurst ? 'inBurst' : 'alone']);
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
/** Kinds of CRM errors after which the report was certainly not written. */
const ANSWERED: ReadonlySet<string> = new Set([
  ...NOT_CURED_BY_TIME,
  'throttled',
  'systemic',
  'stale',
  'busy',
  'governor',
]);
