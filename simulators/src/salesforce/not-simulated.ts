import { type ApiFailure, failure } from './store/failure.ts';

const STATUS = 501;
const CODE = 'NOT_SIMULATED';

/** The refusal of a feature that orgs have and this simulator lacks: status 501, with a code that no org uses. */
export function notSimulated(what: string): ApiFailure {
  return failure(STATUS, CODE, `${what} is not simulated; a Salesforce org takes it.`);
}

/** The messages of refusals by `notSimulated` in an answer; empty for other answers. */
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
