import type { CrmFields } from '../domain/record/crm-graph.ts';
import { crmError } from './classify.ts';
import { failureOf, type SubRequest, sendComposite } from './composite.ts';
import type { CrmNotice } from './crm.ts';
import type { RestCall, Session } from './session.ts';

/** What is told stands here by its key, which the org takes once. */
const NOTICE = 'Vendor_Order_Notice__c';
const KEY = 'Notice_Key__c';
const REFERENCE = 'notice';

/**
 * Makes a row that tells people something, and in one transaction with it the row of its key. Where the answer of an earlier try was
 * lost the org has the key, refuses it, and makes neither. Throws `CrmError` for every other failure.
 */
export async function notifyOnce(
  session: Session,
  { key, object, fields }: CrmNotice,
  call: RestCall,
): Promise<void> {
  const requests = [made(NOTICE, REFERENCE, { Name: key, [KEY]: key }), made(object, 'told', fields)];
  const failure = failureOf(await sendComposite(session, requests, { ...call, allOrNone: true }));
  if (failure === null) return;
  if (failure.referenceId === REFERENCE && failure.error?.code === 'DUPLICATE_VALUE') return;
  throw failure.error ?? crmError('transient', 'MALFORMED_ANSWER');
}

function made(object: string, referenceId: string, body: CrmFields): SubRequest {
  return { method: 'POST', path: `/sobjects/${object}`, referenceId, body };
}
