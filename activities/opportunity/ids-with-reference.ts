import type { WorkClass } from '../../src/domain/loop/work-class.ts';
import { referencesOf } from '../../src/domain/record/former-ids.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { vendorIdsWithReference } from '../../src/observe/read-sides.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/**
 * Searches the vendor's records whose partner reference (the CRM id that the vendor's record contains) is the id of the deal's CRM record,
 * or the id of a lead that the deal was before. Returns their vendor ids.
 */
export async function idsWithReference(
  deps: ActivityDeps,
  link: Link,
  crmId: string,
  work: WorkClass | undefined,
): Promise<readonly string[]> {
  const { vendor } = deps.runtime(link.tenant);
  return vendorIdsWithReference(vendor, referencesOf(crmId, link), (send) =>
    vendorRequest(deps, link.tenant, 'vendor-sales', send, { work }),
  ).catch((error: unknown) => {
    throw toFailure(error);
  });
}
