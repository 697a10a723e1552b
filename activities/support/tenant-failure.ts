import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { failure } from './to-failure.ts';

/** The failure of work for a tenant that this worker does not serve. Nothing was sent. The work is retried, perhaps by another worker. */
export function tenantUnknown(tenant: string): ApplicationFailure {
  return failure('TRANSIENT', `TENANT_NOT_SERVED: this worker does not serve the tenant ${tenant}`, {
    isOurs: true,
  });
}

/** The failure of work for a tenant that was removed while the work ran. */
export function tenantRemoved(tenant: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'TENANT_REMOVED',
    message: `TENANT_REMOVED: the tenant ${tenant} was removed`,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}
