import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { OperationGroup, VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import type { WaitReason } from '../../src/domain/record/wait-reason.ts';
import { boundedWaitMs } from '../../src/domain/values/remote-number.ts';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { RefusedAlone } from './refused-alone.ts';

/**
 * Types of activity failures that workflows distinguish. Only this file creates them. Their messages contain codes and names, but no
 * values.
 */
export type FailureType = 'THROTTLED' | 'TRANSIENT' | 'STALE' | 'NOT_FOUND_YET' | 'CONTRACT' | 'REFUSED' | 'BUG';

type FailureOptions = {
  readonly retryAfterMs?: number | null;
  /** The temporary condition that the failed work waits for. A retry may succeed when the condition ends. */
  readonly waitsFor?: WaitReason;
  readonly nonRetryable?: boolean;
  /** Whether Lockstep itself, not a remote system, caused the failure. Users are not shown such a failure. */
  readonly isOurs?: boolean;
  /** True if a new change of the record ends the wait before the next attempt. */
  readonly interruptible?: true;
};

const EXPECTED: ReadonlySet<FailureType> = new Set(['THROTTLED', 'TRANSIENT', 'STALE', 'NOT_FOUND_YET']);

export function failure(type: FailureType, message: string, options: FailureOptions = {}): ApplicationFailure {
  const { retryAfterMs: asked = null, isOurs = false, interruptible } = options;
  const retryAfterMs = asked === null ? null : boundedWaitMs(asked);
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: options.nonRetryable ?? !EXPECTED.has(type),
    details: [
      {
        retryAfterMs,
        waitsFor: options.waitsFor ?? null,
        ...(isOurs ? { isOurs } : {}),
        ...(interruptible ? { interruptible } : {}),
      } satisfies Details,
    ],
    ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
    ...(EXPECTED.has(type) ? { category: ApplicationFailureCategory.BENIGN } : {}),
  });
}

type Details = {
  readonly retryAfterMs?: number | null;
  readonly waitsFor?: WaitReason | null;
  readonly isOurs?: boolean;
  readonly interruptible?: true;
  /**
   * The minimum time, in ms, that the record must wait. It differs from record to record, so that the retries of a tenant's failed records
   * are spread out.
   */
  readonly fairnessDelayMs?: number;
};

const OF_REMOTES: ReadonlySet<unknown> = new Set(['THROTTLED', 'TRANSIENT', 'CONTRACT', 'REFUSED']);

/** Whether the failure came from a remote system and is worth a retry. */
export function fromRemote(error: unknown): error is ApplicationFailure {
  if (!(error instanceof ApplicationFailure) || !OF_REMOTES.has(error.type)) return false;
  return ((error.details?.[0] ?? {}) as Details).isOurs !== true;
}

/**
 * Adds a fairness delay to a failure: the minimum wait that spreads out the retries of a tenant's failed records. Returns errors of other
 * types unchanged.
 */
export function withFairnessDelay(error: unknown, fairnessDelayMs: number): unknown {
  if (!(error instanceof ApplicationFailure)) return error;
  const { type, message, details, stack } = error;
  const [first, ...rest] = details ?? [];
  const failed = ApplicationFailure.create({
    ...{ type, message },
    nonRetryable: error.nonRetryable ?? false,
    details: [
      { ...(first as Details), fairnessDelayMs: Math.ceil(boundedWaitMs(fairnessDelayMs)) } satisfies Details,
      ...rest,
    ],
    ...(error.nextRetryDelay && { nextRetryDelay: error.nextRetryDelay }),
    ...(error.category && { category: error.category }),
  });
  return Object.assign(failed, { stack });
}

const PAUSED: Readonly<Record<OperationGroup, WaitReason>> = {
  'vendor-sales': 'vendor-paused',
  'vendor-order': 'vendor-paused',
  salesforce: 'crm-paused',
  'whole-tenant': 'tenant-paused',
  'by-hand': 'tenant-paused',
};

export function pausedReason(group: OperationGroup): WaitReason {
  return PAUSED[group];
}

/** The temporary condition whose end failed work waits for, and the minimum time to wait. Null if the failure causes no wait. */
export function waitOf(failure: Error): { readonly waitsFor: WaitReason; readonly atLeastMs: number } | null {
  if (!(failure instanceof ApplicationFailure)) return null;
  const { waitsFor = null, retryAfterMs = null } = (failure.details?.[0] ?? {}) as Details;
  return waitsFor === null ? null : { waitsFor, atLeastMs: retryAfterMs ?? 0 };
}

/**
 * The failure of work whose operation group (requests to a remote that fail together) fails now. The work waits until the group recovers.
 * `isKnown`: the group is already paused and probed.
 */
export function outage(group: OperationGroup, message: string, isKnown = false): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'SYSTEMIC',
    message,
    nonRetryable: true,
    details: [{ group, waitsFor: PAUSED[group], ...(isKnown ? { isKnown } : {}) }],
    // Not logged for each piece of stopped work, because the pause itself is logged.
    category: ApplicationFailureCategory.BENIGN,
  });
}

export function isOutage(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && error.type === 'SYSTEMIC';
}

/** The outage that a failure reports, if the operation group (requests that fail together) was not paused yet; null for other failures. */
export function freshOutage(
  error: unknown,
): { readonly group: OperationGroup; readonly failure: ApplicationFailure } | null {
  if (!isOutage(error)) return null;
  const { group, isKnown = false } = (error.details?.[0] ?? {}) as {
    readonly group?: OperationGroup;
    readonly isKnown?: boolean;
  };
  return group === undefined || isKnown ? null : { group, failure: error };
}

/** Milliseconds until a throttled request may be retried. Null if the failure is another one, or if it names no time. */
export function throttledMs(error: unknown): number | null {
  if (!(error instanceof ApplicationFailure) || error.type !== 'THROTTLED') return null;
  return ((error.details?.[0] ?? {}) as Details).retryAfterMs ?? null;
}

/**
 * Turns the error of a remote system, of the ledger (Lockstep's database) or of Temporal's client into a failure of a type that workflows
 * distinguish (sales spec 7, order spec 7; Salesforce's error codes). Returns other errors unchanged.
 */
export function toFailure(error: unknown): Error {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof PartnerApiError) return fromVendor(error);
  if (error instanceof CrmError) return fromCrm(error);
  if (error instanceof RefusedAlone) return failure('TRANSIENT', error.message, { waitsFor: 'vendor-unavailable' });
  if (error instanceof LedgerError && error.transient)
    return failure('TRANSIENT', 'the ledger is out', { isOurs: true });
  // An error of Temporal's client. It is recognised by its name, because activities do not depend on the client's package.
  if (error instanceof Error && error.name === 'ServiceError')
    return failure('TRANSIENT', 'Temporal did not answer', { isOurs: true });
  return error instanceof Error ? error : new Error('an activity threw what is no error');
}

/**
 * The operation group (requests that fail together) of each domain of the vendor's API. Each domain accepts or refuses a key separately, so
 * each has its own group.
 */
const GROUP_OF_DOMAIN = {
  sales: 'vendor-sales',
  order: 'vendor-order',
} as const satisfies Readonly<Record<PartnerApiError['domain'], VendorGroup>>;

function fromVendor(error: PartnerApiError): ApplicationFailure {
  const { message } = error;
  switch (error.kind) {
    case 'throttled':
      // Without a reset time, the workflow backs off.
      return failure('THROTTLED', message, {
        waitsFor: 'vendor-throttled',
        retryAfterMs: error.resetSeconds === null ? null : error.resetSeconds * 1000,
      });
    case 'unavailable':
    case 'busy':
    case 'unknown':
    case 'timeout':
    case 'network':
    case 'aborted':
    case 'server':
      return failure('TRANSIENT', message, {
        waitsFor: 'vendor-unavailable',
        retryAfterMs: error.resetSeconds === null ? null : error.resetSeconds * 1000,
      });
    case 'authentication':
    case 'scope':
      return outage(GROUP_OF_DOMAIN[error.domain], message);
    case 'protocol':
      // Such an answer comes from a proxy or has an empty body, with any HTTP status. So it is unknown what the vendor answered.
      if (error.code === 'BODY_NOT_JSON') return failure('TRANSIENT', message, { waitsFor: 'vendor-unavailable' });
      return failure('CONTRACT', message);
    case 'invalid':
    case 'duplicate':
    case 'bad-date':
    case 'bad-period':
    case 'out-of-scope':
    case 'not-found':
      return failure('REFUSED', message);
  }
}

function fromCrm(error: CrmError): ApplicationFailure {
  const message = `CRM ${error.kind}: ${error.code}`;
  switch (error.kind) {
    case 'transient':
    case 'busy':
    case 'governor':
    case 'unknown':
      return failure('TRANSIENT', message, {
        waitsFor: 'crm-unavailable',
        retryAfterMs: error.retryAfterMs,
      });
    case 'throttled':
      return failure('THROTTLED', message, { waitsFor: 'crm-throttled', retryAfterMs: error.retryAfterMs });
    case 'systemic':
      return outage('salesforce', message);
    case 'stale':
    case 'gone':
      return failure('STALE', message, { retryAfterMs: error.retryAfterMs });
    case 'permanent':
    case 'schema-mismatch':
      return failure('REFUSED', message);
  }
}
