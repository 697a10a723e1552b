import { createRandom, type Random } from '../../core/random.ts';
import { ORDER_STATUSES, V1_ONLY_STATUS } from '../order/codes.ts';

const DAY_MS = 86_400_000;
/** Orders lie within this many days before the instant of the seed. */
const HISTORY_DAYS = 180;
/** Types of the first orders of every world. They are all from the last two days, so that short search windows find orders. */
const FRESH_TYPES = ['PO', 'RN', 'PO'] as const;
const FRESH_DAYS = 2;
const STATUSES = Object.keys(ORDER_STATUSES);
/** The share of orders in the legacy status. */
const LEGACY_SHARE = 0.01;

/** The searchable part of a generated order, cheap enough to make a hundred thousand at the start. */
export type Sketch = {
  readonly id: string;
  readonly type: 'PO' | 'RN';
  readonly status: string;
  readonly creationMs: number;
  /** Booking time; NaN while the order is not booked. */
  readonly bookingMs: number;
  readonly lastUpdateMs: number;
  readonly reference: string;
  /** One entry for each charge condition: its seat, if it has one, and the installed bases of its lines. */
  readonly conditions: readonly { readonly seat: string | undefined; readonly bases: readonly string[] }[];
};

/** Wanted values of an order. The generator chooses the others. `createdMs` is the time of its creation. */
export type WantedOrder = {
  readonly type?: 'PO' | 'RN';
  readonly status?: string;
  readonly createdMs?: number;
};

/** Applies wanted values to a sketch. An order created at a given instant is unchanged since, and booked if approved. */
export function withWanted(sketch: Sketch, index: number, wanted: WantedOrder): Sketch {
  const type = wanted.type ?? sketch.type;
  const status = wanted.status ?? sketch.status;
  const { createdMs } = wanted;
  return {
    ...sketch,
    id: idOf(type, index),
    type,
    status,
    ...(createdMs !== undefined && {
      creationMs: createdMs,
      bookingMs: status === 'APP' ? createdMs : Number.NaN,
      lastUpdateMs: createdMs,
    }),
  };
}

function idOf(type: 'PO' | 'RN', index: number): string {
  return `${type}-${String(index + 1).padStart(8, '0')}`;
}

/** The sketch of one order. The same seed, index and instant give the same sketch. */
export function sketchOrder(seed: number | string, index: number, nowMs: number): Sketch {
  const random = createRandom(`order:${seed}:${index}`);
  const isFresh = index < FRESH_TYPES.length;
  const type = FRESH_TYPES[index] ?? (random.next() < 0.7 ? 'PO' : 'RN');
  const status = pickStatus(random, type);
  const ageDays = isFresh ? random.next() * FRESH_DAYS : random.next() * HISTORY_DAYS;
  const creationMs = nowMs - 1000 - Math.floor(ageDays * DAY_MS);
  const bookingMs = creationMs + Math.floor(random.next() * (nowMs - creationMs) * 0.5);
  const isBooked = status === 'APP';
  const updatedMs = creationMs + Math.floor(random.next() * (nowMs - creationMs));
  const isOnline = random.next() < 0.5;
  return {
    id: idOf(type, index),
    type,
    status,
    creationMs,
    bookingMs: isBooked ? bookingMs : Number.NaN,
    lastUpdateMs: isBooked ? Math.max(bookingMs, updatedMs) : updatedMs,
    reference: `REF-${String(index + 1).padStart(6, '0')}`,
    conditions: Array.from({ length: random.integer(1, 2) }, () => ({
      seat: isOnline ? `R${random.integer(1, 99_999)}OI` : undefined,
      bases: Array.from({ length: random.integer(1, 2) }, () => {
        return `IB-${String(random.integer(1, 9_999)).padStart(6, '0')}`;
      }),
    })),
  };
}

function pickStatus(random: Random, type: 'PO' | 'RN'): string {
  const drawn = random.next();
  if (drawn < LEGACY_SHARE) return V1_ONLY_STATUS;
  if (drawn < 0.5) return 'APP';
  if (type === 'RN' && drawn < 0.65) return 'FRST';
  return random.pick(STATUSES);
}
