import { cancellationSignal } from '@temporalio/activity';
import type { VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { limited } from '../support/limited.ts';
import { isWell } from './set-aside.ts';

/** Kinds of vendor errors that may concern one request alone, for example because its record is too large, or all requests in an outage. */
const MAY_CONCERN_ALL: ReadonlySet<string> = new Set(['busy', 'unavailable', 'timeout', 'network', 'server']);

/**
 * How long the probes may take, in ms. A request that times out after 30 seconds and its probes must end before the activity is aborted.
 */
const PROBES_MS = 8_000;

/** Whether an error of a vendor request may concern this request alone, or all requests of its operation group. */
export function mayConcernAll(error: unknown): error is PartnerApiError {
  if (!(error instanceof PartnerApiError)) return false;
  // An answer that is no JSON comes from a proxy, which may have sent it for every request.
  return MAY_CONCERN_ALL.has(error.kind) || error.code === 'BODY_NOT_JSON';
}

/** Whether the vendor answers the probes (cheap test requests) of an operation group. False if a probe fails or takes too long. */
export function answersProbes(deps: ActivityDeps, tenant: string, group: VendorGroup): Promise<boolean> {
  const signal = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(PROBES_MS)]);
  return limited(signal, () => isWell(deps, tenant, group));
}
