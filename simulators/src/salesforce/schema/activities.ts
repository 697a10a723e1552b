import { area, choice, field, flag, lookup, readOnly, text } from './fields.ts';
import type { FieldDef } from './types.ts';

/** A status in a new org's list for leads or cases. The first status is the default. */
export type LeadStatus = { readonly name: string; readonly converted: boolean };

export const LEAD_STATUSES: readonly LeadStatus[] = [
  { name: 'Open - Not Contacted', converted: false },
  { name: 'Working - Contacted', converted: false },
  { name: 'Closed - Converted', converted: true },
  { name: 'Closed - Not Converted', converted: false },
];

export const CLOSED_CASE = 'Closed';
export const CLOSED_TASK = 'Completed';
export const HIGH_PRIORITY = 'High';

const required = { nillable: false } as const;
const computed = { ...readOnly, calculated: false } as const;
const owner = () => lookup('OwnerId', 'User', null, required);
/** The owner of an object whose rows queues may own. */
const queueable = () => lookup('OwnerId', 'Group', null, { ...required, others: ['User'] });

function listed(name: string, values: readonly string[], defaultValue: string): FieldDef {
  return choice(name, values, { ...required, defaultValue });
}

export const LEAD_SOURCES = ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other'];
export const RATINGS = ['Hot', 'Warm', 'Cold'];
export const SALUTATIONS = ['Mr.', 'Ms.', 'Mrs.', 'Dr.', 'Prof.', 'Mx.'];
export const INDUSTRIES = ['Banking', 'Education', 'Energy', 'Healthcare', 'Manufacturing', 'Technology', 'Other'];

/** Fields of Lead (Object Reference). */
export const LEAD: readonly FieldDef[] = [
  lookup('MasterRecordId', 'Lead', null, { ...readOnly }),
  text('LastName', 80, required),
  text('FirstName', 40),
  choice('Salutation', SALUTATIONS),
  text('Name', 121, { ...computed, ...required }),
  text('Title', 128),
  text('Company', 255, required),
  area('Street', 255),
  text('City', 40),
  text('State', 80),
  text('PostalCode', 20),
  text('Country', 80),
  field('Phone', 'phone', { length: 40 }),
  field('MobilePhone', 'phone', { length: 40 }),
  field('Fax', 'phone', { length: 40 }),
  field('Email', 'email', { length: 80 }),
  field('Website', 'url', { length: 255 }),
  area('Description', 32000),
  choice('LeadSource', LEAD_SOURCES),
  listed(
    'Status',
    LEAD_STATUSES.map(({ name }) => name),
    LEAD_STATUSES[0]?.name ?? '',
  ),
  choice('Industry', INDUSTRIES),
  choice('Rating', RATINGS),
  field('AnnualRevenue', 'currency', { precision: 18 }),
  field('NumberOfEmployees', 'int', { precision: 8 }),
  queueable(),
  // Only the lead conversion sets these fields.
  flag('IsConverted', { ...computed }),
  field('ConvertedDate', 'date', computed),
  lookup('ConvertedAccountId', 'Account', null, { ...computed }),
  lookup('ConvertedContactId', 'Contact', null, { ...computed }),
  lookup('ConvertedOpportunityId', 'Opportunity', null, { ...computed }),
  flag('IsUnreadByOwner'),
  field('LastActivityDate', 'date', computed),
  text('Jigsaw', 20),
  text('EmailBouncedReason', 255, computed),
  field('EmailBouncedDate', 'datetime', computed),
];

/** Fields of LeadStatus (Object Reference). */
export const LEAD_STATUS: readonly FieldDef[] = [
  text('MasterLabel', 255, { ...readOnly, ...required }),
  text('ApiName', 255, readOnly),
  field('SortOrder', 'int', { precision: 9, ...readOnly }),
  flag('IsDefault', readOnly),
  flag('IsConverted', readOnly),
];

/** Fields of Case (Object Reference). */
export const CASE: readonly FieldDef[] = [
  lookup('MasterRecordId', 'Case', null, { ...readOnly }),
  text('CaseNumber', 30, { ...computed, ...required }),
  lookup('ContactId', 'Contact', 'Cases', { restrict: true }),
  lookup('AccountId', 'Account', 'Cases', { restrict: true }),
  lookup('ParentId', 'Case', 'Cases'),
  text('SuppliedName', 80),
  field('SuppliedEmail', 'email', { length: 80 }),
  text('SuppliedPhone', 40),
  text('SuppliedCompany', 80),
  choice('Type', ['Electrical', 'Electronic', 'Mechanical', 'Structural', 'Other']),
  listed('Status', ['New', 'Working', 'Escalated', CLOSED_CASE], 'New'),
  choice('Reason', ['Installation', 'Equipment Complexity', 'Performance', 'Breakdown', 'Feedback', 'Other']),
  choice('Origin', ['Phone', 'Email', 'Web']),
  text('Subject', 255),
  choice('Priority', [HIGH_PRIORITY, 'Medium', 'Low'], { defaultValue: 'Medium' }),
  area('Description', 32000),
  flag('IsClosed', readOnly),
  field('ClosedDate', 'datetime', computed),
  flag('IsEscalated'),
  queueable(),
];

/** Fields of Task (Object Reference). `WhoId` and `WhatId` may refer to several objects. */
export const TASK: readonly FieldDef[] = [
  lookup('WhoId', 'Contact', 'Tasks', { label: 'Name ID', others: ['Lead'] }),
  lookup('WhatId', 'Account', 'Tasks', {
    label: 'Related To ID',
    others: ['Opportunity', 'Case', 'Product2'],
    cascade: true,
  }),
  text('Subject', 255),
  field('ActivityDate', 'date', { label: 'Due Date Only' }),
  listed('Status', ['Not Started', 'In Progress', CLOSED_TASK, 'Waiting on someone else', 'Deferred'], 'Not Started'),
  listed('Priority', [HIGH_PRIORITY, 'Normal', 'Low'], 'Normal'),
  flag('IsHighPriority', readOnly),
  owner(),
  area('Description', 32000),
  lookup('AccountId', 'Account', null, { ...computed }),
  flag('IsClosed', readOnly),
  field('CompletedDateTime', 'datetime', computed),
  flag('IsArchived', readOnly),
  field('CallDurationInSeconds', 'int', { precision: 8 }),
  choice('CallType', ['Internal', 'Inbound', 'Outbound']),
  text('CallDisposition', 255),
  text('CallObject', 255),
  field('ReminderDateTime', 'datetime'),
  flag('IsReminderSet'),
];

/** Fields of FeedItem, a post on the feed of a record (Object Reference). */
export const FEED_ITEM: readonly FieldDef[] = [
  lookup('ParentId', 'Opportunity', 'Feeds', {
    ...required,
    updateable: false,
    others: ['Account', 'Contact', 'Lead', 'Case', 'Product2'],
    cascade: true,
  }),
  choice('Type', ['TextPost', 'LinkPost', 'ContentPost', 'TrackedChange'], {
    restricted: true,
    updateable: false,
    defaultValue: 'TextPost',
  }),
  text('Title', 255),
  area('Body', 10_000),
  field('LinkUrl', 'url', { length: 1000 }),
  flag('IsRichText'),
  choice('Visibility', ['AllUsers', 'InternalUsers'], { restricted: true, defaultValue: 'AllUsers' }),
];

/** Fields that a polymorphic lookup shows of its target (SOQL reference: "Understanding Relationship Fields and Polymorphic Fields"). */
export const NAME_FIELDS: readonly FieldDef[] = [
  text('Name', 121, readOnly),
  text('FirstName', 40, readOnly),
  text('LastName', 80, readOnly),
  text('Type', 40, readOnly),
  field('Email', 'email', { length: 80, ...readOnly }),
  field('Phone', 'phone', { length: 40, ...readOnly }),
  text('Title', 128, readOnly),
];
