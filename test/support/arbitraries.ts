import fc from 'fast-check';
import type {
  CanonicalRecord,
  CustomerContact,
  FieldName,
  KindValue,
  LegalEntity,
  Observed,
  OfferLine,
  PartnerContact,
} from '../../src/domain/record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { FieldKind } from '../../src/domain/record/field-spec.ts';
import { FIELD_NAMES, FIELDS } from '../../src/domain/record/fields.ts';
import { STATUS_NAMES, STATUSES } from '../../src/domain/values/status.ts';
import { ACCOUNT, lineRow, OPPORTUNITY, OWNER } from './mapping/fixtures.ts';

/** Texts as users type them: odd characters, words with a meaning in JavaScript, never empty. */
export const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('constructor', '__proto__', 'null', '0', 'false', 'EMPTY project'),
);

export const optionalText = fc.option(text, { nil: null });

/** A code that no table contains. */
export const unknownCode = fc.stringMatching(/^X_[A-Z]{2,8}$/);

export const statusCode = fc.oneof(
  fc.constantFrom('LEAD_OPEN', 'QUALIFIED', 'ACCEPTED', 'OPPY_OPEN', 'WON', 'OPPY_VALID', 'OPPY_ESTAB', 'OPPY_LOST'),
  unknownCode,
);

export const forecast = fc.oneof(fc.constantFrom('UPSIDE', 'COMMIT', 'SAFE', 'WON', 'LONG', 'LOST'), unknownCode);

/** Values of the CRM's picklist, including names that the tenant file translates. */
const crmForecast = fc.oneof(forecast, fc.constant('LONGSHOT'));

export const stage = fc.constantFrom(...STATUS_NAMES.flatMap((name) => STATUSES[name].stages));

export const date = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

export const optionalDate = fc.option(date, { nil: null });

export const zone = fc.constantFrom('UTC', 'Europe/Paris', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kolkata');

/** Amounts with two decimal digits, in normal form. */
export const amount = fc.integer({ min: -1_000_000_00, max: 1_000_000_000_00 }).map((cents) => String(cents / 100));

const codes = (...known: string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.oneof(fc.constantFrom(...known), unknownCode), { maxLength: 4 });

export const offerLine: fc.Arbitrary<OfferLine> = fc.record({
  offerNameId: fc.constantFrom('OFFER-A', 'OFFER-B', 'OFFER-C'),
  amount: fc.oneof(amount, fc.constantFrom('1', '2')),
  revenueType: fc.constantFrom(null, 'RENTAL_Y', 'UPFRONT'),
});

export const offerLines = fc.array(offerLine, { minLength: 1, maxLength: 5 });

const email = fc
  .tuple(fc.stringMatching(/^[a-zA-Z]{1,4}$/), fc.constantFrom('a.test', 'B.test'))
  .map((p) => p.join('@'));

const customerContact: fc.Arbitrary<CustomerContact> = fc.record({
  email,
  firstName: text,
  lastName: text,
  phoneNumber: optionalText,
  salutation: optionalText,
  jobTitle: optionalText,
});

export const customerContacts = fc.uniqueArray(customerContact, {
  maxLength: 3,
  selector: (contact) => contact.email.toLowerCase(),
});

export const partnerContacts: fc.Arbitrary<PartnerContact[]> = fc.array(
  fc.record({ salesRepEmail: email, salesRepFirstName: text, salesRepLastName: text }),
  { maxLength: 1 },
);

export const legalEntity: fc.Arbitrary<LegalEntity> = fc.record({
  name: text,
  city: optionalText,
  country: optionalText,
  addressLine1: optionalText,
  addressLine2: optionalText,
  statePrefecture: optionalText,
  zipCode: optionalText,
  websiteUrl: optionalText,
  dunsNumber: optionalText,
  vatNumber: optionalText,
  registrationId: optionalText,
});

/** Possible values of each kind of field, unless `PARTICULAR` has the field. */
const BY_KIND: { readonly [K in FieldKind]: fc.Arbitrary<KindValue[K]> } = {
  text: optionalText,
  email: fc.option(email, { nil: null }),
  code: fc.option(unknownCode, { nil: null }),
  date: optionalDate,
  codes: codes('ACME', 'GLOBEX'),
  entity: legalEntity,
  lines: offerLines,
  'customer-contacts': customerContacts,
  'partner-contacts': partnerContacts,
};

/** Fields that both sides require, and fields with codes. */
const PARTICULAR: { readonly [F in FieldName]?: fc.Arbitrary<CanonicalRecord[F]> } = {
  name: text,
  status: statusCode,
  forecastCategory: fc.option(forecast, { nil: null }),
  closeDate: date,
  reasonWon: codes('SOLUTION_FUNCT', 'STRNG_VAL_PROP'),
  reasonLost: codes('FUNC_GAP', 'NO_PROJ', 'CLIENT_HAS_NO_MORE_BUDGET'),
  currency: fc.constant('EUR'),
};

/** A record with every field set to a value that either side may have. */
export const canonicalRecord = fc.record(
  Object.fromEntries(FIELD_NAMES.map((field) => [field, PARTICULAR[field] ?? BY_KIND[FIELDS[field].kind]])),
) as fc.Arbitrary<unknown> as fc.Arbitrary<CanonicalRecord>;

/** A change: some fields of a record. */
export const change: fc.Arbitrary<Observed> = fc
  .tuple(canonicalRecord, fc.func(fc.boolean()))
  .map(([record, pick]) => Object.fromEntries(Object.entries(record).filter(([field]) => pick(field))));

const multiSelect = (members: fc.Arbitrary<string[]>): fc.Arbitrary<string | null> =>
  members.map((list) => (list.length === 0 ? null : list.join(';')));

const crmLine = fc.record({
  offer: fc.constantFrom('OFFER-A', 'OFFER-B', null),
  total: fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
  type: fc.constantFrom(null, 'Rental, yearly', 'Upfront', 'RENTAL_Y', 'Not in the table'),
});

const opportunityFields: fc.Arbitrary<CrmFields> = fc.record({
  Name: text,
  StageName: stage,
  CloseDate: date,
  Description: optionalText,
  Vendor_Status__c: fc.option(statusCode, { nil: null }),
  Vendor_Forecast_Category__c: fc.option(crmForecast, { nil: null }),
  Vendor_Reasons_Won__c: multiSelect(codes('SOLUTION_FUNCT')),
  Vendor_Reasons_Lost__c: multiSelect(codes('NO_PROJECT', 'FUNC_GAP')),
  Vendor_Competitors__c: multiSelect(codes('ACME')),
  Vendor_Next_Milestone_Date__c: optionalDate,
  Vendor_Owner_Email__c: fc.option(email, { nil: null }),
});

/** Deals as the CRM may have them, with coarse and fine values. */
export const crmGraphs: fc.Arbitrary<CrmGraph> = fc
  .tuple(opportunityFields, fc.array(crmLine, { maxLength: 5 }), fc.option(text, { nil: null }))
  .map(([fields, lines, siteId]) => ({
    opportunity: { ...OPPORTUNITY, ...fields },
    account: { ...ACCOUNT, Vendor_Site_Id__c: siteId },
    lines: lines.map((line, index) => lineRow(`00k00000000000${index}AAA`, line.offer, line.total, line.type)),
    contacts: [],
    owner: OWNER,
    sync: null,
    readAt: '2026-03-01T10:00:01.000Z',
  }));
