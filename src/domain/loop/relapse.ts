import type { OperationGroup } from './operation-groups.ts';

const HOUR_MS = 3_600_000;

/**
 * A group that answers its probes and refuses its work again soon after has a fault that no probe tells, such as a key that may not do one
 * thing. Each time it is left alone longer, so that its work does not go on and stop all day.
 */
export type Relapses = {
  /** When a probe last found the group answering, ISO; null where none has. */
  readonly liftedAt: string | null;
  /** For how long it is, or was, left alone. */
  readonly heldMs: number;
  /** Until when nothing is asked of it, ISO. */
  readonly heldUntil: string;
  /** The request that met the refusal by which it was paused last, where that is known. */
  readonly met?: MetRefusal;
  /** Requests that it refuses alone, the latest last. */
  readonly asides?: readonly string[];
};

/** A request that met a refusal. `request`: a record, an order or a stream, by its id; `cause`: what was answered, in codes. */
export type MetRefusal = { readonly request: string; readonly cause: string; readonly at: string };

/** So many requests that are refused alone are remembered. */
const MOST_ASIDES = 50;
/** A pause was met by what was refused so shortly before it. */
const JUST_MET_MS = 60_000;

/**
 * Whether a refusal may be of its request alone: its group was found well within the hour and falls by the same request again, or by
 * another for a cause for which one was refused alone; or this request was refused alone before. Only a probe tells then. Pure.
 */
export function isSuspect(known: Relapses | null, { request, cause, at }: MetRefusal): boolean {
  if (known === null) return false;
  const { liftedAt, met, asides = [] } = known;
  if (asides.includes(request)) return true;
  const wasWell = liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= HOUR_MS;
  if (!wasWell || met?.cause !== cause) return false;
  return met.request === request || asides.length > 0;
}

/** What is kept of a group once a request is known to be refused alone. */
export function withAside(known: Relapses | null, request: string): Relapses | null {
  if (known === null) return null;
  const others = (known.asides ?? []).filter((aside) => aside !== request);
  return { ...known, asides: [...others, request].slice(-MOST_ASIDES) };
}

/** Where the ledger keeps the request that met a group's refusal last, beside the cursors of streams. */
export function metRefusalOf(group: OperationGroup): string {
  return `refused ${group}`;
}

const [FIRST_HOLD_MS, LONGEST_HOLD_MS] = [60_000, 4 * HOUR_MS];

/**
 * What is to be kept of a group that refuses from now on. `met`: the request that met the refusal, where that is known. Its rest doubles
 * only where it falls for the same cause again, and only of a group that refuses no request alone: of the others a probe tells. Pure.
 */
export function relapsesAfter(
  known: Relapses | null,
  at: string,
  { met, holds = true }: { readonly met?: MetRefusal | null; readonly holds?: boolean } = {},
): Relapses {
  const liftedAt = known?.liftedAt ?? null;
  const before = known?.heldMs ?? 0;
  const isSameCause = !met || known?.met === undefined || known.met.cause === met.cause;
  const isRelapse =
    liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= Math.max(HOUR_MS, 2 * before);
  const isHeld = holds && isSameCause && isRelapse;
  const heldMs = isHeld ? Math.min(LONGEST_HOLD_MS, Math.max(FIRST_HOLD_MS, 2 * before)) : 0;
  const isJustMet = met && Date.parse(at) - Date.parse(met.at) <= JUST_MET_MS;
  return {
    ...{ liftedAt, heldMs, heldUntil: new Date(Date.parse(at) + heldMs).toISOString() },
    ...(isJustMet ? { met } : {}),
    ...(known?.asides === undefined ? {} : { asides: known.asides }),
  };
}

/** Where the ledger keeps it, beside the cursors of streams. A person's word forgets it. */
export function relapsesOf(group: OperationGroup): string {
  return `relapses ${group}`;
}
