import { endless } from './bodies.ts';
import { canary, canaryKey, sing } from './canary.ts';
import type { HostileAnswer } from './hostile-server.ts';

/** Answers of either remote with a canary wherever a text may stand, one or more for each class of its errors. */

type Singing = Readonly<Record<string, HostileAnswer>>;

const HEADERS = [
  'date',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'sforce-limit-info',
  'location',
  'content-type',
  'set-cookie',
  'www-authenticate',
  'x-trace-id',
];

export function singingHeaders(place: string): Readonly<Record<string, string>> {
  return Object.fromEntries(HEADERS.map((name) => [name, canary(`${place} ${name}`)]));
}

const answer = (place: string, status: number, body: unknown): HostileAnswer => ({
  status,
  // The type must be JSON, or the client would not read the body.
  headers: {
    ...singingHeaders(place),
    'content-type': `application/json; note="${canary(`${place} content-type`)}"`,
  },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A vendor record with a valid id and valid codes. */
const RECORD = {
  partnerAccountId: 'x',
  name: 'x',
  description: 'x',
  nextMilestone: 'x',
  currency: 'EUR',
  createdDate: 'x',
  modifiedDate: 'x',
  customerLegalEntity: { name: 'x', address: 'x', city: 'x', country: 'x', postalCode: 'x', siteId: 'x' },
  customerContacts: [{ firstName: 'x', lastName: 'x', email: 'x', phone: 'x' }],
  partnerContact: { firstName: 'x', lastName: 'x', email: 'x' },
  offers: [{ id: 'x', name: 'x', amount: 'x' }],
  reasonWon: ['x'],
  competitors: ['x'],
};

const VENDOR_CODES: readonly (readonly [string | null, number])[] = [
  ...['ERR801', 'ERR805', 'ERROR_004', 'ERROR_043', 'ERROR_048', 'ERR899'].map((code) => [code, 400] as const),
  ...[400, 401, 403, 404, 408, 409, 412, 429, 500, 502, 503, 504].map((status) => [null, status] as const),
];

function vendorError(place: string, code: string | null): object {
  const error = sing({ code: 'x', type: 'x', message: 'x', title: 'x', errors: [{ pointer: 'x' }] }, place) as object;
  const info = sing({ traceId: 'x', timeStamp: 'x', documentation: 'x' }, `${place} info`) as object;
  return {
    info: { ...info, success: false },
    error: { ...error, ...(code !== null && { code }) },
    data: null,
  };
}

function vendorData(place: string, data: object): object {
  const info = sing({ traceId: 'x', timeStamp: 'x', message: 'x' }, `${place} info`) as object;
  return { info: { ...info, success: true, statusCode: 200 }, error: null, data };
}

/** The vendor's answers with canaries; `id` is the record that is read. */
export function singingVendor(id: string): Singing {
  return { ...VENDOR_ERRORS, ...vendorRecords(id), ...NO_VENDOR };
}

const VENDOR_ERRORS: Singing = Object.fromEntries(
  VENDOR_CODES.map(([code, status]) => {
    const place = `vendor ${code ?? status}`;
    return [place, answer(place, status, vendorError(place, code))];
  }),
);

const NO_VENDOR: Singing = {
  'vendor text': answer('vendor text', 200, canary('vendor text body')),
  'vendor page': answer('vendor page', 502, `<html>${canary('vendor page body')}</html>`),
  'vendor redirect': answer('vendor redirect', 302, ''),
  'vendor shape': answer(
    'vendor shape',
    200,
    sing({ info: { success: 'x' }, data: ['x'], error: 'x' }, 'vendor shape'),
  ),
  'vendor no HTTP': { raw: `${canary('vendor no HTTP')}\r\n\r\n` },
  'vendor half': { raw: `HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{"a":"${canary('vendor half')}"` },
  'vendor endless': { body: endless(canary('vendor endless')) },
};

function vendorRecords(id: string): Singing {
  const named = {
    dsLeadOpportunityId: id,
    status: 'OPPY_OPEN',
    currency: 'EUR',
    forecastCategory: 'PIPELINE',
  };
  const record = (place: string, change: object) => ({
    leadOpportunity: { ...(sing(RECORD, place) as object), ...named, ...change },
  });
  return {
    'vendor dates': answer('vendor dates', 200, vendorData('vendor dates', record('vendor dates', {}))),
    'vendor record': answer(
      'vendor record',
      200,
      vendorData(
        'vendor record',
        record('vendor record', {
          createdDate: '2026-01-01T00:00:00.000Z',
          modifiedDate: '2026-01-02T00:00:00.000Z',
          offers: [],
        }),
      ),
    ),
    'vendor other id': answer(
      'vendor other id',
      200,
      vendorData('vendor other id', record('vendor other id', { dsLeadOpportunityId: canary('vendor id') })),
    ),
    'vendor found ids': answer(
      'vendor found ids',
      200,
      vendorData('vendor found ids', {
        leadOpportunity: [canary('vendor found id'), canaryKey('found'), ''].map((dsLeadOpportunityId) => ({
          dsLeadOpportunityId,
          partnerLeadOpportunityId: canary('vendor found reference'),
        })),
      }),
    ),
  };
}

const CRM_CODES: readonly (readonly [string, number])[] = [
  ['UNABLE_TO_LOCK_ROW', 400],
  ['REQUEST_LIMIT_EXCEEDED', 403],
  ['INVALID_SESSION_ID', 401],
  ['FIELD_CUSTOM_VALIDATION_EXCEPTION', 400],
  ['INVALID_FIELD', 400],
  ['NOT_FOUND', 404],
  ['MALFORMED_QUERY', 400],
  ['INVALID_CROSS_REFERENCE_KEY', 400],
];

/** The CRM's answers with canaries; `id` is the opportunity that is read. */
export function singingCrm(id: string): Singing {
  return { ...CRM_ERRORS, ...crmRows(id), ...NO_CRM };
}

const crmError = (place: string, errorCode: string): readonly object[] => [
  { ...(sing({ message: 'x', fields: ['x'], statusCode: 'x' }, place) as object), errorCode },
];

const CRM_ERRORS: Singing = Object.fromEntries([
  ...CRM_CODES.map(([code, status]) => [`CRM ${code}`, answer(`CRM ${code}`, status, crmError(`CRM ${code}`, code))]),
  ...[300, 401, 403, 404, 412, 420, 429, 500, 503].map((status) => {
    const place = `CRM ${status}`;
    return [place, answer(place, status, crmError(place, canary(`${place} code`)))];
  }),
]);

const NO_CRM: Singing = {
  'CRM text': answer('CRM text', 200, canary('CRM text body')),
  'CRM page': answer('CRM page', 200, `<html>${canary('CRM page body')}</html>`),
  'CRM shape': answer(
    'CRM shape',
    200,
    sing({ totalSize: 'x', records: [{ Id: 'x' }], nextRecordsUrl: 'x' }, 'CRM shape'),
  ),
  'CRM composite': answer('CRM composite', 200, {
    compositeResponse: [sing({ referenceId: 'x', body: [{ errorCode: 'x', message: 'x' }] }, 'CRM composite')],
  }),
  'CRM no HTTP': { raw: `${canary('CRM no HTTP')}\r\n\r\n` },
};

function crmRows(id: string): Singing {
  const ours = {
    Id: id,
    IsDeleted: false,
    Vendor_Share__c: true,
    SystemModstamp: '2026-01-02T00:00:00.000+0000',
  };
  const theirs = {
    Name: 'x',
    StageName: 'x',
    CloseDate: 'x',
    NextStep: 'x',
    CurrencyIsoCode: 'x',
    Vendor_Id__c: 'x',
  };
  const related = { Account: { Name: 'x' }, Owner: { Email: 'x', Name: 'x' } };
  const row = (change: object) => ({
    totalSize: 1,
    done: true,
    records: [{ ...(sing({ ...theirs, ...related }, 'CRM row') as object), ...ours, ...change }],
  });
  return {
    'CRM row': answer('CRM row', 200, row({})),
    'CRM other id': answer('CRM other id', 200, row({ Id: canary('CRM id') })),
    'CRM more': answer('CRM more', 200, {
      ...row({}),
      done: false,
      nextRecordsUrl: `/services/${canary('CRM more')}`,
    }),
  };
}
