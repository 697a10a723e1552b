import { sql } from 'kysely';
import type { Cause } from '../../domain/loop/step.ts';
import { isMany } from '../../domain/loop/work-class.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import { plainCalls, type Statement, type Store } from '../core/store.ts';
import { workOf } from '../links/link-row.ts';
import type { LaneLedger } from './lane-ledger.ts';

export function laneCalls(store: Store): LaneLedger {
  return {
    ...plainCalls(store, { takeInLane, nextInLane, leaveLane, delegate }),
  };
}

const takeInLane: Statement<LaneLedger, 'takeInLane'> = async (store, tenant, keys, cause) => {
  await sql`
    with chosen as (
      select key from links where tenant = ${tenant} and key = any(${keys}::text[]) order by key for no key update
    )
    update links l
    set lane = case when l.lane <> ${cause} or l.generation - l.observed_generation > 1 then 'any' else ${cause} end,
      lane_generation = l.lane_generation + 1,
      in_burst = l.in_burst or ${isMany(keys)}
    from chosen where l.tenant = ${tenant} and l.key = chosen.key`.execute(store.db);
};

type Row = {
  readonly key: string;
  readonly generation: number;
  readonly lane_generation: number;
  readonly lane: Cause;
  readonly state: LinkState;
  readonly bulk_share: number | null;
  readonly echo_only: boolean;
  readonly in_burst: boolean;
  readonly is_unanswered: boolean;
  readonly is_open: boolean;
  readonly spent_plan: string | null;
};

/**
 * Returns the records that the lane (the workflow for many records) is to process next. Stores `any` as the side whose change caused their
 * work: if the worker dies after reading only the CRM, the next attempt then reads both sides. A record whose newest write was sent and has
 * no outcome yet needs a workflow of its own, because another worker may still work on it.
 */
const nextInLane: Statement<LaneLedger, 'nextInLane'> = async (
  store,
  tenant,
  { withBulk, withEchoes, excluding, only, limit },
) => {
  const { rows } = await sql<Row>`
    with chosen as (
      select key, generation, lane_generation, lane, state, bulk_share, echo_only, in_burst, newest_plan, due_since,
        failing_since is not null as is_unanswered, echo_only and bulk_share is null as is_echo
      from links
      where tenant = ${tenant} and in_lane and key not in (select unnest(${excluding}::text[]))
        ${only === undefined ? sql`` : sql`and key = any(${only}::text[])`}
        and (${withBulk}::boolean or bulk_share is null) and (${withEchoes}::boolean or not echo_only or bulk_share is not null)
      order by is_echo, bulk_share is not null, due_since nulls first, key
      limit ${limit}
    ),
    locked as (
      select l.key from links l join chosen c on c.key = l.key
      where l.tenant = ${tenant} and c.lane = 'crm' order by l.key for no key update of l
    ),
    begun as (
      update links l set lane = 'any' from locked where l.tenant = ${tenant} and l.key = locked.key and l.lane is not null
    )
    select key, generation, lane_generation, lane, state, bulk_share, echo_only, in_burst, is_unanswered, exists (
        select from plans p
        where p.tenant = ${tenant} and p.id = newest_plan and p.sent_at is not null and p.outcome is null
      ) as is_open, (
        select p.id from plans p where p.tenant = ${tenant} and p.id = newest_plan and p.outcome is not null
      ) as spent_plan
    from chosen order by is_echo, bulk_share is not null, due_since nulls first, key`.execute(store.db);
  return rows.map(({ key, generation, lane_generation, lane, state, is_unanswered, is_open, spent_plan, ...row }) => ({
    ...{
      key,
      generation,
      laneGeneration: lane_generation,
      state,
      work: workOf(row),
      cause: lane,
      spentPlan: spent_plan,
    },
    needsOwn: is_open ? 'a write is open' : is_unanswered ? 'unanswered' : null,
  }));
};

const leaveLane: Statement<LaneLedger, 'leaveLane'> = async (store, tenant, processed) => {
  const given = processed.map(({ key, generation, laneGeneration }) => ({
    key,
    generation: generation,
    lane_generation: laneGeneration,
  }));
  const { rows } = await sql<{ key: string; is_due: boolean }>`
    with given as (
      select key, generation, lane_generation from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as one (key text, generation integer, lane_generation integer)
    ),
    chosen as (
      select l.key from links l join given using (key)
      where l.tenant = ${tenant} and l.key = any(${processed.map(({ key }) => key)}::text[])
        and l.lane is not null and l.generation = given.generation and l.lane_generation = given.lane_generation
      order by l.key for no key update of l
    )
    update links l set lane = null
    from chosen where l.tenant = ${tenant} and l.key = chosen.key
    returning l.key, l.due_since is not null and l.state <> 'superseded' as is_due`.execute(store.db);
  return rows.flatMap(({ key, is_due }) => (is_due ? [key] : []));
};

/**
 * Moves a link from the lane (the workflow for many records) to its own workflow. Marks the link due once more, because the lane may have
 * read the vendor before the last change.
 */
const delegate: Statement<LaneLedger, 'delegate'> = async (store, tenant, key, at) => {
  await sql`
    update links
    set lane = null,
      generation = generation + (state <> 'superseded')::int,
      vendor_generation = case when due_since is not null and vendor_id is not null then generation + 1 else vendor_generation end,
      due_since = case when state = 'superseded' then due_since else coalesce(due_since, ${at}::timestamptz) end
    where tenant = ${tenant} and key = ${key} and (lane is not null or due_since is not null)`.execute(store.db);
};
