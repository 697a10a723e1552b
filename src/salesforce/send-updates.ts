import type { CrmFields, CrmWrite } from '../domain/record/crm-graph.ts';
import { untoldForMs } from '../domain/values/crm-stamp.ts';
import { crmError } from './classify.ts';
import { MAX_SUB_REQUESTS, type SubRequest, sendComposite } from './composite.ts';
import type { CrmError } from './errors.ts';
import { refusedReferences } from './references.ts';
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
 * another. Each rests on its own version, which `If-Unmodified-Since` carries.
 */
export async function sendUpdates(
  session: Session,
  updates: readonly Update[],
  call: RestCall,
): Promise<readonly (null | CrmError)[]> {
  const sent = updates.filter((update) => unsendable(update) === null);
  const answers = sent.length === 0 ? [] : await send(session, sent, call);
  const errors = new Map(sent.map((update, place) => [update, answers[place] ?? null]));
  return updates.map((update) => unsendable(update) ?? errors.get(update) ?? null);
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
  const retryAfterMs = untoldForMs(isoInstant(write.ifUnmodifiedSince), readAt);
  return retryAfterMs === 0 ? null : crmError('stale', 'READ_TOO_EARLY', { retryAfterMs });
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
