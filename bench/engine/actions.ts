import type { Stack } from '../../test/support/stack/stack.ts';

/** Events of a history that Temporal charges as an action; each activity that is begun and each local one is one, and each timer. */
const ACTIONS = [
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'activityTaskScheduledEventAttributes',
  'timerStartedEventAttributes',
  'markerRecordedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
] as const;

/** What Temporal was asked for since an instant, by the type of workflow, but for one workflow. */
export async function actionsSince(
  { client }: Pick<Stack, 'client'>,
  since: string,
  but?: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const query = `CloseTime >= '${since}' OR ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    if (workflowId === but) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const fresh = (events ?? []).filter(
      ({ eventTime }) => Number(eventTime?.seconds) * 1_000 >= Date.parse(since),
    );
    const actions = fresh.filter((event) => ACTIONS.some((kind) => event[kind] != null)).length;
    counts.set(type, (counts.get(type) ?? 0) + actions);
  }
  return counts;
}

/** Of what is about records, and not of the schedules that find them. */
export function ofRecords(counts: ReadonlyMap<string, number>): number {
  const types = ['syncOpportunity', 'syncOpportunities', 'recordWaits', 'backfill', 'guardTenant'];
  return types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
}
