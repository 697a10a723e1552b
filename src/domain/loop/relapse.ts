import type { OperationGroup } from './operation-groups.ts';

const HOUR_MS = 3_600_000;

/**
 * What is known of the relapses of an operation group (requests that fail together). In a relapse, the group's probes (test requests)
 * succeed, but soon afterwards its real requests are refused again. Probes miss such faults, for example a key that lacks one permission.
 * Each relapse doubles the time before the next probe, so that the tenant's work does not start and stop all day.
 */
export type Relapses = {
  /**
   * When a probe (test request) last found that the operation group (requests that fail together) worked again, ISO; null if it never did.
   */
  readonly liftedAt: string | null;
  /**
   * How long Lockstep sends no probe (test request) after the last relapse, in milliseconds. A relapse is a renewed refusal of the
   * operation group (requests that fail together).
   */
  readonly heldMs: number;
  /** The instant, ISO, before which Lockstep sends no probe (test request) of the operation group (requests that fail together). */
  readonly heldUntil: string;
  /** The refused request that caused the last pause of the operation group (requests that fail together); absent if unknown. */
  readonly met?: MetRefusal;
  /**
   * Ids of requests that the remote system refused although it accepted other requests of the operation group (requests that fail
   * together), newest last. Such a refusal concerns only the one request.
   */
  readonly asides?: readonly string[];
};

/**
 * A refused request. `request`: the id of the record, order or stream that the request was about. `cause`: the remote system's answer, in
 * codes. `at`: when the request was refused, ISO.
 */
export type MetRefusal = { readonly request: string; readonly cause: string; readonly at: string };

/**
 * For each operation group (requests that fail together), the ledger (Lockstep's database) stores at most this many ids of requests that
 * were refused alone, while others succeeded. If such a request is refused again, Lockstep probes the group before it pauses the group (see
 * `isSuspect`).
 */
const MOST_ASIDES = 50;
/**
 * The longest time, in ms, from a refusal of a request to a pause that this refusal may have caused. The pause concerns the request's
 * operation group (requests that fail together). An older refusal belongs to an earlier problem, so it does not count as the cause.
 */
const JUST_MET_MS = 60_000;

/**
 * Whether a refusal may concern only this one request, so that Lockstep must probe whether its operation group (requests that fail
 * together) works. True in two cases:
 *
 * - This request was refused before, while others succeeded.
 * - The group was found to work again within the last hour, and the refusal has the same answer as the refusal that caused the group's last
 *   pause. In addition, this request caused that pause, so that the request itself may be at fault; or other requests were refused alone,
 *   so that the remote system is known to refuse single requests.
 *
 * Pure.
 */
export function isSuspect(known: Relapses | null, { request, cause, at }: MetRefusal): boolean {
  if (known === null) return false;
  const { liftedAt, met, asides = [] } = known;
  if (asides.includes(request)) return true;
  const wasWell = liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= HOUR_MS;
  if (!wasWell || met?.cause !== cause) return false;
  return met.request === request || asides.length > 0;
}

/**
 * Adds a request that was refused alone (while others succeeded) to the data about the relapses (renewed refusals) of an operation group
 * (requests that fail together). If the same request is refused again, Lockstep then probes the group before it pauses the group (see
 * `isSuspect`). The newest fifty such requests are kept. Null if there are no such data.
 */
export function withAside(known: Relapses | null, request: string): Relapses | null {
  if (known === null) return null;
  const others = (known.asides ?? []).filter((aside) => aside !== request);
  return { ...known, asides: [...others, request].slice(-MOST_ASIDES) };
}

/**
 * The name of the cursor in the ledger (Lockstep's database) that stores the last refused request of an operation group (requests that fail
 * together).
 */
export function metRefusalOf(group: OperationGroup): string {
  return `refused ${group}`;
}

const [FIRST_HOLD_MS, LONGEST_HOLD_MS] = [60_000, 4 * HOUR_MS];

/**
 * The data to store about relapses (renewed refusals) after an operation group (requests that fail together) was refused again at `at`
 * (ISO). A relapse with an unchanged cause doubles the delay of the next probe (test request). `met`: the refused request, if known.
 * `holds`: false if the next probe must come without a delay. A group needs this if the remote system may refuse single requests, because
 * only a probe shows whether its other requests work. Pure.
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

/**
 * The name of the cursor in the ledger (Lockstep's database) that stores the relapses (renewed refusals) of an operation group (requests
 * that fail together). The cursor is deleted when an operator resumes the group.
 */
export function relapsesOf(group: OperationGroup): string {
  return `relapses ${group}`;
}
