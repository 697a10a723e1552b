import type { CrmCreate, CrmFields } from '../domain/record/crm-graph.ts';
import { idOf, listOf, objectOf } from './answers.ts';
import { crmError } from './classify.ts';
import { failedRowOf, failureOf, type SubAnswer, sendComposite } from './composite.ts';
import type { CrmError, RefusedPart } from './errors.ts';
import { type ImportContext, roleBody } from './import-requests.ts';
import { collectionRequest, LINE_OBJECT, newLineBody, OFFER_KEY } from './line-rows.ts';
import { emailOf, matchContacts } from './match-contacts.ts';
import { queryRows } from './query.ts';
import type { RestCall } from './session.ts';
import { textLiteral } from './soql.ts';
import type { RowTools } from './upsert-rows.ts';

/**
 * Adds the contacts and lines of a vendor-created deal that is too large for one request. Each step first reads the rows that exist, and
 * then creates only the missing rows; each request creates all its rows or none. So if the call is repeated after a crash, it continues
 * where the last attempt ended.
 */
export async function completeImport(
  tools: RowTools,
  opportunityId: string,
  create: CrmCreate,
  context: ImportContext,
  call: RestCall,
): Promise<void> {
  const contactIds = await ensureContacts(tools, create, context.accountId, call);
  await ensureRoles(tools, opportunityId, contactIds, call);
  await ensureLines(tools, opportunityId, create, context, call);
}

async function ensureContacts(
  tools: RowTools,
  create: CrmCreate,
  accountId: string | null,
  call: RestCall,
): Promise<readonly string[]> {
  const known = await matchContacts(tools.session, accountId, create.contacts, call);
  const missing = create.contacts.filter((contact) => !known.has(emailOf(contact)));
  const rows = missing.map((contact) => ({ ...contact, AccountId: accountId }));
  const place = (row: number): number => create.contacts.indexOf(missing[row] as CrmFields);
  const made = await createRows(tools, { object: 'Contact', of: 'contact', rows, place }, call);
  const ids = new Map([...known, ...missing.map((one, index) => [emailOf(one), made[index] ?? ''] as const)]);
  return create.contacts.map((contact) => ids.get(emailOf(contact)) ?? '');
}

async function ensureRoles(
  tools: RowTools,
  opportunityId: string,
  contactIds: readonly string[],
  call: RestCall,
): Promise<void> {
  const soql = `SELECT ContactId FROM OpportunityContactRole WHERE OpportunityId = ${textLiteral(opportunityId)}`;
  const { rows } = await queryRows(tools.session, soql, call);
  const present = new Set(rows.map((row) => String(row['ContactId'])));
  const missing = contactIds.filter((id) => !present.has(id));
  const roles = missing.map((id) => roleBody(opportunityId, id, id === contactIds[0] && rows.length === 0));
  const place = (row: number): number => contactIds.indexOf(missing[row] as string);
  await createRows(tools, { object: 'OpportunityContactRole', of: 'contact', rows: roles, place }, call);
}

/**
 * Creates the lines that are missing on the opportunity. If the deal has more lines of one offer than the opportunity has, the missing
 * number of lines is created.
 */
async function ensureLines(
  tools: RowTools,
  opportunityId: string,
  create: CrmCreate,
  context: ImportContext,
  call: RestCall,
): Promise<void> {
  const soql = `SELECT ${OFFER_KEY} FROM ${LINE_OBJECT} WHERE OpportunityId = ${textLiteral(opportunityId)}`;
  const { rows } = await queryRows(tools.session, soql, call);
  const present = rows.map((row) => {
    const product = row['Product2'] as { readonly Vendor_Offer_Id__c?: unknown } | null | undefined;
    return String(product?.Vendor_Offer_Id__c);
  });
  const missing = create.lines.filter((line) => {
    const place = present.indexOf(String(line[OFFER_KEY]));
    if (place >= 0) present.splice(place, 1);
    return place < 0;
  });
  const bodies = missing.map((line) => newLineBody(line, opportunityId, context.entries));
  const place = (row: number): number => create.lines.indexOf(missing[row] as CrmFields);
  await createRows(tools, { object: LINE_OBJECT, of: 'line', rows: bodies, place }, call);
}

/**
 * New rows of one object for a vendor-created deal. `place` converts the index of a row in `rows` to the index of its contact or line in
 * the deal.
 */
type NewRows = Pick<RefusedPart, 'of'> & {
  readonly object: string;
  readonly rows: readonly CrmFields[];
  place(row: number): number;
};

/**
 * Creates the missing rows of a deal, as many in a request as the org accepts, and returns their ids. If a call of the import is repeated,
 * the caller finds the rows of an earlier attempt and leaves them out.
 */
async function createRows(
  { session, sizes }: RowTools,
  { object, of, rows, place }: NewRows,
  call: RestCall,
): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < rows.length) {
    const from = ids.length;
    const part = rows.slice(from, from + sizes.of(object));
    const request = collectionRequest('POST', object, part, 'rows');
    const answers = await sendComposite(session, [request], { ...call, allOrNone: true });
    const failure = failureOf(answers);
    if (failure?.error?.kind === 'governor' && part.length > 1) {
      // The org wrote none of these rows, so they are sent again in smaller requests.
      sizes.tooMany(object, part.length);
      continue;
    }
    if (failure !== null) throw refused(failure, (row) => ({ of, created: place(from + row) }));
    const written = listOf(answers[0]?.body, part.length);
    ids.push(...written.map((row) => idOf(objectOf(row)['id'])));
  }
  return ids;
}

function refused(failure: SubAnswer, partOf: (row: number) => RefusedPart): CrmError {
  const error = failure.error ?? crmError('transient', 'PROCESSING_HALTED');
  const row = failedRowOf(failure);
  return row === null ? error : error.ofPart(partOf(row));
}
