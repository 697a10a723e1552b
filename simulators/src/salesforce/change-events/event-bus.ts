import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { ChangeEvent } from './change-event.ts';

/** A position in the stream: an event, or null for a position without one. */
export type Place = {
  readonly replayId: number;
  /** When the position was created, in epoch milliseconds of the simulator's clock. */
  readonly atMs: number;
  /** The event's own id, a UUID. */
  readonly id: string;
  readonly event: ChangeEvent | null;
};

export type BusState = { readonly last: number; readonly places: readonly Place[] };

/** The change events of the last 72 hours, in the order of their commits (Pub/Sub API: Event Message Durability). */
export interface EventBus {
  publish(events: readonly ChangeEvent[]): void;
  /** The events after a stored position, in order; undefined if the position is not stored. */
  after(replayId: number): readonly Place[] | undefined;
  all(): readonly Place[];
  /** The replay id of the newest position. If that position is older than the keepalive interval, adds a new position first. */
  tip(): number;
  /** Calls the listener after each publication, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Deletes all events, as when an org moves. Earlier replay ids become invalid. */
  clear(): void;
  snapshot(): BusState;
  load(state: BusState): void;
}

export const RETENTION_MS = 72 * 3_600_000;
const FRESH_MS = 270_000;

/** The largest gap between replay ids, which are not contiguous in real orgs either. */
const LARGEST_STEP = 40;
const FIRST_BELOW = 9_000_000;

export function createEventBus(clock: Clock, changed: () => void): EventBus {
  let last = randomInt(FIRST_BELOW);
  let places: Place[] = [];
  const listeners = new Set<() => void>();
  const nowMs = () => clock.now().getTime();
  const kept = (): readonly Place[] => {
    const oldest = nowMs() - RETENTION_MS;
    if ((places[0]?.atMs ?? oldest) < oldest) places = places.filter(({ atMs }) => atMs >= oldest);
    return places;
  };
  const add = (event: ChangeEvent | null): void => {
    last += randomInt(1, LARGEST_STEP);
    places.push({ replayId: last, atMs: nowMs(), id: randomUUID(), event });
    changed();
  };
  return {
    publish: (events) => {
      for (const event of events) add(event);
      if (events.length > 0) for (const listener of listeners) listener();
    },
    after: (replayId) => {
      const at = kept().findIndex((place) => place.replayId === replayId);
      return at < 0 ? undefined : places.slice(at + 1);
    },
    all: kept,
    tip: () => {
      const newest = kept().at(-1);
      if (newest === undefined || nowMs() - newest.atMs >= FRESH_MS) add(null);
      return last;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => {
      places = [];
    },
    snapshot: () => ({ last, places: [...kept()] }),
    load: (state) => {
      // Continues after the last id, because no id may be used twice.
      last = Math.max(last, state.last);
      places = [...state.places];
    },
  };
}

/** A replay id as the API writes it: eight bytes, the highest first, and two more. */
export function writeReplayId(replayId: number): Buffer {
  const bytes = Buffer.alloc(10);
  bytes.writeBigUInt64BE(BigInt(replayId));
  return bytes;
}

/** The replay id in the bytes that a client sends back, with or without the last two bytes; NaN if they contain no replay id. */
export function readReplayId(bytes: Buffer): number {
  return bytes.length === 8 || bytes.length === 10 ? Number(bytes.readBigUInt64BE()) : Number.NaN;
}
