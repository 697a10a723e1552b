/** Which rows of the answer tables a story can meet: each drawn fault is planned, asked for, and judged by the connector. */
import { type SalesforceSimulator, startSalesforceSimulator, startVendorSimulator } from 'lockstep-simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerRow, VENDOR_ANSWERS } from '../../src/partner-api/answer-table.ts';
import { CRM_ANSWERS } from '../../src/salesforce/answer-codes.ts';
import { classifyAnswer } from '../../src/salesforce/classify.ts';
import {
  ALL_VERSIONS,
  crmFault,
  crmLimits,
  crmVersions,
  signInFault,
  vendorFault,
} from '../support/engine/remote-faults.ts';
import fc from '../support/properties.ts';

/** Refusals of what was written, which the simulated systems answer by themselves, or which the connector never causes. */
const OF_CONTENT = {
  crm: [
    ...['FIELD_FILTER_VALIDATION_EXCEPTION', 'REQUIRED_FIELD_MISSING', 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST'],
    ...['STRING_TOO_LONG', 'NUMBER_OUTSIDE_VALID_RANGE', 'INVALID_EMAIL_ADDRESS', 'FIELD_INTEGRITY_EXCEPTION'],
    ...['CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', 'CANNOT_EXECUTE_FLOW_TRIGGER', 'STORAGE_LIMIT_EXCEEDED'],
    ...['DUPLICATE_VALUE', 'DUPLICATES_DETECTED', 'DUPLICATE_EXTERNAL_ID', 'DUPLICATE_COMM_NICKNAME'],
    ...['INVALID_ID_FIELD', 'INVALID_CURRENCY_ISO', 'INACTIVE_OWNER_OR_USER', 'TRANSFER_REQUIRES_READ'],
    ...['MALFORMED_ID', 'MISSING_ARGUMENT', 'DELETE_FAILED', 'MALFORMED_QUERY', 'MALFORMED_SEARCH'],
    ...['INVALID_SEARCH', 'EXCEEDED_ID_LIMIT', 'JSON_PARSER_ERROR', 'MULTIPLE_CHOICES', 'METHOD_NOT_ALLOWED'],
    ...['INVALID_FIELD', 'INVALID_TYPE', 'INVALID_TYPE_FOR_OPERATION', 'INSUFFICIENT_ACCESS'],
    ...['INVALID_FIELD_FOR_INSERT_UPDATE', 'INVALID_TYPE_ON_FIELD_IN_RECORD'],
    ...['INSUFFICIENT_ACCESS_OR_READONLY', 'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY'],
    ...['ENTITY_IS_DELETED', 'INVALID_CROSS_REFERENCE_KEY', 'HTTP_412', 'CANNOT_UPDATE_CONVERTED_LEAD'],
    // The client's own code, when NOT_FOUND or GONE means the whole version.
    'UNSUPPORTED_API_VERSION',
  ],
  vendor: [
    ...['ERR801', 'ERR805', 'ERROR_004', 'ERROR_043', 'ERROR_048', 'HTTP_404', 'invalidRequest', 'resourceNotFound'],
    // Nothing shows the answer of the order domain to a wrong key but {message}.
    'authenticationGenericError',
  ],
};

type Fault = Readonly<Record<string, unknown>>;

let salesforce: SalesforceSimulator;
let vendor: Awaited<ReturnType<typeof startVendorSimulator>>;
beforeAll(async () => {
  salesforce = await startSalesforceSimulator({ seed: 'empty' });
  vendor = await startVendorSimulator({ orders: 0, seed: 'empty' });
});
afterAll(() => Promise.all([salesforce.close(), vendor.close()]));

const DATA = '/services/data/v67.0';
const rows = ['A', 'B', 'C'].map((Name) => ({
  attributes: { type: 'Account' },
  Name,
  Vendor_Site_Id__c: Name,
}));
/** A request of each operation that faults of the CRM name. */
const CRM_REQUESTS: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
  composite: ['POST', `${DATA}/composite`, { compositeRequest: [] }],
  queryAll: ['GET', `${DATA}/queryAll?q=SELECT+Id+FROM+Account`],
  'sobject.update': ['PATCH', `${DATA}/sobjects/Account/001`, {}],
  'collections.create': ['POST', `${DATA}/composite/sobjects`, { records: rows }],
  'collections.upsert': ['PATCH', `${DATA}/composite/sobjects/Account/Vendor_Site_Id__c`, { records: rows }],
  'oauth.token': ['POST', '/services/oauth2/token', {}],
};

async function ask(fetchIt: typeof salesforce.fetch, url: string, method: string, headers: object, body?: object) {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } };
  const answer = await fetchIt(new Request(url, { ...init, ...(body && { body: JSON.stringify(body) }) }));
  const text = await answer.text();
  return { status: answer.status, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Distinct faults that answer something, without what only says when. */
function drawn(arbitrary: fc.Arbitrary<Fault | null>): readonly Fault[] {
  const all = fc.sample(arbitrary, { numRuns: 4_000, seed: 46 }).flatMap((fault) => {
    if (fault === null || 'cut' in fault || 'hang' in fault) return [];
    const { times: _, words: __, ...rest } = fault;
    return [JSON.stringify(rest)];
  });
  return [...new Set(all)].map((text) => JSON.parse(text) as Fault);
}

async function askCrm(operation: unknown, before: readonly [method: string, path: string, body: object]) {
  const admin = (method: string, path: string, body?: object) =>
    ask(salesforce.fetch, `${salesforce.adminUrl}/${path}`, method, {}, body);
  await admin(...before);
  const [method, path, body] = CRM_REQUESTS[String(operation)] ?? [];
  const token = { authorization: `Bearer ${salesforce.user.accessToken}` };
  const answer = await ask(salesforce.fetch, `${salesforce.url}${path}`, method ?? '', token, body);
  await admin('DELETE', 'faults');
  await admin('DELETE', 'limits');
  await admin('PUT', 'api-versions', ALL_VERSIONS);
  return classifyAnswer(answer.status, answer.body).code;
}

it('the stories draw every code of Salesforce that does not come of what was written', async () => {
  const codes = new Set<string>();
  for (const fault of [...drawn(crmFault), ...drawn(signInFault)])
    codes.add(await askCrm(fault['operation'], ['POST', 'faults', fault]));
  for (const limits of drawn(crmLimits)) codes.add(await askCrm('collections.create', ['PUT', 'limits', limits]));
  for (const served of drawn(crmVersions)) codes.add(await askCrm('queryAll', ['PUT', 'api-versions', served]));
  const missing = CRM_ANSWERS.map(({ code }) => code).filter((code) => !codes.has(code));
  expect(missing.toSorted()).toEqual(OF_CONTENT.crm.toSorted());
});

const SALES = '/sales/api4partners/v1/leads-opportunities';
const VENDOR_REQUESTS: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
  createLeadOpportunity: ['POST', SALES, {}],
  updateLeadOpportunity: ['PATCH', `${SALES}/LO-1`, {}],
  readLeadOpportunity: ['GET', `${SALES}/LO-1`],
  searchOrders: ['POST', '/order/api4partners/v1/orders/search', {}],
};

async function askVendor(fault: Fault, operation: string): Promise<readonly string[]> {
  const [method = '', path, body] = VENDOR_REQUESTS[operation] ?? [];
  await ask(vendor.fetch, `${vendor.adminUrl}/faults`, 'POST', {}, fault);
  const answer = await ask(vendor.fetch, `${vendor.url}${path}`, method, { 'x-api-key': vendor.apiKey }, body);
  await ask(vendor.fetch, `${vendor.adminUrl}/faults`, 'DELETE', {});
  const sales = (answer.body as { error?: { code?: string } } | null)?.error?.code;
  const order = /"type":"[^"]*?(\w+)"/.exec(JSON.stringify(answer.body))?.[1];
  const row = answerRow('code', sales) ?? answerRow('type', order);
  const status = answerRow('status', `HTTP_${answer.status}`);
  // A page is a gateway's, and not the vendor's answer with this status.
  if (row === undefined && status?.needsDocumentedBody && typeof answer.body === 'string') return [];
  return [row?.code ?? `HTTP_${answer.status}`];
}

it('the stories draw every code of the vendor that does not come of what was written', async () => {
  const codes = new Set<string>();
  for (const fault of drawn(vendorFault)) {
    const operations = fault['operation'] === undefined ? Object.keys(VENDOR_REQUESTS) : [fault['operation']];
    for (const operation of operations) for (const code of await askVendor(fault, String(operation))) codes.add(code);
  }
  const missing = VENDOR_ANSWERS.map(({ code }) => code).filter((code) => !codes.has(code));
  expect(missing.toSorted()).toEqual(OF_CONTENT.vendor.toSorted());
});
