import { workflowInfo } from '@temporalio/workflow';

/** A history is read again from its start whenever a worker has lost the run: it has to be short enough for a task. */
const LONG_HISTORY = 1_000;

/** Whether the run is to go on as a new one. */
export function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY;
}
