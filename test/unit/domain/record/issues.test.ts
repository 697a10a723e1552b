import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { crmLabel } from '../../../../src/domain/record/field-labels.ts';
import { FIELDS } from '../../../../src/domain/record/fields.ts';
import { isOpen } from '../../../../src/domain/record/issue.ts';
import { ISSUE_CATALOG } from '../../../../src/domain/record/issue-catalog.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { stateOf } from '../../../../src/domain/record/link-state.ts';
import { packageFiles, values } from '../../../support/crm-package.ts';

const TRY = { code: 'HTTP 409', since: '2026-03-01T12:00:00.000Z', retryAt: '2026-03-01T12:01:00.000Z' };

const SAMPLES = [
  ISSUES.statusWithoutCode(),
  ISSUES.forecastWithoutCode('Vendor_Forecast_Category__c'),
  ISSUES.forecastOfSystem('Vendor_Forecast_Category__c'),
  ISSUES.forecastOfVendor('Vendor_Forecast_Category__c'),
  ISSUES.reasonWithoutCode('reasonLost'),
  ISSUES.notListed('competitors', 'Vendor_Competitors__c'),
  ISSUES.badCurrency(),
  ISSUES.inexactAmount(),
  ISSUES.revenueTypeWithoutCode(),
  ISSUES.codeWithSemicolon('competitors'),
  ISSUES.vendorCannotClear('closeDate'),
  ISSUES.crmCannotClear('name', 'Name'),
  ISSUES.requiredOnCreate('name', 'fill in the Opportunity Name'),
  ISSUES.partnerIdMissing(),
  ISSUES.partnerIdHidden('country'),
  ISSUES.entityMissing(),
  ISSUES.vendorLineWithoutProduct('OFR-1'),
  ISSUES.vendorLineWithoutProduct(null),
  ISSUES.lineWithoutOffer(),
  ISSUES.lineNotShared(),
  ISSUES.contactIncomplete(),
  ISSUES.contactRepeated(),
  ISSUES.vendorContactRepeated(),
  ISSUES.ownerIncomplete(),
  ISSUES.notReadable('customerContacts', 'a contact of the deal'),
  ISSUES.vendorRefused('ERR805', ['name', 'closeDate']),
  ISSUES.vendorRefused('HTTP 400', []),
  ISSUES.valueRefusedByVendor('nextMilestone', 'ERR_NEW'),
  ISSUES.lineRefusedByVendor('OFR-1', 'ERR_NEW'),
  ISSUES.ignoredByVendor('name'),
  ISSUES.crmRefused('STRING_TOO_LONG', ['Name']),
  ISSUES.crmRefused('DUPLICATE_VALUE', []),
  ISSUES.importRefused('LO-1', 'FIELD_CUSTOM_VALIDATION_EXCEPTION', ['Name']),
  ISSUES.importRefused('LO-1', 'DUPLICATE_VALUE', []),
  ISSUES.importRefused('LO-1', 'REQUIRED_FIELD_MISSING', ['Industry'], 'account'),
  ISSUES.importRefused('LO-1', 'DUPLICATES_DETECTED', []),
  ISSUES.importRefused('LO-1', 'UNKNOWN_OWNER', ['OwnerId']),
  ISSUES.importRefused('LO-1', 'UNKNOWN_RECORD_TYPE', ['RecordTypeId']),
  ISSUES.leftOnLead('FIELD_CUSTOM_VALIDATION_EXCEPTION', ['StageName']),
  ISSUES.leadNotConverted('DUPLICATES_DETECTED', []),
  ISSUES.leadNotConverted('FIELD_CUSTOM_VALIDATION_EXCEPTION', ['Industry']),
  ISSUES.valueRefusedByCrm('nextMilestone', 'Vendor_Next_Milestone__c', 'STRING_TOO_LONG'),
  ISSUES.doesNotFit('nextMilestone', 'Vendor_Next_Milestone__c', 'too-long'),
  ISSUES.doesNotFit('status', 'StageName', 'no-such-value'),
  ISSUES.doesNotFit('name', 'Name', 'not-writable'),
  ISSUES.lineDoesNotFit('OFR-1', 'Vendor_Revenue_Type__c', 'no-such-value'),
  ISSUES.lineRefusedByCrm('OFR-1', 'FIELD_CUSTOM_VALIDATION_EXCEPTION', ['TotalPrice']),
  ISSUES.linesRefusedByCrm('FIELD_CUSTOM_VALIDATION_EXCEPTION', []),
  ISSUES.contactRefusedByCrm('FIELD_CUSTOM_VALIDATION_EXCEPTION', ['Phone']),
  ISSUES.placeDoesNotFit('BillingCountry'),
  ISSUES.placeDoesNotFit('BillingState'),
  ISSUES.leftOut('customerContacts', 'a field of a contact'),
  ISSUES.shortened('name', 'the Opportunity Name'),
  ISSUES.hiddenFromUser('name', ['Name']),
  ISSUES.hiddenFromUser('customerLegalEntity', ['Account.Website', 'Account.Vendor_DUNS__c']),
  ISSUES.linesHiddenFromUser(),
  ISSUES.triedAgain('vendor', 'passing', TRY),
  ISSUES.triedAgain('crm', 'unknown', TRY),
  ISSUES.automationLimit('APEX_GOVERNOR_LIMIT', TRY.since, TRY.retryAt),
  ISSUES.refusedAlone('scope 403', TRY.since, TRY.retryAt),
  ISSUES.noAnswer('server 500'),
  ISSUES.referenceWithoutRecord(),
  ISSUES.referenceRepeated(),
  ISSUES.convertedIntoLinked(),
  ISSUES.referenceOfAnotherDeal(),
  ISSUES.vendorIdOfAnotherDeal(),
  ISSUES.unusableVendorId(),
  ISSUES.severalVendorRecords(['LO-1', 'LO-2']),
  ISSUES.severalOpportunities('LO-1', ['a', 'b', 'c', 'd', 'e', 'f']),
  ISSUES.vendorIdTaken(),
  ISSUES.vendorIdNotOurs(),
  ISSUES.claimUnproven(),
  ISSUES.claimedUnproven('LO-1', ['a']),
  ISSUES.mayBeOpportunity('LO-1', ['a', 'b']),
  ISSUES.mayBeVendorRecords(['LO-1', 'LO-2']),
  ISSUES.separated('this opportunity', ['LO-1']),
  ISSUES.oneOfSeveral('LO-1', ['a', 'b']),
  ISSUES.referenceNotInCrm(),
  ISSUES.vendorMissing(),
  ISSUES.currenciesDiffer(),
  ISSUES.closedAtVendor(),
  ISSUES.closedOtherwise(),
  ISSUES.conflict('name'),
];

it('every situation has its code, its field and its words', () => {
  expect(SAMPLES.map(({ code, field, message }) => `${code} | ${field} | ${message}`)).toMatchSnapshot();
});

it('every code says what it means, how grave it is, what repairs it and where it is shown', () => {
  expect(ISSUE_CATALOG).toMatchSnapshot();
});

it('every situation and every code is among the samples', () => {
  expect(new Set(SAMPLES.map((issue) => issue.code))).toEqual(new Set(Object.keys(ISSUE_CATALOG)));
  const situations = new Set(SAMPLES.map((issue) => issue.message)).size;
  expect(situations).toBeGreaterThanOrEqual(Object.keys(ISSUES).length);
});

it.each([
  ['nothing', [], 'in-sync'],
  ['only what informs', [ISSUES.lineNotShared(), ISSUES.contactIncomplete()], 'in-sync'],
  ['something that is tried again', [ISSUES.triedAgain('vendor', 'passing', TRY)], 'pending'],
  ['something that waits', [ISSUES.lineNotShared(), ISSUES.vendorLineWithoutProduct(null)], 'parked'],
  ['a conflict beside all else', [ISSUES.badCurrency(), ISSUES.conflict('name')], 'conflict'],
] as const)('a record with %s is in state %s', (_, found, state) => {
  expect(stateOf(found)).toBe(state);
  expect(found.some(isOpen)).toBe(state !== 'in-sync');
});

/** What a sales person or an operator does not read: API names, Markdown, and more than one sentence. */
const UNREADABLE =
  /__c\b|`|(?:^|\s)_\w|Opportunity\.[A-Z]|Contact\.[A-Z]|Account\.[A-Z]|Product2|OpportunityLineItem|\. [A-Z]/;

it.each(SAMPLES)('$code: its message is one sentence without API names: $message', ({ message }) => {
  expect(message).not.toMatch(UNREADABLE);
  expect(message).toMatch(/\.$/);
  expect(message.length, message).toBeLessThanOrEqual(260);
});

it.each(Object.entries(ISSUE_CATALOG))('%s: its meaning and its repair are plain text', (_, { meaning, repair }) => {
  for (const text of [meaning, repair]) expect(text).not.toMatch(UNREADABLE);
});

it('a conflict of one field and a deal that was closed at the vendor have each their own repair', () => {
  expect(ISSUES.conflict('description').code).toBe('conflict');
  expect(ISSUE_CATALOG.conflict.repair).not.toMatch(/reopen|close the/);
  for (const issue of [ISSUES.closedAtVendor(), ISSUES.closedOtherwise()]) {
    expect(ISSUE_CATALOG[issue.code].repair).toMatch(/reopen|correct the deal/);
  }
  const [there, otherwise, field] = [ISSUES.closedAtVendor(), ISSUES.closedOtherwise(), ISSUES.conflict('name')];
  expect([[there], [otherwise], [there, field], [there, ISSUES.lineNotShared()]].map(stateOf)).toEqual([
    ...['closed-at-vendor', 'conflict', 'conflict', 'closed-at-vendor'],
  ]);
});

/** Labels that a message may name: those of the package, and those of the standard fields that are mapped. */
const files = packageFiles();
const LABELS = new Set([
  ...Object.values(files).flatMap((xml) => values(xml, 'label')),
  ...[...Object.values(FIELDS).map(({ crm }) => crm), 'TotalPrice', 'Website'].map((name) => crmLabel(name)),
]);
const TENANT_KEYS = readFileSync(new URL('../../../../docs/tenant-file.md', import.meta.url), 'utf8');
const verbFile = (verb: string) => new URL(`../../../../src/cli/commands/${verb}.ts`, import.meta.url);

/** Each thing that a text sends its reader to, and whether it exists. */
function namedIn(text: string): readonly (readonly [named: string, exists: boolean])[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => String(found));
  return [
    ...all(/"([^"]+)"/g).map((label) => [label, LABELS.has(label)] as const),
    ...all(/lockstep ([a-z-]+)/g).map((verb) => [verb, existsSync(verbFile(verb))] as const),
    ...all(/\b((?:vendor|salesforce|imports)\.\w+)/g).map(
      (key) => [key, [key, key.split('.')[1]].some((name) => TENANT_KEYS.includes(`\`${name}\``))] as const,
    ),
    ...all(/\b(Lockstep_\w+)/g).map((set) => [set, `permissionsets/${set}.permissionset-meta.xml` in files] as const),
    ...all(/under (Resolve)/g).map((label) => [label, LABELS.has(label)] as const),
  ];
}

it.each([
  ...SAMPLES.map(({ code, message }) => [code, message] as const),
  ...Object.entries(ISSUE_CATALOG).map(([code, { repair }]) => [code, repair] as const),
])('%s: what it sends its reader to exists: %s', (_, text) => {
  expect(namedIn(text).filter(([, exists]) => !exists)).toEqual([]);
});

it('a repair that does not exist is seen', () => {
  const repair = 'fill in "Vendor: nothing", run lockstep mend, set vendor.nothing, or assign Lockstep_Nobody';
  expect(namedIn(repair)).toEqual(
    ['Vendor: nothing', 'mend', 'vendor.nothing', 'Lockstep_Nobody'].map((named) => [named, false]),
  );
});
