import {
  CASE,
  FEED_ITEM,
  INDUSTRIES,
  LEAD,
  LEAD_SOURCES,
  LEAD_STATUS,
  RATINGS,
  SALUTATIONS,
  TASK,
} from './activities.ts';
import { area, choice, field, flag, lookup, money, readOnly, text } from './fields.ts';
import {
  ASSIGNMENT_RULE,
  DUPLICATE_RULE,
  FLOW_DEFINITION_VIEW,
  OPPORTUNITY_STAGE,
  PERMISSION_SET,
  PERMISSION_SET_ASSIGNMENT,
  PROFILE,
} from './setup-objects.ts';
import { FORECAST_NAMES, STAGES } from './stages.ts';
import type { FieldDef } from './types.ts';

/** One standard object: its identity and the fields beyond the platform's own. */
export type StandardObject = {
  readonly name: string;
  readonly labelPlural: string;
  readonly keyPrefix: string;
  readonly writable: boolean;
  /** Whether API clients may create rows; `false` if they may only update rows. */
  readonly createable?: false;
  /** Whether the object is a view of the setup, which lacks the system fields. */
  readonly isView?: true;
  /** Whether rows may be deleted. Such rows have the field `IsDeleted`. */
  readonly deletable: boolean;
  readonly fields: readonly FieldDef[];
};

const required = { nillable: false } as const;
const fixedAtCreate = { nillable: false, updateable: false } as const;
const computed = { ...readOnly, calculated: false } as const;
const owner = () => lookup('OwnerId', 'User', null, { ...required });

function address(prefix: string): readonly FieldDef[] {
  return [
    area(`${prefix}Street`, 255),
    text(`${prefix}City`, 40),
    text(`${prefix}State`, 80),
    text(`${prefix}PostalCode`, 20),
    text(`${prefix}Country`, 80),
  ];
}

const ACCOUNT: readonly FieldDef[] = [
  lookup('MasterRecordId', 'Account', null, { ...readOnly }),
  text('Name', 255, required),
  choice('Type', ['Prospect', 'Customer - Direct', 'Customer - Channel', 'Channel Partner / Reseller', 'Other']),
  lookup('ParentId', 'Account', 'ChildAccounts'),
  ...address('Billing'),
  ...address('Shipping'),
  field('Phone', 'phone', { length: 40 }),
  field('Fax', 'phone', { length: 40 }),
  text('AccountNumber', 40),
  field('Website', 'url', { length: 255 }),
  choice('Industry', INDUSTRIES),
  money('AnnualRevenue', { scale: 0 }),
  field('NumberOfEmployees', 'int', { precision: 8 }),
  choice('Ownership', ['Public', 'Private', 'Subsidiary', 'Other']),
  text('TickerSymbol', 20),
  area('Description', 32000),
  choice('Rating', RATINGS),
  text('Site', 80),
  text('Sic', 20),
  text('SicDesc', 80),
  choice('AccountSource', LEAD_SOURCES),
  text('Jigsaw', 20),
  text('JigsawCompanyId', 20, computed),
  field('LastActivityDate', 'date', computed),
  owner(),
];

const CONTACT: readonly FieldDef[] = [
  lookup('MasterRecordId', 'Contact', null, { ...readOnly }),
  lookup('AccountId', 'Account', 'Contacts', { cascade: true }),
  text('LastName', 80, required),
  text('FirstName', 40),
  choice('Salutation', SALUTATIONS),
  text('Name', 121, { ...computed, ...required }),
  ...address('Mailing'),
  field('Phone', 'phone', { length: 40 }),
  field('Fax', 'phone', { length: 40 }),
  field('MobilePhone', 'phone', { length: 40 }),
  lookup('ReportsToId', 'Contact', null),
  field('Email', 'email', { length: 80 }),
  text('Title', 128),
  text('Department', 80),
  choice('LeadSource', LEAD_SOURCES),
  area('Description', 32000),
  owner(),
];

const OPPORTUNITY: readonly FieldDef[] = [
  lookup('AccountId', 'Account', 'Opportunities', { cascade: true }),
  text('Name', 120, required),
  area('Description', 32000),
  choice(
    'StageName',
    STAGES.map((stage) => stage.name),
    required,
  ),
  money('Amount'),
  field('Probability', 'percent', { precision: 3 }),
  money('ExpectedRevenue', computed),
  field('TotalOpportunityQuantity', 'double', { precision: 18, scale: 2 }),
  field('CloseDate', 'date', required),
  choice('Type', ['Existing Customer - Upgrade', 'Existing Customer - Replacement', 'New Customer']),
  text('NextStep', 255),
  choice('LeadSource', LEAD_SOURCES),
  flag('IsClosed', readOnly),
  flag('IsWon', readOnly),
  choice('ForecastCategory', Object.keys(FORECAST_NAMES), { ...computed, ...required }),
  choice('ForecastCategoryName', Object.values(FORECAST_NAMES)),
  lookup('Pricebook2Id', 'Pricebook2', 'Opportunities'),
  owner(),
  flag('HasOpportunityLineItem', readOnly),
  field('LastStageChangeDate', 'datetime', computed),
];

const LINE: readonly FieldDef[] = [
  lookup('OpportunityId', 'Opportunity', 'OpportunityLineItems', { ...fixedAtCreate, cascade: true }),
  field('SortOrder', 'int', { precision: 9, ...readOnly }),
  lookup('PricebookEntryId', 'PricebookEntry', 'OpportunityLineItems', { ...fixedAtCreate, restrict: true }),
  lookup('Product2Id', 'Product2', 'OpportunityLineItems', { ...computed, restrict: true }),
  text('ProductCode', 255, computed),
  text('Name', 376, computed),
  field('Quantity', 'double', { precision: 12, scale: 2, ...required }),
  money('TotalPrice'),
  money('UnitPrice'),
  money('ListPrice', computed),
  money('Subtotal', computed),
  field('Discount', 'percent', { precision: 5, scale: 2 }),
  field('ServiceDate', 'date'),
  text('Description', 255),
];

const CONTACT_ROLE: readonly FieldDef[] = [
  lookup('OpportunityId', 'Opportunity', 'OpportunityContactRoles', { ...fixedAtCreate, cascade: true }),
  lookup('ContactId', 'Contact', 'OpportunityContactRoles', { ...required, cascade: true }),
  choice('Role', [
    'Business User',
    'Decision Maker',
    'Economic Buyer',
    'Economic Decision Maker',
    'Evaluator',
    'Executive Sponsor',
    'Influencer',
    'Technical Buyer',
    'Other',
  ]),
  flag('IsPrimary'),
];

const PRODUCT: readonly FieldDef[] = [
  text('Name', 255, required),
  text('ProductCode', 255),
  area('Description', 4000),
  flag('IsActive'),
  choice('Family', ['None']),
  text('StockKeepingUnit', 180),
];

const PRICE_BOOK: readonly FieldDef[] = [
  text('Name', 255, required),
  flag('IsActive'),
  flag('IsStandard', readOnly),
  text('Description', 255),
];

const PRICE_BOOK_ENTRY: readonly FieldDef[] = [
  text('Name', 255, computed),
  lookup('Pricebook2Id', 'Pricebook2', 'PricebookEntries', { ...fixedAtCreate, cascade: true }),
  lookup('Product2Id', 'Product2', 'PricebookEntries', { ...fixedAtCreate, cascade: true }),
  money('UnitPrice', required),
  flag('IsActive'),
  flag('UseStandardPrice'),
  text('ProductCode', 255, computed),
];

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

function timeZone(): FieldDef {
  return choice('TimeZoneSidKey', TIME_ZONES, { restricted: true, defaultValue: 'Europe/Paris' });
}

const USER: readonly FieldDef[] = [
  text('Username', 80, { ...required, unique: true }),
  text('LastName', 80, required),
  text('FirstName', 40),
  text('Name', 121, { ...computed, ...required }),
  field('Email', 'email', { length: 128, ...required }),
  text('Alias', 8, required),
  lookup('ProfileId', 'Profile', 'Users', required),
  text('Title', 80),
  field('Phone', 'phone', { length: 40 }),
  flag('IsActive', { defaultValue: true }),
  choice('UserType', ['Standard'], { ...readOnly }),
  timeZone(),
  text('LocaleSidKey', 40, { defaultValue: 'en_US' }),
  text('LanguageLocaleKey', 40, { defaultValue: 'en_US' }),
];

const GROUP: readonly FieldDef[] = [
  text('Name', 40, required),
  text('DeveloperName', 80),
  choice('Type', ['Regular', 'Queue'], { restricted: true, ...fixedAtCreate }),
];

/** Fields of GroupMember. Groups that are members of groups are not simulated. */
const GROUP_MEMBER: readonly FieldDef[] = [
  lookup('GroupId', 'Group', 'GroupMembers', { ...fixedAtCreate, cascade: true }),
  lookup('UserOrGroupId', 'User', null, fixedAtCreate),
];

/** Fields of QueueSobject, which lists the objects whose rows a queue may own (Object Reference). */
const QUEUE_SOBJECT: readonly FieldDef[] = [
  lookup('QueueId', 'Group', 'QueueSobjects', { ...fixedAtCreate, cascade: true }),
  choice('SobjectType', ['Case', 'Lead'], { ...fixedAtCreate }),
];

const ORGANIZATION: readonly FieldDef[] = [
  text('Name', 80, required),
  text('InstanceName', 5, readOnly),
  flag('IsSandbox', readOnly),
  text('OrganizationType', 40, readOnly),
  text('NamespacePrefix', 15, readOnly),
  field('TrialExpirationDate', 'datetime', readOnly),
  text('Division', 80),
  area('Street', 255),
  text('City', 40),
  text('State', 80),
  text('PostalCode', 20),
  text('Country', 80),
  field('Phone', 'phone', { length: 40 }),
  text('PrimaryContact', 80),
  field('FiscalYearStartMonth', 'int', { precision: 2, defaultValue: 1, ...readOnly }),
  flag('UsesStartDateAsFiscalYearName', readOnly),
  timeZone(),
  text('DefaultLocaleSidKey', 40, { defaultValue: 'en_US' }),
  text('LanguageLocaleKey', 40, { defaultValue: 'en_US' }),
];

/**
 * Fields of the history of an object (Object Reference: OpportunityFieldHistory, LeadHistory). One row for each change of a tracked field,
 * and one for the creation.
 */
const historyOf = (object: string): readonly FieldDef[] => [
  lookup(`${object}Id`, object, 'Histories', { ...readOnly, cascade: true }),
  choice('Field', [], { ...readOnly, nillable: false, restricted: true }),
  field('OldValue', 'anyType', readOnly),
  field('NewValue', 'anyType', readOnly),
];

/** Field history objects by name, with the object that they track and the lookup to its row. */
export const HISTORIES: Readonly<Record<string, { readonly of: string; readonly by: string }>> = {
  OpportunityFieldHistory: { of: 'Opportunity', by: 'OpportunityId' },
  LeadHistory: { of: 'Lead', by: 'LeadId' },
};

const RECORD_TYPE: readonly FieldDef[] = [
  text('Name', 80, required),
  text('DeveloperName', 80, required),
  choice('SobjectType', [], required),
  flag('IsActive', { defaultValue: true }),
  text('Description', 255),
];

/** Settings of objects that show the setup. They are read-only in the API. */
const SETUP = { writable: false, deletable: false } as const;

/** The standard objects that the simulator knows. The CRM package adds fields to them. */
export const STANDARD_OBJECTS: readonly StandardObject[] = [
  standard('Organization', 'Organizations', '00D', ORGANIZATION, { writable: false, deletable: false }),
  standard('RecordType', 'Record Types', '012', RECORD_TYPE, { writable: false, deletable: false }),
  standard('User', 'Users', '005', USER, { writable: true, deletable: false }),
  standard('Group', 'Groups', '00G', GROUP),
  standard('GroupMember', 'Group Members', '011', GROUP_MEMBER),
  standard('QueueSobject', 'Queue Sobjects', '03g', QUEUE_SOBJECT),
  standard('Account', 'Accounts', '001', ACCOUNT),
  standard('Contact', 'Contacts', '003', CONTACT),
  standard('Opportunity', 'Opportunities', '006', OPPORTUNITY),
  standard('OpportunityLineItem', 'Opportunity Products', '00k', LINE),
  standard('OpportunityContactRole', 'Opportunity Contact Roles', '00K', CONTACT_ROLE),
  // All histories have one key prefix.
  standard('LeadHistory', 'Lead Histories', '017', historyOf('Lead'), { writable: false, deletable: false }),
  standard('OpportunityFieldHistory', 'Opportunity Field Histories', '017', historyOf('Opportunity'), {
    writable: false,
    deletable: false,
  }),
  standard('Product2', 'Products', '01t', PRODUCT),
  standard('Pricebook2', 'Price Books', '01s', PRICE_BOOK),
  standard('PricebookEntry', 'Price Book Entries', '01u', PRICE_BOOK_ENTRY),
  standard('Lead', 'Leads', '00Q', LEAD),
  standard('LeadStatus', 'Lead Status Values', '01J', LEAD_STATUS, { writable: false, deletable: false }),
  standard('Case', 'Cases', '500', CASE),
  standard('Task', 'Tasks', '00T', TASK),
  standard('FeedItem', 'Feed Items', '0D5', FEED_ITEM),
  standard('FlowDefinitionView', 'Flow Definitions', '300', FLOW_DEFINITION_VIEW, { ...SETUP, isView: true }),
  standard('AssignmentRule', 'Assignment Rules', '01Q', ASSIGNMENT_RULE, SETUP),
  standard('DuplicateRule', 'Duplicate Rules', '0Bm', DUPLICATE_RULE, SETUP),
  standard('Profile', 'Profiles', '00e', PROFILE, SETUP),
  standard('OpportunityStage', 'Opportunity Stages', '01J', OPPORTUNITY_STAGE, SETUP),
  standard('PermissionSet', 'Permission Sets', '0PS', PERMISSION_SET, SETUP),
  standard('PermissionSetAssignment', 'Permission Set Assignments', '0Pa', PERMISSION_SET_ASSIGNMENT, SETUP),
];

function standard(
  name: string,
  labelPlural: string,
  keyPrefix: string,
  fields: readonly FieldDef[],
  flags: { writable: boolean; deletable: boolean; isView?: true } = { writable: true, deletable: true },
): StandardObject {
  return { name, labelPlural, keyPrefix, fields, ...flags };
}
