import { CrmError, type CrmErrorKind } from './errors.ts';
import type { GraphConditions } from './graph-conditions.ts';
import { sendGraphs } from './send-graphs.ts';
import { type GraphOutcome, sendable, type Update, updateGraphs } from './send-updates.ts';
import type { Session } from './session.ts';

type Outcomes = readonly (null | CrmError)[];

export type ManyTools = {
  readonly session: Session;
  readonly conditions: GraphConditions;
  /** Sends updates as sub-requests of composite requests, in as many requests as needed. */
  readonly inParts: (updates: readonly Update[], signal: AbortSignal) => Promise<Outcomes>;
};

/**
 * A request of composite graphs that takes longer than this, in ms, counts as slow. After a slow request, composite graphs are not used for
 * an hour, because a request with the maximum of 75 updates could come close to the time limit of a request.
 */
const SLOW_MS = 10_000;
/**
 * If a whole request to the Composite Graph resource fails, its updates are usually sent again at once, as parts of plain composite
 * requests. After an error of these kinds they are not: after `transient` and `unknown`, because Salesforce may have applied them; after
 * `throttled`, `systemic` and `busy`, because the second request would fail too.
 */
const PASSING: ReadonlySet<CrmErrorKind> = new Set(['transient', 'throttled', 'systemic', 'busy', 'unknown']);

/**
 * Sends up to 75 updates: as composite graphs if the org respects `If-Unmodified-Since` in them, otherwise as sub-requests of composite
 * requests. The result for each update is null or its error; if one update fails, the others still apply. A graph may fail for another
 * reason than its update: Salesforce refused the sync row (`Lockstep_Sync__c`) in the graph, did not start the graph, or refused the whole
 * request. The update is then sent again as a sub-request.
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

/**
 * Sends updates as composite graphs, and returns their results. Composite graphs are not used for an hour if the request was slow, if its
 * answer was malformed, or if Salesforce refused the whole request with an error that is not in `PASSING`.
 */
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
