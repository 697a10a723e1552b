import type { Link } from '../domain/record/link.ts';
import { linkKey } from '../domain/record/link-key.ts';

/**
 * A link for a deal that the ledger (Lockstep's database) does not have, in the form in which the ledger would create it. With this link
 * the deal can be observed. `at`: the present instant, ISO.
 */
export function unseenLink(tenant: string, ids: Pick<Link, 'crmId' | 'vendorId'>, at: string): Link {
  return {
    tenant,
    key: linkKey(ids),
    ...ids,
    state: 'new',
    base: null,
    vendorObservation: null,
    vendorInDoubt: 'no',
    adoptingSince: null,
    generation: 0,
    observedGeneration: 0,
    vendorDue: false,
    issues: [],
    waitingSince: null,
    waitingFor: null,
    failingSince: null,
    retryAt: null,
    reported: null,
    updatedAt: at,
    version: 0,
  };
}
