import { type ApiFailure, failure } from './store/failure.ts';

const STATUS = 501;
const CODE = 'NOT_SIMULATED';

/** The refusal of something that an org does and this simulator does not: 501, a status and a code that no org answers with. */
export function notSimulated(what: string): ApiFailure {
  return failure(STATUS, CODE, `${what} is not simulated; a Salesforce org takes it.`);
}

/** The sentences of an answer that refuses so. */
export function notSimulatedIn({
  status,
  body,
}: {
  readonly status: number;
  readonly body?: unknown;
}): readonly string[] {
  if (status !== STATUS) return [];
  return (body as readonly { readonly errorCode?: string; readonly message: string }[]).flatMap(
    ({ errorCode, message }) => (errorCode === CODE ? [message] : []),
  );
}
