import type { VendorObservation } from '../../src/domain/record/observation.ts';
import { readVendorRecord } from '../../src/observe/read-sides.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps, RecordArgs, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/** The vendor's record (sales spec 4.3); null if the vendor answers that it does not exist. One request. Throws ApplicationFailure. */
export async function readRecord(
  deps: ActivityDeps,
  { vendor, tenant }: TenantRuntime,
  vendorId: string,
  { work }: Pick<RecordArgs, 'work'>,
): Promise<VendorObservation | null> {
  try {
    return await readVendorRecord(vendor, vendorId, {
      mapping: tenant.mapping,
      ask: (send) => vendorRequest(deps, tenant.tenant, 'vendor-sales', send, { work }),
      now: deps.now,
    });
  } catch (error) {
    // A 404 without the vendor's own error code comes from a gateway, and does not show whether the record exists (see `readVendorRecord`).
    if (error instanceof PartnerApiError && error.kind === 'not-found') throw failure('TRANSIENT', error.message);
    throw toFailure(error);
  }
}
