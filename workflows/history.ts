import type { Workflow, WorkflowDefinitionOptions } from '@temporalio/common';
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';

/** A history is read again from its start whenever a worker has lost the run: it has to be short enough for a task. */
const LONG_HISTORY = 1_000;

/** Whether the run is to go on as a new one. */
export function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY;
}

/**
 * For `setWorkflowOptions`: a run stays with the version of workers that it begins with. A server refuses all work of a worker without a
 * version that says anything of the kind.
 */
export function pinned(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'PINNED' } : {};
}

/** Whether tasks go to another version of workers by now than the one that this run is pinned to. */
export function hasNewerWorkers(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}

/** Begins the next run, on the version of workers that tasks go to by now. Ends this one: it is to be returned. */
export function goOnAsNew<W extends Workflow>(...args: Parameters<W>): Promise<never> {
  const options = hasNewerWorkers() ? { initialVersioningBehavior: 'AUTO_UPGRADE' as const } : {};
  return makeContinueAsNewFunc<W>(options)(...args);
}
