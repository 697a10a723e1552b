import type { Workflow, WorkflowDefinitionOptions } from '@temporalio/common';
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';

/**
 * A workflow run with more history events than this continues as new. The limit exists because a worker that does not have the run in its
 * cache replays its whole history in one task.
 */
const LONG_HISTORY = 1_000;

/** Whether the workflow run should continue as new, because its history is long. */
export function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY;
}

/**
 * Workflow options that keep a run on its worker version. Empty if the workers do not use Worker Versioning, because the server would then
 * refuse such options.
 */
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
