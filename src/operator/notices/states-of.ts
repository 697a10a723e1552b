import type { OperationGroup } from '../../domain/loop/operation-groups.ts';
import type { NoticeCause } from '../../domain/notices/causes.ts';
import { hasSubject } from '../../domain/notices/causes.ts';
import type { State, TenantStates } from '../../domain/notices/state.ts';
import { purposeOf, STREAMS, type StreamName } from '../../domain/streams/streams.ts';
import { stoppedBy } from '../../domain/streams/work.ts';
import { crmCallsToday } from '../status/crm-calls.ts';
import { CHANGES_PART, followedChanges } from '../status/followed-changes.ts';
import { overdueStreams } from '../status/overdue-streams.ts';
import { driftOf, orgOf, type StatusTenant } from '../status/status.ts';
import type { TenantFacts } from '../status/status-facts.ts';
import { stopsOf } from '../status/stopped-streams.ts';

/** The data about a tenant in the ledger (Lockstep's database) from which notices to operators are made. Instants are ISO. */
export type NoticeFacts = Pick<
  TenantFacts,
  'reads' | 'pauses' | 'quotas' | 'issues' | 'refusedNotices' | 'crmUse' | 'kept'
> & {
  /** The time (ISO) since which a new API key has waited for the vendor to register it; null if no key waits. */
  readonly keySince: string | null;
  readonly isUnavailable: boolean;
};

const CAUSE_OF_PAUSE: Readonly<Record<OperationGroup, NoticeCause>> = {
  'vendor-sales': 'remote-down',
  'vendor-order': 'remote-down',
  salesforce: 'remote-down',
  'whole-tenant': 'mass-change',
  'by-hand': 'paused-by-hand',
};

/**
 * The states of a tenant that operators should know, such as an outage. Only for a tenant that this process serves. `isUnclear` in the
 * result says for a state whether it cannot be judged now. For example, whether a stream (source of changes) is overdue is unclear while a
 * pause stops its reads. Pure. `now`: ISO.
 */
export function statesOf(tenant: StatusTenant, facts: NoticeFacts, now: string): TenantStates {
  const { pauses, reads, kept } = facts;
  const calls = crmCallsToday(facts.crmUse, tenant.salesforce.apiShare);
  const waitsForBudget = (stream: StreamName): boolean => {
    const purpose = purposeOf(STREAMS[stream]);
    return calls !== null && purpose !== null && calls.purposes[purpose] !== 'goes';
  };
  const isHeld = (stream: StreamName): boolean =>
    stoppedBy(pauses, stream) !== undefined || stopped.some((one) => one.stream === stream) || waitsForBudget(stream);
  const stopped = stopsOf(kept);
  const drift = driftOf(kept);
  const left = drift === null ? 0 : drift.records - drift.repaired;
  const failed = followedChanges(kept(CHANGES_PART.stream))?.failed ?? null;
  const isFollowed = (tenant.salesforce.changes ?? 'outbound') !== 'outbound';
  const states: readonly State[] = [
    ...unavailable(facts),
    ...pauses.map(({ group, since }) => {
      const cause = CAUSE_OF_PAUSE[group];
      return state(cause, { subject: cause === 'remote-down' ? group : '', since });
    }),
    ...overdueStreams(tenant, reads, now).map(({ stream }) => state('stream-overdue', { subject: stream })),
    ...stopped.map(({ stream, since }) => state('stream-stopped', { subject: stream, since })),
    ...(orgOf(kept)?.problems.some(({ verdict }) => verdict === 'fails') === true ? [state('mapping-refused')] : []),
    ...facts.issues.map(({ code, records }) => state('records-wait', { subject: code, records })),
    ...reads.flatMap(({ stream, refusedRows, parkedRows }) => [
      ...(Object.keys(refusedRows).length > 0 ? [state('rows-refused', { subject: streamOf(stream) })] : []),
      ...(parkedRows > 0 ? [state('rows-without-id', { subject: streamOf(stream) })] : []),
    ]),
    ...(facts.refusedNotices.length > 0 ? [state('owner-notices-refused')] : []),
    ...(left > 0 ? [state('drift', { since: drift?.at ?? null, records: left })] : []),
    ...(isFollowed && failed !== null ? [state('change-events-stopped', { since: failed.since })] : []),
    ...Object.entries(calls?.purposes ?? {}).flatMap(([purpose, verdict]) =>
      verdict === 'waits' ? [state('org-calls-used-up', { subject: purpose })] : [],
    ),
    ...facts.quotas.flatMap(({ quota, remaining, until }) =>
      remaining === 0 && until > now ? [state('vendor-quota-used-up', { subject: quota })] : [],
    ),
    ...(facts.keySince === null ? [] : [state('key-waits', { since: facts.keySince })]),
  ];
  return {
    // Drops states about which there are no notices, such as issues that need no user or operator.
    states: states.filter(({ cause, subject }) => hasSubject(cause, subject)),
    isUnclear: ({ cause, subject }) => cause === 'stream-overdue' && isHeld(subject as StreamName),
  };
}

/**
 * The states of a tenant that this process cannot serve. Here only one state can be judged: whether the tenant is unavailable. All other
 * states count as unclear, so they neither begin nor end. Pure.
 */
export function statesElsewhere(facts: Pick<NoticeFacts, 'isUnavailable'>): TenantStates {
  return { states: unavailable(facts), isUnclear: ({ cause }) => cause !== 'tenant-unavailable' };
}

function unavailable({ isUnavailable }: Pick<NoticeFacts, 'isUnavailable'>): readonly State[] {
  return isUnavailable ? [state('tenant-unavailable')] : [];
}

function state(cause: NoticeCause, of: Partial<Omit<State, 'cause'>> = {}): State {
  return { cause, subject: '', since: null, records: null, ...of };
}

/**
 * The name of the stream (source of changes) to which a cursor belongs: the part of the cursor's name before the colon. After the colon is
 * the name of a CRM object, if the stream has one cursor for each object.
 */
function streamOf(cursor: string): string {
  return cursor.split(':')[0] ?? cursor;
}
