import type { VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';
import type { CallOptions, OrderApi, RateLimit, SalesApi } from '../../src/partner-api/index.ts';
import { isAlone } from '../outage/set-aside.ts';
import { RefusedAlone } from '../support/refused-alone.ts';
import { refusesTheKey } from '../support/tenant-key.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import type { StreamOf } from './stream.ts';

type Apis = { readonly 'vendor-sales': SalesApi; readonly 'vendor-order': OrderApi };
export type ApiOf<Group extends VendorGroup> = Apis[Group];

/**
 * Sends one vendor request of a stream (a regular read of changed rows), and returns the answer. Throws `RefusedAlone` if the vendor
 * refuses this request as it would refuse a wrong key, but accepts the key in other requests. Throws a REFUSED failure instead if such a
 * refusal stops only this stream (`stopsAlone`). `request`: the request's name in the log and the ledger (Lockstep's database).
 */
export async function askVendor<Row extends VendorStreamRow, Answer extends { readonly rateLimit: RateLimit }>(
  { name, row, deps, runtime: { tenant, vendor } }: StreamOf<Row>,
  ask: (vendor: ApiOf<Row['reads']>, options: CallOptions) => Promise<Answer>,
  request = `stream ${name}`,
): Promise<Answer> {
  try {
    return await vendorRequest(deps, tenant.tenant, row.reads, (signal) =>
      ask(vendor as ApiOf<Row['reads']>, { signal }),
    );
  } catch (error) {
    if (!refusesTheKey(error)) throw error;
    if (row.stopsAlone !== true) {
      const why = toFailure(error).message;
      if (await isAlone(deps, { tenant: tenant.tenant, group: row.reads, request, why })) throw new RefusedAlone(why);
      throw error;
    }
    throw failure('REFUSED', `the vendor's key is good for nothing of this: ${row.summary}`);
  }
}
