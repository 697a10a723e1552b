import { createRandom, type Random } from '../../core/random.ts';
import { ORDER_STATUSES, V1_ONLY_STATUS } from '../order/codes.ts';

const DAY_MS = 86_400_000;
/** Orders lie within this many days before the instant of the seed. */
const HISTORY_DAYS = 180;
/** Types of the first orders of every world: all of the last two days, so that the short windows show something. */
const FRESH_TYPES = ['PO', 'RN', 'PO'] as const;
const FRESH_DAYS = 2;
const STATUSES = Object.keys(ORDER_STATUSES);
/** How rare the legacy status is. */
const LEGACY_SHARE = 0.01;

/** What searches see of a generated order: cheap enough to make for a hundred thousand of them at the start. */
export type Sketch = {
  readonly id: string;
  readonly type: 'PO' | 'RN';
  readonly status: string;
  readonly creationMs: number;
  /** Not a number while the order is not booked. */
  readonly bookingMs: number;
  readonly lastUpdateMs: number;
  readonly reference: string;
  /** One entry a charge condition: its seat, if it has one, and the installed bases of its lines. */
  readonly conditions: readonly { readonly seat: string | undefined; readonly bases: readonly string[] }[];
};

/** What an order is to be, where that is not left to the generator; `createdMs` is when it was created. */
export type WantedOrder = {
  readonly type?: 'PO' | 'RN';
  readonly status?: string;
  readonly createdMs?: number;
};

/** The sketch as wanted: an order created at a known instant was not changed since, and is booked if it is approved. */
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

/** The sketch of one order; the same for the same seed, index and instant. */
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
