import type { CrmCreate } from '../domain/record/crm-graph.ts';
import { idOf } from './answers.ts';
import type { Assignment } from './assign-import.ts';
import type { HasPersonAccounts } from './business-accounts.ts';
import { crmError } from './classify.ts';
import { completeImport } from './complete-import.ts';
import { failureOf, MAX_SUB_REQUESTS, type SubRequest, sendComposite } from './composite.ts';
import type { ImportAnswer } from './crm.ts';
import type { CrmError } from './errors.ts';
import { childOf, childRequests, headRequests, type ImportContext, partsOf } from './import-requests.ts';
import { offersOf } from './line-rows.ts';
import { matchAccount } from './match-account.ts';
import { matchContacts } from './match-contacts.ts';
import type { Offers } from './offers.ts';
import { queryRows } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { textLiteral } from './soql.ts';
import type { RowTools } from './upsert-rows.ts';

type Tools = RowTools & {
  readonly offers: Offers;
  readonly assignment: Assignment;
  readonly hasPersonAccounts: HasPersonAccounts;
};

type Imported = { readonly id: string; readonly accountId: string | null };

/**
 * Creates the opportunity of a vendor-created deal, or finds the opportunity that an earlier attempt created. A deal of up to 25
 * sub-requests is created completely or not at all. A larger deal is created in steps, and each step first reads the rows that exist. No
 * upsert is used, because concurrent upserts would add the lines twice. Instead, the org refuses a second opportunity with the same vendor
 * id.
 */
export async function createFromVendor(tools: Tools, create: CrmCreate, call: RestCall): Promise<ImportAnswer> {
  const whole = partsOf(create) <= MAX_SUB_REQUESTS;
  const earlier = await findImportedOpportunity(tools.session, create.vendorId, call);
  if (earlier !== null && whole) return { opportunityId: earlier.id, isNew: false };
  const context = await lookUp(tools, create, earlier, call);
  const imported = earlier === null ? await make(tools, create, context, whole, call) : { ...earlier, isNew: false };
  if (!whole) {
    await completeImport(tools, imported.id, create, { ...context, accountId: imported.accountId }, call);
  }
  const { id: opportunityId, isNew } = imported;
  return { opportunityId, isNew, ...(isNew || whole ? {} : { isSavedAgain: true }) };
}

/**
 * The opportunity with this vendor id that an earlier attempt created, unless it is deleted; null if there is none. Throws DUPLICATE_VALUE
 * if another user than the integration user created it, because it is then no import of Lockstep's.
 */
export async function findImportedOpportunity(
  session: Session,
  vendorId: string,
  call: RestCall,
): Promise<Imported | null> {
  const soql = `SELECT Id, AccountId, CreatedById FROM Opportunity WHERE Vendor_Id__c = ${textLiteral(vendorId)} ORDER BY Id LIMIT 1`;
  const { rows, userId } = await queryRows(session, soql, call);
  const [row] = rows;
  if (row === undefined) return null;
  if (userId !== null && row['CreatedById'] !== userId)
    throw crmError('permanent', 'DUPLICATE_VALUE', { fields: ['Vendor_Id__c'] });
  const accountId = row['AccountId'];
  return { id: idOf(row['Id']), accountId: typeof accountId === 'string' ? accountId : null };
}

async function lookUp(
  { session, offers, assignment, hasPersonAccounts }: Tools,
  create: CrmCreate,
  earlier: Imported | null,
  call: RestCall,
): Promise<ImportContext> {
  const currency = create.opportunity['CurrencyIsoCode'];
  const scope = { pricebookId: null, currency: typeof currency === 'string' ? currency : null };
  const entries = await offers.require(offersOf(create.lines), scope, call);
  if (earlier !== null)
    return { accountId: earlier.accountId, contactIds: new Map(), entries, assigned: {}, ofAccount: {} };
  const accountId =
    create.account === null ? null : await matchAccount(session, create.account, call, hasPersonAccounts);
  const contactIds = await matchContacts(session, accountId, create.contacts, call);
  const assigned = await assignment.of({ vendorId: create.vendorId, accountId }, call);
  const makesAccount = create.account !== null && accountId === null;
  const ofAccount = makesAccount ? await assignment.ofAccount(call) : {};
  return { accountId, contactIds, entries, assigned, ofAccount };
}

async function make(
  { session }: Tools,
  create: CrmCreate,
  context: ImportContext,
  whole: boolean,
  call: RestCall,
): Promise<Imported & { readonly isNew: boolean }> {
  const requests: readonly SubRequest[] = [
    ...headRequests(create, context),
    ...(whole ? childRequests(create, context) : []),
  ];
  const answers = await sendComposite(session, requests, { ...call, allOrNone: true });
  const failure = failureOf(answers);
  if (failure !== null) {
    const error = failure.error ?? crmError('transient', 'PROCESSING_HALTED');
    const rival = isTaken(error) ? await findImportedOpportunity(session, create.vendorId, call) : null;
    if (rival === null) throw toldOfPart(error, failure.referenceId);
    return { ...rival, isNew: false };
  }
  const idOf = (referenceId: string): string | null => {
    const body = answers.find((answer) => answer.referenceId === referenceId)?.body;
    const id = (body as { readonly id?: unknown } | null | undefined)?.id;
    return typeof id === 'string' ? id : null;
  };
  const id = idOf('opportunity');
  if (id === null) throw crmError('transient', 'MALFORMED_ANSWER');
  return { id, accountId: context.accountId ?? idOf('account'), isNew: true };
}

function toldOfPart(error: CrmError, referenceId: string): CrmError {
  const part = childOf(referenceId);
  return part === null ? error : error.ofPart(part);
}

function isTaken(error: CrmError): boolean {
  return error.code === 'DUPLICATE_VALUE';
}
