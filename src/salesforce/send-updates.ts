import type { CrmFields, CrmWrite } from '../domain/record/crm-graph.ts';
import { unstableForMs } from '../domain/values/crm-stamp.ts';
import { crmError } from './classify.ts';
import type { Load, SubAnswer, SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences } from './references.ts';
import { oneSyncRequest, type SyncRow } from './report.ts';
import type { GraphAnswer } from './send-graphs.ts';
import { isoInstant } from './soql.ts';

/** A write, with the time of its read and the fields of its sync row. The sync row already exists. */
export type Update = {
  readonly write: CrmWrite;
  readonly readAt: string | null;
  readonly sync: CrmFields | null;
};

/** Whether a write only changes fields of the opportunity, and so is a single sub-request. */
export function isUpdate({ opportunity, lines, account }: CrmWrite): boolean {
  const { create, update, delete: gone } = lines;
  const accountFields = Object.keys(account?.fields ?? {}).length;
  return Object.keys(opportunity).length > 0 && create.length + update.length + gone.length + accountFields === 0;
}

/**
 * Builds updates as sub-requests of one request. Each has its own `If-Unmodified-Since` and its own answer. A failed one undoes no other.
 */
export function updateLoad(updates: readonly Update[]): Load<readonly (null | CrmError)[]> {
  const sent = sendable(updates);
  return {
    requests: sent.map(({ write }, place) => updateRequest(write, place)),
    read: ({ parts }) => {
      const answers = new Map(sent.map((update, place) => [update, answerOf(parts[place])]));
      return updates.map((update) => unsendable(update) ?? answers.get(update) ?? null);
    },
  };
}

/**
 * The outcome of an update in a composite graph. `left`: nothing was decided, because the graph failed without an error of this update, or
 * was not started.
 */
export type GraphOutcome = null | CrmError | 'left';

/**
 * Builds updates of several records as composite graphs of one request. A graph contains the conditional update and its sync row, which are
 * applied both or not at all.
 */
export function updateGraphs(updates: readonly Update[]): {
  readonly graphs: readonly (readonly SubRequest[])[];
  readonly read: (answers: readonly GraphAnswer[]) => readonly GraphOutcome[];
} {
  const sent = sendable(updates);
  return {
    graphs: sent.map(({ write, sync }, place) => {
      const row = { opportunityId: write.opportunityId, sync: sync ?? {}, hasRow: true };
      const along = sync === null ? [] : [oneSyncRequest(row, `sync${place}`)];
      return [updateRequest(write, place), ...along];
    }),
    read: (answers) => {
      const outcomes = new Map(sent.map((update, place) => [update, outcomeOf(answers[place])]));
      return updates.map((update) => unsendable(update) ?? outcomes.get(update) ?? null);
    },
  };
}

/** Returns the outcome of a composite graph. A failed graph changed nothing, even if some of its nodes report success. */
function outcomeOf(graph: GraphAnswer | undefined): GraphOutcome {
  const [update] = graph?.parts ?? [];
  if (graph === undefined || update === undefined) return crmError('transient', 'MALFORMED_ANSWER');
  if (update.error !== null) return update.error;
  return graph.isApplied && update.status < 400 ? null : 'left';
}

export function rowsAlong(updates: readonly Update[]): readonly SyncRow[] {
  return sendable(updates).flatMap(({ write: { opportunityId }, sync }) =>
    sync === null ? [] : [{ opportunityId, sync, hasRow: true }],
  );
}

/** Returns those of the updates that may share a request with other updates. */
export function sendable(updates: readonly Update[]): readonly Update[] {
  return updates.filter((update) => unsendable(update) === null);
}

/** Returns why an update may not share a request with others; null if it may. */
function unsendable(update: Update): CrmError | null {
  return tooEarly(update) ?? refusedReferences([update.write.opportunity]);
}

/**
 * Returns a `stale` error if a save in the second of the read may have been missed, which no condition detects; the record must be read
 * again after `retryAfterMs`. Null if the read is late enough.
 */
export function tooEarly({ write, readAt }: Update): CrmError | null {
  const retryAfterMs = unstableForMs(isoInstant(write.ifUnmodifiedSince), readAt);
  return retryAfterMs === 0 ? null : crmError('stale', 'READ_TOO_EARLY', { retryAfterMs });
}

function answerOf(part: SubAnswer | undefined): null | CrmError {
  if (part === undefined) return crmError('transient', 'MALFORMED_ANSWER');
  if (part.status < 400) return null;
  return part.error ?? crmError('transient', 'PROCESSING_HALTED');
}

function updateRequest({ opportunityId, ifUnmodifiedSince, opportunity }: CrmWrite, place: number): SubRequest {
  return {
    method: 'PATCH',
    path: `/sobjects/Opportunity/${opportunityId}`,
    referenceId: `opportunity${place}`,
    body: opportunity,
    headers: { 'If-Unmodified-Since': new Date(isoInstant(ifUnmodifiedSince)).toUTCString() },
  };
}
