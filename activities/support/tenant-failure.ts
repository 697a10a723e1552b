import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { failure } from './to-failure.ts';

/**
 * This worker does not serve the tenant yet: it has not seen it in the registry, or cannot have one of its secrets. What was
 * asked waits and is asked again, here or of another worker; nothing was read or sent.
 */
export function tenantUnknown(tenant: string): ApplicationFailure {
  return failure('TRANSIENT', `TENANT_NOT_SERVED: this worker does not serve the tenant ${tenant}`, {
    isOurs: true,
  });
}

/** The tenant was taken out of service: whatever is under way for it ends, and says why. */
export function tenantRemoved(tenant: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'TENANT_REMOVED',
    message: `TENANT_REMOVED: the tenant ${tenant} was removed`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}
