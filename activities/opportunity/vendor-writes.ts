import type { VendorIntent } from '../../src/domain/record/intent.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import { fingerprint } from '../../src/domain/values/fingerprint.ts';
import type { JournalEntry, Link, StoredPlan } from '../../src/ledger/ledger.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { MAX_OBSERVATION_AGE_MS } from '../../temporal.config.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';
import { summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';

/** A plan about to be carried out, with what the request needs. */
export type PlannedVendorWrite = {
  readonly link: Link;
  readonly stored: StoredPlan;
  readonly intent: VendorIntent;
};

/** Loads what is to be sent; a plan whose readings have grown old is refused, and the record observed again. */
export async function loadVendorWrite(
  deps: ActivityDeps,
  { tenant, key, planId }: PlanArgs,
): Promise<PlannedVendorWrite> {
  const link = await linkOf(deps, tenant, key);
  const stored = await deps.ledger.loadPlan(tenant, planId);
  if (stored === null) throw failure('STALE', 'the plan is no longer in the ledger');
  const intent = stored.plan.toVendor;
  if (intent === null) throw failure('BUG', 'the plan has no vendor write');
  requireFresh(deps, stored);
  return { link, stored, intent };
}

/** No write leaves later than a minute after the observation it rests on. */
export function requireFresh(deps: ActivityDeps, stored: StoredPlan): void {
  const oldest = [stored.crmReadAt, stored.vendorReadAt].flatMap((at) =>
    at === null ? [] : [Date.parse(at)],
  );
  const age = Date.parse(deps.now()) - Math.min(...oldest);
  if (age > MAX_OBSERVATION_AGE_MS) throw failure('STALE', 'the observation behind this write is too old');
}

/** Notes in the ledger that the write leaves now. A plan leaves once: a second try has to observe first. */
export async function markSent(
  deps: ActivityDeps,
  stored: StoredPlan,
  uncertain: 'create' | 'update' | null,
): Promise<void> {
  const first = await deps.ledger.markSent(stored.tenant, stored.id, deps.now(), uncertain);
  if (!first) throw failure('STALE', 'this write has left before');
}

const REFUSALS: ReadonlySet<string> = new Set(['invalid', 'bad-date', 'bad-period', 'not-found']);

/** Whether the vendor refused the content for good. */
export function isRefusal(error: unknown): error is PartnerApiError {
  return error instanceof PartnerApiError && REFUSALS.has(error.kind);
}

/**
 * After a write that failed: what surely was not applied clears what `markSent` noted; all else stays uncertain
 * until the next observation. Throws the failure for the workflow.
 */
export async function writeFailed(
  deps: ActivityDeps,
  { link, stored }: PlannedVendorWrite,
  error: unknown,
): Promise<never> {
  if (error instanceof PartnerApiError) {
    await deps.ledger.settle(link.tenant, link.key, {
      at: deps.now(),
      planId: stored.id,
      outcome: `${error.kind}${error.code === null ? '' : ` ${error.code}`}`,
      ...(error.sent === 'no' ? { vendorUncertain: link.vendorUncertain, base: link.base } : {}),
    });
  }
  throw toFailure(error);
}

/** Parks a record whose content the vendor refused, until its content changes. */
export async function parkRefused(
  deps: ActivityDeps,
  { link, stored, intent }: PlannedVendorWrite,
  error: PartnerApiError,
): Promise<SyncSummary> {
  const at = deps.now();
  const code = error.code ?? `HTTP ${error.status}`;
  const settled = await deps.ledger.settle(link.tenant, link.key, {
    at,
    planId: stored.id,
    outcome: `refused ${code}`,
    state: 'parked',
    issues: [...stored.plan.issues, ISSUES.vendorRefused(code, error.fields)],
    refusedFingerprint: fingerprint(intent.body),
    vendorUncertain: link.vendorUncertain,
    base: link.base,
    doneSeq: stored.dueSeq,
    journal: [writeEntry(stored, at, `refused ${code}`, error.traceId)],
  });
  return summarise(settled, 'parked', { reason: `refused ${code}` });
}

/** The journal's line of a remote write: what was decided, what was sent, what was answered. */
export function writeEntry(
  stored: StoredPlan,
  at: string,
  answer: string,
  traceId: string | null,
): JournalEntry {
  return {
    at,
    kind: 'remote-write',
    summary: {
      next: stored.plan.next,
      reason: stored.plan.reason,
      fields: stored.plan.toVendor?.fields.join(' ') ?? null,
      answer,
      traceId,
    },
    decisions: stored.plan.decisions,
  };
}
