import type { CrmFields, CrmWrite } from '../domain/record/crm-graph.ts';
import type { Batcher } from './batcher.ts';
import { crmError } from './classify.ts';
import { failureOf, MAX_SUB_REQUESTS, type SubAnswer, type SubRequest, sendComposite } from './composite.ts';
import {
  collectionRequest,
  createdPlace,
  LINE_OBJECT,
  MAX_COLLECTION_ROWS,
  newLineBody,
  offersOf,
  withoutId,
} from './line-rows.ts';
import type { OfferEntry, Offers } from './offers.ts';
import type { OpportunityHead } from './read-heads.ts';
import { syncRequest } from './report.ts';
import { tooEarly, type Update } from './send-updates.ts';
import type { RestCall, Session } from './session.ts';
import { isoInstant } from './soql.ts';

export type WriteTools = {
  readonly session: Session;
  readonly offers: Offers;
  readonly heads: Batcher<string, OpportunityHead | null>;
};

/**
 * Applies a write to an opportunity with its lines and account, if the opportunity still has the version (`SystemModstamp`) on which the
 * write is based. The write is applied completely or not at all. If it needs more than 25 sub-requests, it has one collection each for
 * deleted, changed and new lines. A user's edit of a line is not detected if the edit leaves the opportunity's version unchanged. Throws
 * `gone` if the opportunity does not exist, and `stale` if it has another version or if a line is gone. Also throws `stale` if the version
 * was read less than two seconds after the start of the second of its timestamp: `If-Unmodified-Since` has only whole seconds, so a later
 * save in that second could be missed. Throws UNKNOWN_OFFER if the offer of a new line has no active entry in the opportunity's price book.
 * If the opportunity has no price book, the standard price book is used.
 */
export async function applyWrite(tools: WriteTools, update: Update, call: RestCall): Promise<void> {
  const early = tooEarly(update);
  if (early !== null) throw early;
  const { write } = update;
  const head = await tools.heads.ask(write.opportunityId, call.signal);
  if (head === null) throw crmError('gone', 'NOT_FOUND');
  if (head.systemModstamp !== isoInstant(write.ifUnmodifiedSince)) throw crmError('stale', 'VERSION_MOVED');
  const entries = await tools.offers.require(offersOf(write.lines.create), head, call);
  const requests = writeRequests(write, opportunityBody(write, head, entries), entries);
  if (requests.length === 0) return;
  const answers = await sendWithSync(tools.session, requests, update, call);
  throwFailure(failureOf(answers), write);
}

/**
 * Sends the sub-requests of a write together with its sync row (`Lockstep_Sync__c`), all or none, and returns the answers to the write's own
 * sub-requests. If Salesforce refuses the sync row, it undoes the write too. The write is then sent once more without the sync row.
 */
async function sendWithSync(
  session: Session,
  requests: readonly SubRequest[],
  { write, sync }: Update,
  call: RestCall,
): Promise<readonly SubAnswer[]> {
  const atOnce = { ...call, allOrNone: true };
  if (sync === null) return sendComposite(session, requests, atOnce);
  const row = syncRequest([{ opportunityId: write.opportunityId, sync, hasRow: true }]);
  const answers = await sendComposite(session, [...requests, row], atOnce);
  const parts = answers.slice(0, requests.length);
  const isUndoneBySync = failureOf(parts)?.error === null && failureOf(answers)?.referenceId === row.referenceId;
  return isUndoneBySync ? sendComposite(session, requests, atOnce) : parts;
}

/**
 * The opportunity's fields in a write. If the write creates lines and the opportunity has no price book, the fields also set the price book
 * of the lines' entries, because Salesforce requires a price book on an opportunity with lines.
 */
function opportunityBody(write: CrmWrite, head: OpportunityHead, entries: ReadonlyMap<string, OfferEntry>): CrmFields {
  const [entry] = entries.values();
  if (entry === undefined || head.pricebookId !== null) return write.opportunity;
  return { Pricebook2Id: entry.pricebookId, ...write.opportunity };
}

function writeRequests(
  write: CrmWrite,
  opportunity: CrmFields,
  entries: ReadonlyMap<string, OfferEntry>,
): readonly SubRequest[] {
  const { account } = write;
  const create = write.lines.create.map((line) => newLineBody(line, write.opportunityId, entries));
  const others: SubRequest[] = [];
  if (account !== null && Object.keys(account.fields).length > 0) {
    const path = `/sobjects/Account/${account.id}`;
    others.push({ method: 'PATCH', path, referenceId: 'account', body: account.fields });
  }
  const single = singleLines(write, create);
  const fits = single.length + others.length + 2 <= MAX_SUB_REQUESTS;
  others.push(...(fits ? single : lineCollections(write, create)));
  const changes = Object.keys(opportunity).length > 0;
  if (!changes && others.length === 0) return [];
  return [opportunityRequest(write, changes ? opportunity : null), ...others];
}

/**
 * The sub-request that checks the opportunity's version and writes the opportunity's fields. If the write has no fields of the opportunity
 * (`body` is null), the sub-request only reads the opportunity, on the condition that its version is unchanged.
 */
function opportunityRequest(write: CrmWrite, body: CrmFields | null): SubRequest {
  const path = `/sobjects/Opportunity/${write.opportunityId}`;
  const headers = { 'If-Unmodified-Since': new Date(isoInstant(write.ifUnmodifiedSince)).toUTCString() };
  if (body !== null) return { method: 'PATCH', path, referenceId: 'opportunity', body, headers };
  return { method: 'GET', path: `${path}?fields=Id`, referenceId: 'opportunity', headers };
}

function singleLines(write: CrmWrite, create: readonly CrmFields[]): readonly SubRequest[] {
  const path = (id: unknown): string => `/sobjects/${LINE_OBJECT}/${String(id)}`;
  return [
    ...write.lines.delete.map((id) => ({ method: 'DELETE' as const, path: path(id) })),
    ...write.lines.update.map((row) => ({
      method: 'PATCH' as const,
      path: path(row['Id']),
      body: withoutId(row),
    })),
    ...create.map((body) => ({ method: 'POST' as const, path: `/sobjects/${LINE_OBJECT}`, body })),
  ].map((request, index) => ({ ...request, referenceId: `line${index}` }));
}

function lineCollections(write: CrmWrite, create: readonly CrmFields[]): readonly SubRequest[] {
  const { update, delete: ids } = write.lines;
  if (Math.max(create.length, update.length, ids.length) > MAX_COLLECTION_ROWS) {
    throw crmError('permanent', 'TOO_MANY_LINES');
  }
  const requests: SubRequest[] = [];
  if (ids.length > 0) {
    const path = `/composite/sobjects?ids=${ids.join(',')}&allOrNone=true`;
    requests.push({ method: 'DELETE', path, referenceId: 'lineDelete' });
  }
  if (update.length > 0) requests.push(collectionRequest('PATCH', LINE_OBJECT, update, 'lineUpdate'));
  if (create.length > 0) requests.push(collectionRequest('POST', LINE_OBJECT, create, 'lineCreate'));
  return requests;
}

function throwFailure(failure: SubAnswer | null, { lines }: CrmWrite): void {
  if (failure === null) return;
  const error = failure.error ?? crmError('transient', 'PROCESSING_HALTED');
  if (!failure.referenceId.startsWith('line')) throw error;
  // A missing line means that the opportunity's records have changed since they were read, not that the opportunity is gone.
  if (error.kind === 'gone') throw crmError('stale', error.code);
  const before = lines.delete.length + lines.update.length;
  throw error.ofPart({ of: 'line', created: createdPlace(failure.referenceId, before) });
}
