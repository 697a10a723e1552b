import type { CrmFields, CrmWrite } from '../domain/record/crm-graph.ts';
import { unstableForMs } from '../domain/values/crm-stamp.ts';
import { crmError } from './classify.ts';
import type { Load, SubAnswer, SubRequest } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences } from './references.ts';
import { oneSyncRequest, type SyncRow } from './report.ts';
import type { GraphAnswer } from './send-graphs.ts';
import { isoInstant } from './soql.ts';

/** A write with what goes along. */
export type Update = {
  readonly write: CrmWrite;
  readonly readAt: string | null;
  readonly sync: CrmFields | null;
};

/** Whether a write is a single part: fields of the opportunity, and nothing else. */
export function isUpdate({ opportunity, lines, account }: CrmWrite): boolean {
  const { create, update, delete: gone } = lines;
  const accountFields = Object.keys(account?.fields ?? {}).length;
  return (
    Object.keys(opportunity).length > 0 && create.length + update.length + gone.length + accountFields === 0
  );
}

/**
 * Updates of several records as parts of one request; each is answered by itself, null or its error, and none undoes
 * another. Each rests on its own version, which `If-Unmodified-Since` carries.
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

/** What became of an update in a graph: `left` where it fell without a word about itself, or was not begun. */
export type GraphOutcome = null | CrmError | 'left';

/**
 * Updates of several records as graphs of one request: in each the update, on its condition, and what goes along of its child record,
 * which are done or undone together.
 */
export function updateGraphs(updates: readonly Update[]): {
  readonly graphs: readonly (readonly SubRequest[])[];
  readonly read: (answers: readonly GraphAnswer[]) => readonly GraphOutcome[];
} {
  const sent = sendable(updates);
  return {
    graphs: sent.map(({ write, sync }, place) => {
      const row = { opportunityId: write.opportunityId, sync: sync ?? {} };
      const along = sync === null ? [] : [oneSyncRequest(row, `sync${place}`)];
      return [updateRequest(write, place), ...along];
    }),
    read: (answers) => {
      const outcomes = new Map(sent.map((update, place) => [update, outcomeOf(answers[place])]));
      return updates.map((update) => unsendable(update) ?? outcomes.get(update) ?? null);
    },
  };
}

/** A graph that fell has changed nothing, whatever its parts are answered. */
function outcomeOf(graph: GraphAnswer | undefined): GraphOutcome {
  const [update] = graph?.parts ?? [];
  if (graph === undefined || update === undefined) return crmError('transient', 'MALFORMED_ANSWER');
  if (update.error !== null) return update.error;
  return graph.isApplied && update.status < 400 ? null : 'left';
}

/** What of the child records goes along with these updates. */
export function rowsAlong(updates: readonly Update[]): readonly SyncRow[] {
  return sendable(updates).flatMap(({ write: { opportunityId }, sync }) =>
    sync === null ? [] : [{ opportunityId, sync }],
  );
}

/** Those that may go along with others. */
export function sendable(updates: readonly Update[]): readonly Update[] {
  return updates.filter((update) => unsendable(update) === null);
}

/** What keeps an update from going along with others. */
function unsendable(update: Update): CrmError | null {
  return tooEarly(update) ?? refusedReferences([update.write.opportunity]);
}

/**
 * The error of a write whose reading may have missed a save of its stamp's own second, which no condition would tell:
 * `stale`, to be read again after `retryAfterMs`. Null where the reading is good.
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

function updateRequest(
  { opportunityId, ifUnmodifiedSince, opportunity }: CrmWrite,
  place: number,
): SubRequest {
  return {
    method: 'PATCH',
    path: `/sobjects/Opportunity/${opportunityId}`,
    referenceId: `opportunity${place}`,
    body: opportunity,
    headers: { 'If-Unmodified-Since': new Date(isoInstant(ifUnmodifiedSince)).toUTCString() },
  };
}
