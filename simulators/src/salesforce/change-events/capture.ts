import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { ObjectDef } from '../schema/types.ts';
import type { Change } from '../store/row.ts';
import { asGap, type ChangeEvent, changeEvents, type Enrichment, OVERFLOW_AFTER } from './change-event.ts';
import type { Channel } from './entities.ts';
import { createEventBus, type EventBus } from './event-bus.ts';
import { type EventSchema, eventSchema } from './event-schema.ts';
import { presentOrigin } from './origin.ts';

/** A subscriber's stream: its topic, and how many events it has still requested. */
export interface OpenStream {
  readonly topic: string;
  readonly userId: string;
  pending(): number;
}

/** Change Data Capture of an org: committed changes become events on a bus. */
export interface Capture {
  readonly bus: EventBus;
  /** The selected objects' schemas. */
  readonly schemas: readonly EventSchema[];
  readonly channels: readonly Channel[];
  readonly streams: Set<OpenStream>;
  /** Makes events of a transaction that has committed. */
  commit(changes: readonly Change[]): void;
  /** Makes the next `events` events gap events, whatever their content. */
  planGaps(events: number): void;
  /** How many gap events are still planned. */
  plannedGaps(): number;
}

/** An event that is larger becomes a gap event (Gap Events). */
const LARGEST_BYTES = 1_000_000;

export type CaptureOptions = {
  readonly clock: Clock;
  readonly selected: readonly ObjectDef[];
  readonly channels?: readonly Channel[];
  /** Called after each change of the stored events. */
  readonly changed?: () => void;
};

export function createCapture({ clock, selected, channels = [], changed = () => undefined }: CaptureOptions): Capture {
  const bus = createEventBus(clock, changed);
  const schemas = selected.map(eventSchema);
  const enrichment = enrichmentOf(channels);
  let gaps = 0;
  let lastCommit = 0;
  const finish = (event: ChangeEvent): ChangeEvent => {
    const schema = schemas.find(({ object }) => object.name === event.entityName);
    const isTooLarge = (schema?.encode(event, () => true).length ?? 0) > LARGEST_BYTES;
    if (gaps === 0) return isTooLarge ? asGap(event) : event;
    gaps -= 1;
    return asGap(event);
  };
  return {
    bus,
    schemas,
    channels,
    streams: new Set(),
    commit: (changes) => {
      if (schemas.length === 0) return;
      const ms = clock.now().getTime();
      // Grows with each commit, also after a restart.
      lastCommit = Math.max(lastCommit + 1, ms * 1000);
      const commit = {
        changeOrigin: presentOrigin(),
        transactionKey: randomUUID(),
        commitTimestamp: Math.floor(ms / 1000) * 1000,
        commitNumber: lastCommit,
      };
      const events = changeEvents(selected, changes, commit, OVERFLOW_AFTER, enrichment);
      bus.publish(events.map(finish));
    },
    planGaps: (events) => {
      gaps = events;
    },
    plannedGaps: () => gaps,
  };
}

function enrichmentOf(channels: readonly Channel[]): Enrichment {
  const all = new Map<string, string[]>();
  for (const [object, fields] of channels.flatMap(({ members }) => [...members]))
    all.set(object, [...new Set([...(all.get(object) ?? []), ...fields])]);
  return all;
}
