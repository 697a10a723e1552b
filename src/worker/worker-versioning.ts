import type { WorkerOptions } from '@temporalio/worker';
import type { WorkerVersion } from '../platform/settings.ts';

/**
 * What a worker tells Temporal of its version; nothing without one. A workflow that says nothing of itself goes on with the
 * current version, which its history has to replay on (`test/replay`): it may run for days. One that is over within
 * minutes says that it stays with the version that it began with.
 */
export function versionOptions(
  version: WorkerVersion | null,
): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === null) return {};
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
