import type { OperationGroup } from './operation-groups.ts';

const HOUR_MS = 3_600_000;

/**
 * What is known of an operation group's relapses. In a relapse, the group's probes succeed, but soon afterwards its real work is refused
 * again. Probes miss such faults, for example a key that lacks one permission. Each relapse doubles the time before the next probe, so that
 * the tenant's work does not start and stop all day.
 */
export type Relapses = {
  /** When a probe last found that the group worked again, ISO; null if it never did. */
  readonly liftedAt: string | null;
  /** How long after the last relapse no probe is sent, in milliseconds. */
  readonly heldMs: number;
  /** The instant before which no probe is sent, ISO. */
  readonly heldUntil: string;
  /** The request whose refusal caused the last pause; absent if unknown. */
  readonly met?: MetRefusal;
  /** Ids of requests that a remote refused while it accepted other requests of the operation group, newest last. */
  readonly asides?: readonly string[];
};

/** A refused request. `request`: the id of a record, an order or a stream; `cause`: the remote's answer, in codes. */
export type MetRefusal = { readonly request: string; readonly cause: string; readonly at: string };

/** How many ids of requests that were refused alone the ledger stores for each operation group. */
const MOST_ASIDES = 50;
/** A refusal counts as the cause of a pause if it came at most this long before the pause, in ms. */
const JUST_MET_MS = 60_000;

/**
 * Whether a refusal may concern only this one request, so that Lockstep must probe whether the operation group works. True if this request
 * was refused before while others succeeded. Within an hour after a recovery, also true if the cause is the cause of the last pause and one
 * of two things holds: that pause came from this request, or some requests were refused alone. Pure.
 */
export function isSuspect(known: Relapses | null, { request, cause, at }: MetRefusal): boolean {
  if (known === null) return false;
  const { liftedAt, met, asides = [] } = known;
  if (asides.includes(request)) return true;
  const wasWell = liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= HOUR_MS;
  if (!wasWell || met?.cause !== cause) return false;
  return met.request === request || asides.length > 0;
}

/** Adds a request that was refused alone to what is stored about an operation group's relapses. The newest fifty such requests are kept. */
export function withAside(known: Relapses | null, request: string): Relapses | null {
  if (known === null) return null;
  const others = (known.asides ?? []).filter((aside) => aside !== request);
  return { ...known, asides: [...others, request].slice(-MOST_ASIDES) };
}

/** The ledger's cursor name for an operation group's last refused request. */
export function metRefusalOf(group: OperationGroup): string {
  return `refused ${group}`;
}

const [FIRST_HOLD_MS, LONGEST_HOLD_MS] = [60_000, 4 * HOUR_MS];

/**
 * What to store about relapses of an operation group whose work is refused again. A relapse with the same cause doubles the delay of the
 * next probe. `met`: the refused request, if known. `holds`: false if the next probe must come at once; if a group may refuse single
 * requests, only a probe shows whether its other requests work. Pure.
 */
export function relapsesAfter(
  known: Relapses | null,
  at: string,
  { met, holds = true }: { readonly met?: MetRefusal | null; readonly holds?: boolean } = {},
): Relapses {
  const liftedAt = known?.liftedAt ?? null;
  const before = known?.heldMs ?? 0;
  const isSameCause = !met || known?.met === undefined || known.met.cause === met.cause;
  const isRelapse = liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= Math.max(HOUR_MS, 2 * before);
  const isHeld = holds && isSameCause && isRelapse;
  const heldMs = isHeld ? Math.min(LONGEST_HOLD_MS, Math.max(FIRST_HOLD_MS, 2 * before)) : 0;
  const isJustMet = met && Date.parse(at) - Date.parse(met.at) <= JUST_MET_MS;
  return {
    ...{ liftedAt, heldMs, heldUntil: new Date(Date.parse(at) + heldMs).toISOString() },
    ...(isJustMet ? { met } : {}),
    ...(known?.asides === undefined ? {} : { asides: known.asides }),
  };
}

/** The ledger's cursor name for an operation group's relapses. When an operator resumes the group, they are deleted. */
export function relapsesOf(group: OperationGroup): string {
  return `relapses ${group}`;
}
