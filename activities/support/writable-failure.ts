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

/** What a failure may take of a history: characters of its texts, and bytes of its details. */
const MOST_SIZE = 50_000;

const CONVERTER = new DefaultFailureConverter();

/**
 * What workflows are told of an error, where the SDK can write that into a history, and a plain failure where it cannot: an
 * error that is its own cause, that throws when it is read, that holds half a character or is too large ends the worker, for
 * every tenant. What was found to be writable is what is written: the error is not read again.
 */
export function writableFailure(error: unknown): Error {
  try {
    const classified = toFailure(error);
    const written = CONVERTER.errorToFailure(classified, defaultPayloadConverter);
    if (isWritable(written) && sizeOf(written) <= MOST_SIZE) return as(classified, written);
  } catch {
    // What is wrong with it is not asked any further: asking is what throws.
  }
  return failure('BUG', 'an activity failed with an error that cannot be written down');
}

/** The error as it was found writable; it stays a failure, a cancellation or an error of its name. */
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

/** A wait beyond any date ends the worker that it is told to. */
function isBounded(info: ProtoFailure['applicationFailureInfo']): boolean {
  const waitMs = optionalTsToMs(info?.nextRetryDelay);
  return waitMs === undefined || boundedWaitMs(waitMs) === waitMs;
}

function sizeOf({ message, stackTrace, applicationFailureInfo: info, cause }: ProtoFailure): number {
  const texts = [message, stackTrace, info?.type].map((text) => text?.length ?? 0);
  const details = (info?.details?.payloads ?? []).map(({ data }) => data?.length ?? 0);
  return [...texts, ...details].reduce((sum, size) => sum + size, cause ? sizeOf(cause) : 0);
}
