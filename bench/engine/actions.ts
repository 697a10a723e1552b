import type { Stack } from '../../test/support/stack/stack.ts';

/** Events of a history that Temporal bills as an action: each started activity, each local activity and each timer. */
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

/** For each workflow type, the number of actions of each kind. */
export type Actions = ReadonlyMap<string, Kinds>;

/** Temporal's actions since an instant, without those of one workflow. */
export async function actionsSince({ client }: Pick<Stack, 'client'>, since: string, but?: string): Promise<Actions> {
  const counts = new Map<string, Kinds>();
  const query = `CloseTime >= '${since}' OR ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    if (workflowId === but) continue;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const fresh = (events ?? []).filter(({ eventTime }) => msOf(eventTime) >= Date.parse(since));
    const kinds = counts.get(type) ?? {};
    for (const kind of fresh.flatMap(kindsOf)) kinds[kind] = (kinds[kind] ?? 0) + 1;
    counts.set(type, kinds);
  }
  return counts;
}

function msOf(time: { readonly seconds?: unknown; readonly nanos?: unknown } | null | undefined): number {
  return Number(time?.seconds) * 1_000 + Number(time?.nanos ?? 0) / 1_000_000;
}

function kindsOf(event: { readonly [attributes in keyof typeof ACTIONS]?: unknown }): Kind[] {
  const attributes = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
  return attributes.filter((name) => event[name] != null).map((name) => ACTIONS[name]);
}

/** The actions of workflows about records, without those of the schedules and streams that find records. */
export function ofRecords(actions: Actions): number {
  const types = ['syncOpportunity', 'syncOpportunities', 'recordWaits', 'backfill', 'guardTenant'];
  const counts = types.flatMap((type) => Object.values(actions.get(type) ?? {}));
  return counts.reduce((sum, count) => sum + count, 0);
}
