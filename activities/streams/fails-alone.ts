import { cancellationSignal } from '@temporalio/activity';
import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { isWell } from '../outage/set-aside.ts';
import { limited } from '../support/limited.ts';
import type { StreamOf } from './stream.ts';

/** Kinds of vendor errors that may concern one request alone, for example because its order is too large, or all requests in an outage. */
const MAY_CONCERN_ALL: ReadonlySet<string> = new Set(['busy', 'unavailable', 'timeout', 'network', 'server']);

/**
 * How long the probes may take, in ms. A request that times out after 30 seconds and its probes must end before the activity is aborted.
 */
const PROBES_MS = 8_000;

/**
 * Whether a vendor request of a stream has failed alone: its error may concern all requests, but the vendor answers the probes (cheap test
 * requests) of the request's operation group. Sends the probes only after such an error. False if a probe fails or takes too long, because
 * the whole group may then be out.
 */
export async function failsAlone({ row, deps, runtime }: StreamOf<VendorStreamRow>, error: unknown): Promise<boolean> {
  if (!(error instanceof PartnerApiError)) return false;
  // An answer that is no JSON comes from a proxy, which may have sent it for every request.
  const mayConcernAll = MAY_CONCERN_ALL.has(error.kind) || error.code === 'BODY_NOT_JSON';
  if (!mayConcernAll) return false;
  const signal = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(PROBES_MS)]);
  return limited(signal, () => isWell(deps, runtime.tenant.tenant, row.reads));
}
