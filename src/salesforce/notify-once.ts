import type { CrmFields } from '../domain/record/crm-graph.ts';
import { crmError } from './classify.ts';
import { failureOf, type SubRequest, sendComposite } from './composite.ts';
import type { CrmNotice } from './crm.ts';
import type { RestCall, Session } from './session.ts';

/** The object that has one row for each sent notice, with the notice's unique key. */
const NOTICE = 'Vendor_Order_Notice__c';
const KEY = 'Notice_Key__c';
const REFERENCE = 'notice';

/**
 * Creates a row that informs a user and, in the same transaction, a row with the notice's key. If an earlier attempt succeeded but its
 * answer was lost, the org refuses the key and creates neither row; this counts as success. Throws `CrmError` for every other failure.
 */
export async function notifyOnce(session: Session, { key, object, fields }: CrmNotice, call: RestCall): Promise<void> {
  const own = { Name: key, [KEY]: key, ...(object === null ? fields : {}) };
  const requests = [made(NOTICE, REFERENCE, own), ...(object === null ? [] : [made(object, 'row', fields)])];
  const failure = failureOf(await sendComposite(session, requests, { ...call, allOrNone: true }));
  if (failure === null) return;
  if (failure.referenceId === REFERENCE && failure.error?.code === 'DUPLICATE_VALUE') return;
  throw failure.error ?? crmError('transient', 'MALFORMED_ANSWER');
}

function made(object: string, referenceId: string, body: CrmFields): SubRequest {
  return { method: 'POST', path: `/sobjects/${object}`, referenceId, body };
}
