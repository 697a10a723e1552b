import type { CrmFields, CrmWrite } from '../domain/record/crm-graph.ts';
import { unstableForMs } from '../domain/values/crm-stamp.ts';
import { crmError } from './classify.ts';
import type { Load, SubAnswer, SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences } from './references.ts';
import { oneSyncRequest, type SyncRow } from './report.ts';
import type { GraphAnswer } from './send-graphs.ts';
import { isoInstant } from './soql.ts';

/**
 * A write of an opportunity. `readAt`: when the version on which the write is based was read; if null, the version's own timestamp is
 * assumed. `sync`: the fields to write to the opportunity's sync row (`Lockstep_Sync__c`); null if the row is not written. The caller sets
 * `sync` only if an earlier report has created the row, because the request cannot create it.
 */
export type Update = {
  readonly write: CrmWrite;
  readonly readAt: string | null;
  readonly sync: CrmFields | null;
};

/** Whether a write changes only fields of the opportunity, so that it is a single sub-request. */
export function isUpdate({ opportunity, lines, account }: CrmWrite): boolean {
  const { create, update, delete: gone } = lines;
  const accountFields = Object.keys(account?.fields ?? {}).length;
  return Object.keys(opportunity).length > 0 && create.length + update.length + gone.length + accountFields === 0;
}

/**
 * Converts updates to sub-requests of one composite request. Each sub-request has its own `If-Unmodified-Since` and its own answer. If one
 * fails, the others still apply.
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
 * The result for an update in a composite graph: null if it was applied, its error, or `left`. `left`: the update itself did not fail, but
 * the graph was not applied, so the update must be sent again.
 */
export type GraphOutcome = null | CrmError | 'left';

/**
 * Converts updates of several records to composite graphs of one request. A graph contains one update with its condition, and the write of
 * the record's sync row (`Lockstep_Sync__c`). Both are applied, or neither.
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

/**
 * The result of the update in a composite graph. If the graph failed, nothing in it was changed, even if some of its nodes report success.
 */
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

/**
 * The updates that are sent. Each other update gets an error instead, because its record was read too soon after its last save, or because
 * Salesforce would take one of its values for a reference (`@{…}`) to another sub-request.
 */
export function sendable(updates: readonly Update[]): readonly Update[] {
  return updates.filter((update) => unsendable(update) === null);
}

/**
 * The reason why an update may not share a request with other updates: the record was read too soon after its last save, or a value would
 * be taken for a reference. Null if it may.
 */
function unsendable(update: Update): CrmError | null {
  return tooEarly(update) ?? refusedReferences([update.write.opportunity]);
}

/**
 * A `stale` error if the record was read so soon after its last save that a further save in the same second may have been missed.
 * `If-Unmodified-Since` has only whole seconds and does not detect such a save. The record must be read again after `retryAfterMs`. Null if
 * it was read late enough.
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
