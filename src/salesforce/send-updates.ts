import type { CrmFields, CrmWrite } from '../domain/record/crm-graph.ts';
import { crmError } from './classify.ts';
import { MAX_SUB_REQUESTS, type SubRequest, sendComposite } from './composite.ts';
import type { CrmError } from './errors.ts';
import { readHeads } from './read-heads.ts';
import { syncRequest } from './report.ts';
import type { RestCall, Session } from './session.ts';
import { isoInstant } from './soql.ts';

/** A write with what goes along. */
export type Update = {
  readonly write: CrmWrite;
  readonly readAt: string | null;
  readonly sync: CrmFields | null;
};

/** Updates of one request, beside the one part that takes all their child records. */
export const MAX_UPDATES = MAX_SUB_REQUESTS - 1;

/** The condition knows whole seconds, and clocks of one org differ by less than this. */
const SAME_SECOND_MS = 2_000;

/** Whether a write is a single part: fields of the opportunity, and nothing else. */
export function isUpdate({ opportunity, lines, account }: CrmWrite): boolean {
  const { create, update, delete: gone } = lines;
  const accountFields = Object.keys(account?.fields ?? {}).length;
  return (
    Object.keys(opportunity).length > 0 && create.length + update.length + gone.length + accountFields === 0
  );
}

/**
 * Sends updates of several records as one request; each is answered by itself, null or its error, and none undoes
 * another. Each rests on its own version: `If-Unmodified-Since` tells it from any later second's, so the exact version
 * is compared beforehand only where it was read within its own second.
 */
export async function sendUpdates(
  session: Session,
  updates: readonly Update[],
  { multiCurrency, call }: { readonly multiCurrency: boolean; readonly call: RestCall },
): Promise<readonly (null | CrmError)[]> {
  const moved = await movedOn(session, updates, multiCurrency, call);
  const sent = updates.filter((update) => !moved.has(update));
  const answers = sent.length === 0 ? [] : await send(session, sent, call);
  const errors = new Map(sent.map((update, place) => [update, answers[place] ?? null]));
  return updates.map((update) => moved.get(update) ?? errors.get(update) ?? null);
}

async function movedOn(
  session: Session,
  updates: readonly Update[],
  multiCurrency: boolean,
  call: RestCall,
): Promise<ReadonlyMap<Update, CrmError>> {
  const young = updates.filter(isYoung);
  if (young.length === 0) return new Map();
  const ids = young.map(({ write }) => write.opportunityId);
  const heads = await readHeads(session, ids, multiCurrency, call);
  const errors = new Map<Update, CrmError>();
  for (const [place, update] of young.entries()) {
    const head = heads[place] ?? null;
    if (head === null) errors.set(update, crmError('gone', 'NOT_FOUND'));
    else if (head.systemModstamp !== isoInstant(update.write.ifUnmodifiedSince))
      errors.set(update, crmError('stale', 'VERSION_MOVED'));
  }
  return errors;
}

/** Whether the version may have changed again within the second that the condition can tell. */
function isYoung({ write, readAt }: Update): boolean {
  if (readAt === null) return true;
  return Date.parse(readAt) - Date.parse(isoInstant(write.ifUnmodifiedSince)) < SAME_SECOND_MS;
}

async function send(
  session: Session,
  updates: readonly Update[],
  call: RestCall,
): Promise<readonly (null | CrmError)[]> {
  const syncs = updates.flatMap(({ write, sync }) =>
    sync === null ? [] : [{ opportunityId: write.opportunityId, sync }],
  );
  const requests = [
    ...updates.map(({ write }, place) => updateRequest(write, place)),
    ...(syncs.length === 0 ? [] : [syncRequest(syncs)]),
  ];
  const answers = await sendComposite(session, requests, { ...call, allOrNone: false });
  return updates.map((_, place) => {
    const answer = answers[place];
    if (answer === undefined) return crmError('transient', 'MALFORMED_ANSWER');
    if (answer.status < 400) return null;
    return answer.error ?? crmError('transient', 'PROCESSING_HALTED');
  });
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
