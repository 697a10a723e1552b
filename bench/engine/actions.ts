import type { Stack } from '../../test/support/stack/stack.ts';

/** Events of a history that Temporal charges as an action; each activity that is begun and each local one is one, and each timer. */
const ACTIONS = {
  workflowExecutionStartedEventAttributes: 'starts',
  workflowExecutionSignaledEventAttributes: 'signals',
  activityTaskScheduledEventAttributes: 'activities',
  timerStartedEventAttributes: 'timers',
  markerRecordedEventAttributes: 'markers',
  upsertWorkflowSearchAttributesEventAttributes: 'search attributes',
} as const;

type Kind = (typeof ACTIONS)[keyof typeof ACTIONS];
type Kinds = Partial<Record<Kind, number>>;

/** By the type of workflow, and for each how many of which kind. */
export type Actions = ReadonlyMap<string, Kinds>;

/** What Temporal was asked for since an instant, but for one workflow. */
export async function actionsSince({ client }: Pick<Stack, 'client'>, since: string, but?: string): Promise<Actions> {
  const counts = new Map<string, Kinds>();
  const query = `CloseTime >= '${since}' OR ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    if (workflowId === but) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const fresh = (events ?? []).filter(({ eventTime }) => Number(eventTime?.seconds) * 1_000 >= Date.parse(since));
    const kinds = counts.get(type) ?? {};
    for (const kind of fresh.flatMap(kindsOf)) kinds[kind] = (kinds[kind] ?? 0) + 1;
    counts.set(type, kinds);
  }
  return counts;
}

function kindsOf(event: { readonly [attributes in keyof typeof ACTIONS]?: unknown }): Kind[] {
  const attributes = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
  return attributes.filter((name) => event[name] != null).map((name) => ACTIONS[name]);
}

/** Of what is about records, and not of the schedules that find them. */
export function ofRecords(actions: Actions): number {
  const types = ['syncOpportunity', 'syncOpportunities', 'recordWaits', 'backfill', 'guardTenant'];
  const counts = types.flatMap((type) => Object.values(actions.get(type) ?? {}));
  return counts.reduce((sum, count) => sum + count, 0);
}
