import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
  optionalTsToMs,
  type ProtoFailure,
  TemporalFailure,
} from '@temporalio/common';
import { boundedWaitMs } from '../../src/domain/values/remote-number.ts';
import { failure, toFailure } from './to-failure.ts';

/** The maximum size of a failure in a history: characters of its texts plus bytes of its details. */
const MOST_SIZE = 50_000;

const CONVERTER = new DefaultFailureConverter();

/**
 * Converts an error into a failure that the Temporal SDK can write into a history; if it cannot, into a failure of type `BUG`. Without this
 * check, an unwritable error (too large, throwing getters, lone surrogates) would end the worker for every tenant.
 */
export function writableFailure(error: unknown): Error {
  try {
    const classified = toFailure(error);
    const written = CONVERTER.errorToFailure(classified, defaultPayloadConverter);
    if (isWritable(written) && sizeOf(written) <= MOST_SIZE) return as(classified, written);
  } catch {
    // Does not examine the error further, because reading it throws.
  }
  return failure('BUG', 'an activity failed with an error that cannot be written down');
}

/**
 * Rebuilds the error that an activity threw, so that the SDK stores exactly the form that was checked. `classified`: the error that was
 * thrown. `written`: the same error in the form in which Temporal's history stores it. The result is of the same kind as `classified`: a
 * failure, a cancellation, or an error with its name.
 */
function as(classified: Error, written: ProtoFailure): Error {
  if (classified instanceof ApplicationFailure) return Object.assign(classified, { failure: written });
  const known = CONVERTER.failureToError(written, defaultPayloadConverter);
  if (classified instanceof TemporalFailure) return known;
  const { message, stack, cause } = known;
  return Object.assign(new Error(message, { cause }), { name: nameOf(classified), stack });
}

function nameOf({ name }: { readonly name: unknown }): string {
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'Error';
}

function isWritable(written: ProtoFailure): boolean {
  const { message, stackTrace, applicationFailureInfo: info, cause } = written;
  const texts: readonly unknown[] = [message ?? '', stackTrace ?? '', info?.type ?? ''];
  return (
    typeof written === 'object' &&
    texts.every((text) => typeof text === 'string' && text.isWellFormed()) &&
    typeof (info?.nonRetryable ?? false) === 'boolean' &&
    isBounded(info) &&
    (!cause || isWritable(cause))
  );
}

/** Whether the waits in a failure are short enough for date arithmetic. A longer wait would end the worker that receives the failure. */
function isBounded(info: ProtoFailure['applicationFailureInfo']): boolean {
  const waitMs = optionalTsToMs(info?.nextRetryDelay);
  return waitMs === undefined || boundedWaitMs(waitMs) === waitMs;
}

function sizeOf({ message, stackTrace, applicationFailureInfo: info, cause }: ProtoFailure): number {
  const texts = [message, stackTrace, info?.type].map((text) => text?.length ?? 0);
  const details = (info?.details?.payloads ?? []).map(({ data }) => data?.length ?? 0);
  return [...texts, ...details].reduce((sum, size) => sum + size, cause ? sizeOf(cause) : 0);
}
