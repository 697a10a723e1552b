import type { OperationGroup } from './operation-groups.ts';

const HOUR_MS = 3_600_000;

/**
 * Relapses of a group: it answers its probes, but refuses its work soon after. Probes do not find such a fault, such as a key without one
 * permission. Each relapse doubles the time before the next probe, so that the tenant's work does not start and stop all day.
 */
export type Relapses = {
  /** When a probe last found that the group had recovered, ISO; null if it never did. */
  readonly liftedAt: string | null;
  /** How long probes are suspended after the relapse, in milliseconds. */
  readonly heldMs: number;
  /** No probe before this instant, ISO. */
  readonly heldUntil: string;
  /** The request whose refusal caused the last pause; absent if unknown. */
  readonly met?: MetRefusal;
  /** Requests that the group refuses singly while it works, newest last. */
  readonly asides?: readonly string[];
};

/** A refused request. `request`: the id of a record, an order or a stream; `cause`: the remote's answer, in codes. */
export type MetRefusal = { readonly request: string; readonly cause: string; readonly at: string };

/** The most singly refused requests that are remembered. */
const MOST_ASIDES = 50;
/** A refusal at most this long before a pause counts as its cause. */
const JUST_MET_MS = 60_000;

/**
 * Whether a refusal may concern its request only, so that a probe must decide. So if the request was refused singly before; or if the group
 * had recovered within the hour and now refuses this request again, or another for the cause of a single refusal. Pure.
 */
export function isSuspect(known: Relapses | null, { request, cause, at }: MetRefusal): boolean {
  if (known === null) return false;
  const { liftedAt, met, asides = [] } = known;
  if (asides.includes(request)) return true;
  const wasWell = liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= HOUR_MS;
  if (!wasWell || met?.cause !== cause) return false;
  return met.request === request || asides.length > 0;
}

/** Adds a singly refused request to a group's relapses. */
export function withAside(known: Relapses | null, request: string): Relapses | null {
  if (known === null) return null;
  const others = (known.asides ?? []).filter((aside) => aside !== request);
  return { ...known, asides: [...others, request].slice(-MOST_ASIDES) };
}

/** The ledger's cursor name for a group's last refused request. */
export function metRefusalOf(group: OperationGroup): string {
  return `refused ${group}`;
}

const [FIRST_HOLD_MS, LONGEST_HOLD_MS] = [60_000, 4 * HOUR_MS];

/**
 * The relapses to store for a group that has just begun to refuse its work. `met`: the refused request, if known. `holds`: whether probes
 * may be suspended; false for a group that refuses requests singly, where a probe decides. The suspension doubles only if the cause is
 * unchanged. Pure.
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

/** The ledger's cursor name for a group's relapses. An operator's resume deletes them. */
export function relapsesOf(group: OperationGroup): string {
  return `relapses ${group}`;
}
