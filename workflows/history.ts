import type { Workflow, WorkflowDefinitionOptions } from '@temporalio/common';
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';

/**
 * A run with more history events than this continues as new. The limit exists because a worker that does not have the run in its cache
 * replays its whole history in one task.
 */
const LONG_HISTORY = 1_000;

/** Whether the run should continue as new, because its history is long. */
export function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY;
}

/** Options that keep a run on its worker version. Empty without Worker Versioning, because the server would refuse them. */
export function pinned(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'PINNED' } : {};
}

/** Whether there are workers of a newer version than the one on which this run executes. */
export function hasNewerWorkers(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}

/** Continues the workflow as new, on the newest worker version. The caller must return this function's result. */
export function goOnAsNew<W extends Workflow>(...args: Parameters<W>): Promise<never> {
  const options = hasNewerWorkers() ? { initialVersioningBehavior: 'AUTO_UPGRADE' as const } : {};
  return makeContinueAsNewFunc<W>(options)(...args);
}
