import { CrmError, type CrmErrorKind } from './errors.ts';
import type { GraphConditions } from './graph-conditions.ts';
import { sendGraphs } from './send-graphs.ts';
import { type GraphOutcome, sendable, type Update, updateGraphs } from './send-updates.ts';
import type { Session } from './session.ts';

type Outcomes = readonly (null | CrmError)[];

export type ManyTools = {
  readonly session: Session;
  readonly conditions: GraphConditions;
  /** How updates go that are no more than one composite request holds, in as many requests as it takes. */
  readonly inParts: (updates: readonly Update[], signal: AbortSignal) => Promise<Outcomes>;
};

/** A request of so many saves that takes longer may come to take more than a request may. */
const SLOW_MS = 10_000;
/** What a request fails of that may have been carried out, or that any other would fail of as well. */
const PASSING: ReadonlySet<CrmErrorKind> = new Set(['transient', 'throttled', 'systemic', 'busy', 'unknown']);

/**
 * Sends up to 75 updates as graphs of one request, where the org has shown that their conditions count there, and else in parts. Each is
 * answered by itself, null or its error, and none undoes another. What a graph did not carry out without a word about the
 * update, as where its child record was refused or the request ended before, goes in parts: on its condition, as it went before.
 */
export async function sendMany(
  { session, conditions, inParts }: ManyTools,
  updates: readonly Update[],
  signal: AbortSignal,
): Promise<Outcomes> {
  const ids = sendable(updates).map(({ write }) => write.opportunityId);
  if (!(await conditions.doCount(ids))) return inParts(updates, signal);
  const outcomes = await sendAsGraphs(session, conditions, updates, signal);
  const left = updates.filter((_, place) => outcomes[place] === 'left');
  const again = left.length === 0 ? [] : await inParts(left, signal);
  const later = new Map(left.map((update, place) => [update, again[place] ?? null]));
  return outcomes.map((outcome, place) =>
    outcome === 'left' ? (later.get(updates[place] as Update) ?? null) : outcome,
  );
}

/** Graphs are left for a while where they are slow, or the request itself is refused: of that no update is to blame. */
async function sendAsGraphs(
  session: Session,
  conditions: GraphConditions,
  updates: readonly Update[],
  signal: AbortSignal,
): Promise<readonly GraphOutcome[]> {
  const { graphs, read } = updateGraphs(updates);
  const sinceMs = performance.now();
  try {
    return read(await sendGraphs(session, graphs, { operation: 'applyWrite', signal }));
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    if (error.code === 'MALFORMED_ANSWER') conditions.leave();
    if (PASSING.has(error.kind)) throw error;
    conditions.leave();
    return updates.map(() => 'left');
  } finally {
    if (performance.now() - sinceMs > SLOW_MS) conditions.leave();
  }
}
