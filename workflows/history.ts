import type { Workflow, WorkflowDefinitionOptions } from '@temporalio/common';
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';

/** The number of history events after which a run continues as new. A worker that lacks the run replays its whole history in one task. */
const LONG_HISTORY = 1_000;

/** Whether the run should continue as new, because its history is long. */
export function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY;
}

/** Options that pin a run to its worker version. Empty without Worker Versioning, because the server would refuse the options. */
export function pinned(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'PINNED' } : {};
}

/** Whether the task queue has a newer worker version than the one that this run is pinned to. */
export function hasNewerWorkers(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}

/** Continues the workflow as new, on the newest worker version. The caller must return the result. */
export function goOnAsNew<W extends Workflow>(...args: Parameters<W>): Promise<never> {
  const options = hasNewerWorkers() ? { initialVersioningBehavior: 'AUTO_UPGRADE' as const } : {};
  return makeContinueAsNewFunc<W>(options)(...args);
}
