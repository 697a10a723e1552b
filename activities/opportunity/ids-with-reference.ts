import type { Link } from '../../src/domain/record/link.ts';
import { foundIds } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';

/** The vendor's records that carry an opportunity's id, in either of the two forms in which people write it. */
export async function idsWithReference(
  deps: ActivityDeps,
  link: Link,
  crmId: string,
): Promise<readonly string[]> {
  const { vendor } = deps.runtime(link.tenant);
  const references = [crmId, crmId.slice(0, 15)];
  try {
    const answer = await vendorRequest(deps, link.tenant, 'vendor-sales', (signal) =>
      vendor.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: references }] }, { signal }),
    );
    return foundIds(answer.data);
  } catch (error) {
    throw toFailure(error);
  }
}
