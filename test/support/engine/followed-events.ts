import { CHANGES_CURSOR } from '../../../src/domain/streams/change-events.ts';
import { changesOf, follow } from './follow.ts';
import type { StoredEvent } from './http.ts';
import type { World } from './world.ts';

/**
 * What happens to the stream of change events: its follower stands still or goes on; it takes events twice; the next event is a gap event;
 * the org forgets all replay ids.
 */
export type StreamEvent = 'stand still' | 'go on' | 'twice' | 'gap' | 'forgotten';

/** The follower of a story's change events. It only runs while users wait, so that a story replays in the same order. */
export type FollowedEvents = {
  /** Takes all events that the org has, unless the follower stands still. A gap starts a sweep, as in a shard's round. */
  catchUp(): Promise<void>;
  happen(what: StreamEvent): Promise<void>;
  /** Events of which the engine took note although their deal was not marked due. */
  missed(): readonly string[];
};

const NOT_FOLLOWED: FollowedEvents = {
  catchUp: async () => undefined,
  happen: async () => undefined,
  missed: () => [],
};

/** Longer than a simulator takes for an answer on a busy machine. */
const LIMIT_MS = 30_000;

/** Does nothing if the tenant follows no change events. */
export async function followEvents(world: World): Promise<FollowedEvents> {
  if (world.runtime.tenant.salesforce.changes === 'outbound') return NOT_FOLLOWED;
  let isStill = false;
  let judged = 0;
  const missed: string[] = [];

  /** Follows until the stored place is at least the org's last event, or until the stream fails. */
  async function followToEnd(): Promise<void> {
    const sinceMs = world.clock.readMs();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const limit = setTimeout(() => reject(new Error('the stream of change events does not reach its end')), LIMIT_MS);
    const one = follow(world, world.ledger, {
      onGap: () => void world.startStream('sweepSalesforce'),
      onAnswer: () => void Promise.all([place(), lastEvent()]).then(([is, wanted]) => is >= wanted && resolve()),
    });
    if ((await place()) < 0) {
      // The stream shows later events only; a sweep finds what earlier ones announced.
      judged = await lastEvent();
      await Promise.race([one.opened().then(touch), one.ended()]);
    }
    await Promise.race([promise, one.ended()]).finally(() => clearTimeout(limit));
    await one.end();
    await judge(sinceMs);
  }

  /** Checks that each event before the stored place has marked its deals due. */
  async function judge(sinceMs: number): Promise<void> {
    const reached = await place();
    const taken = (await world.crm.changeEvents()).filter(({ replayId }) => replayId > judged && replayId <= reached);
    judged = Math.max(judged, reached);
    for (const event of taken) {
      const deals = await world.ledger.activeCrmIds(world.tenant, dealsOf(event));
      const late = deals.filter((id) => (world.result.lastMs(id) ?? 0) < sinceMs);
      missed.push(
        ...late.map((id) => `EVT: ${event.entityName} ${event.changeType} of ${id} is taken, and wakes nothing`),
      );
    }
  }

  /** The stored replay id; -1 if there is none. */
  async function place(): Promise<number> {
    const { replayId } = await changesOf(world);
    return replayId == null ? -1 : Number(Buffer.from(replayId, 'base64').readBigUInt64BE());
  }

  /** A change that concerns no deal, for the stream's first answer. */
  async function touch(): Promise<void> {
    await world.crm.create('Contact', { LastName: 'Nobody' });
  }

  async function lastEvent(): Promise<number> {
    return (await world.crm.changeEvents()).at(-1)?.replayId ?? -1;
  }

  /** Moves the stored place back to the middle of the stored events, as a restored backup does. */
  async function goBack(): Promise<void> {
    const { ledger, tenant, clock } = world;
    const events = await world.crm.changeEvents();
    const earlier = events[Math.floor(events.length / 2)]?.replayId;
    if (earlier === undefined || earlier >= (await place())) return;
    const bytes = Buffer.alloc(10);
    bytes.writeBigUInt64BE(BigInt(earlier));
    await ledger.holdCursor(tenant, CHANGES_CURSOR, 'a restored backup', clock.now());
    const position = { replayId: bytes.toString('base64') };
    await ledger.markDue(tenant, [], clock.now(), { stream: CHANGES_CURSOR, position, holder: 'a restored backup' });
  }

  await followToEnd();
  return {
    catchUp: async () => {
      if (!isStill && ((await place()) < 0 || (await lastEvent()) > (await place()))) await followToEnd();
    },
    happen: async (what) => {
      if (what === 'stand still' || what === 'go on') isStill = what === 'stand still';
      else if (what === 'twice') await goBack();
      else if (what === 'gap') await world.crm.gapEvents(1);
      else await world.crm.restartEvents();
    },
    missed: () => missed.splice(0),
  };
}

/** The deals that an event of another than Lockstep names, of those objects whose events name deals. */
function dealsOf({ entityName, recordIds, changeOrigin, changed, changeType, values, besides }: StoredEvent): string[] {
  if (changeOrigin.endsWith('client=lockstep')) return [];
  if (entityName === 'Opportunity') return [...recordIds];
  const parent = values['OpportunityId'] ?? besides?.['OpportunityId'];
  // A save without a change still sets the stamps of the row.
  const isSame = changeType === 'UPDATE' && changed.every((name) => /^LastModified|^SystemModstamp$/.test(name));
  return typeof parent !== 'string' || isSame ? [] : [parent];
}
