import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';
import { answersProbes, mayConcernAll } from '../outage/answers-probes.ts';
import type { StreamOf } from './stream.ts';

/**
 * Whether a vendor request of a stream has failed alone: its error may concern all requests, but the vendor answers the probes (cheap test
 * requests) of the request's operation group. Sends the probes only after such an error. False if a probe fails or takes too long, because
 * the whole group may then be out.
 */
export async function failsAlone({ row, deps, runtime }: StreamOf<VendorStreamRow>, error: unknown): Promise<boolean> {
  return mayConcernAll(error) && (await answersProbes(deps, runtime.tenant.tenant, row.reads));
}
