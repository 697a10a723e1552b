import { DefaultFailureConverter, defaultPayloadConverter, type ProtoFailure } from '@temporalio/common';
import { failure, toFailure } from './to-failure.ts';

/** What a failure may take of a history, as JSON. */
const MOST_CHARACTERS = 50_000;

const CONVERTER = new DefaultFailureConverter();

/**
 * What workflows are told of an error, where the SDK can write that into a history, and a plain failure where it cannot: it ends
 * the worker, for every tenant, over an error that is its own cause, that throws when it is read, or that is too large.
 */
export function writableFailure(error: unknown): Error {
  try {
    const told = toFailure(error);
    const written = CONVERTER.errorToFailure(told, defaultPayloadConverter);
    if (isText(written) && JSON.stringify(written).length <= MOST_CHARACTERS) return told;
  } catch {
    // What is wrong with it is not asked any further: asking is what throws.
  }
  return failure('BUG', 'an activity failed with an error that cannot be written down');
}

function isText(written: ProtoFailure): boolean {
  const { message, stackTrace, cause } = written;
  const texts: readonly unknown[] = [message ?? '', stackTrace ?? ''];
  return texts.every((text) => typeof text === 'string') && (!cause || isText(cause));
}
