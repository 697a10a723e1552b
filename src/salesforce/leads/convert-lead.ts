import { textOf } from '../answers.ts';
import { classifyAnswer } from '../classify.ts';
import { queryRows } from '../query.ts';
import type { OpenSession, RestCall } from '../session.ts';
import { soapCall, soapElement } from '../soap.ts';

/** Salesforce's code for a lead that was converted before. */
const CONVERTED_BEFORE = 'CANNOT_UPDATE_CONVERTED_LEAD';

const FIRST_CONVERTED_STATUS = 'SELECT ApiName FROM LeadStatus WHERE IsConverted = true ORDER BY SortOrder LIMIT 1';

/**
 * Converts a lead into a new account, contact and opportunity; the opportunity gets this name. Uses the SOAP API, because the REST API
 * cannot convert leads. A lead that is converted already counts as success, so that a call whose answer was lost may be repeated. Two
 * requests. Throws the `CrmError` of a refusal.
 */
export async function convertLead(
  session: OpenSession,
  { leadId, opportunityName }: { readonly leadId: string; readonly opportunityName: string },
  call: RestCall,
): Promise<void> {
  const [status] = (await queryRows(session, FIRST_CONVERTED_STATUS, call)).rows;
  const fields = [
    soapElement('convertedStatus', textOf(status?.['ApiName'])),
    soapElement('doNotCreateOpportunity', 'false'),
    soapElement('leadId', leadId),
    soapElement('opportunityName', opportunityName),
    soapElement('overwriteLeadSource', 'false'),
    soapElement('sendNotificationEmail', 'false'),
  ];
  const body = `<convertLead><leadConverts>${fields.join('')}</leadConverts></convertLead>`;
  const [result] = await soapCall(session, body, { ...call, operation: 'convertLead' });
  if (result?.text('success') === 'true') return;
  const errors = (result?.all('errors') ?? []).map((error) => ({
    statusCode: error.text('statusCode'),
    message: error.text('message'),
    fields: error.all('fields').map(({ own }) => own),
  }));
  if (errors.some(({ statusCode }) => statusCode === CONVERTED_BEFORE)) return;
  throw classifyAnswer(200, errors);
}
