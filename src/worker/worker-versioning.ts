import type { WorkerOptions } from '@temporalio/worker';
import type { WorkerVersion } from '../platform/settings.ts';

/**
 * The worker's options for Temporal's Worker Versioning; empty without a version. By default, workflows move to the current version, which
 * must be able to replay their histories (`test/replay`). Short workflows stay on the version that started them.
 */
export function versionOptions(version: WorkerVersion | null): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === null) return {};
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
