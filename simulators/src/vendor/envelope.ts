import { randomUUID } from 'node:crypto';
import type { Problem } from './problem.ts';

/** The two spellings of the time in `info`: `timestamp` in the answer of create and in 503, `timeStamp` elsewhere (sales spec 2.9). */
export type TimeSpelling = 'timestamp' | 'timeStamp';

export type Info = Readonly<Record<string, unknown>>;

/** The `info` object of sales spec 2.9. `statusCode` is the HTTP status. */
export function info(statusCode: number, now: Date, spelling: TimeSpelling = 'timeStamp'): Info {
  return { success: statusCode < 400, statusCode, [spelling]: now.toISOString(), traceId: randomUUID() };
}

/** The `data` of 406 and 503 answers (sales spec 7). */
const NO_RESULT = { partnerLeadOpportunityId: null, dsLeadOpportunityId: null, action: null } as const;

/** The body of a refusal (sales spec 7). For a portfolio search it has no `data`. For 406 the keys of `data` are null. */
export function problemBody(problem: Problem, now: Date, isPortfolio: boolean): object {
  const parts = { info: info(problem.status, now), error: { code: problem.code, message: problem.message } };
  if (isPortfolio) return parts;
  if (problem.status === 406) return { ...parts, data: NO_RESULT };
  return { data: null, ...parts };
}

/** The body of a 503 (sales spec 7, ERR899). */
export function unavailableBody(now: Date): object {
  return {
    info: info(503, now, 'timestamp'),
    error: { code: 'ERR899', message: 'The service is unavailable. Retry later.' },
    data: NO_RESULT,
  };
}

/** The `{message}` bodies of the gateway (sales spec 7). */
export const GATEWAY_MESSAGES = {
  401: 'No API key found in request',
  403: 'You cannot consume this service',
  429: 'API rate limit exceeded',
} as const;
