import type { FieldDef } from './types.ts';

/**
 * Standard fields that field-level security can hide, by object: the fields that profiles of real orgs list under `fieldPermissions`.
 * Everybody who sees the object sees its other standard fields (Object Reference: `FieldPermissions`; Help: "Field-Level Security"). An
 * address is granted whole, under the name of the compound field.
 */
const STANDARD: Readonly<Record<string, readonly string[]>> = {
  Account: [
    'AccountNumber',
    'AnnualRevenue',
    'BillingAddress',
    'Description',
    'Fax',
    'Industry',
    'NumberOfEmployees',
    'ParentId',
    'Phone',
    'ShippingAddress',
    'Site',
    'Type',
    'Website',
  ],
  Contact: [
    'AccountId',
    'Department',
    'Description',
    'Email',
    'Fax',
    'LeadSource',
    'MailingAddress',
    'MobilePhone',
    'Phone',
    'ReportsToId',
    'Title',
  ],
  Lead: [
    'Address',
    'AnnualRevenue',
    'Description',
    'Email',
    'Fax',
    'Industry',
    'LeadSource',
    'MobilePhone',
    'NumberOfEmployees',
    'Phone',
    'Rating',
    'Title',
    'Website',
  ],
  Case: [
    'AccountId',
    'ContactId',
    'Description',
    'IsEscalated',
    'Origin',
    'ParentId',
    'Priority',
    'Reason',
    'Subject',
    'SuppliedCompany',
    'SuppliedEmail',
    'SuppliedName',
    'SuppliedPhone',
    'Type',
  ],
  Task: ['ActivityDate', 'Description', 'Subject', 'WhatId', 'WhoId'],
  Opportunity: [
    'AccountId',
    'Amount',
    'Description',
    'ExpectedRevenue',
    'LeadSource',
    'NextStep',
    'Probability',
    'TotalOpportunityQuantity',
    'Type',
  ],
  OpportunityLineItem: ['Description', 'Discount', 'ListPrice', 'ServiceDate', 'Subtotal'],
  Pricebook2: ['Description', 'IsActive'],
  Product2: ['Description', 'Family', 'IsActive', 'ProductCode', 'StockKeepingUnit'],
};

const ADDRESS_PART = /^(Billing|Shipping|Mailing|)(Street|City|State|StateCode|PostalCode|Country|CountryCode)$/;

/**
 * The name under which a permission set grants a field, such as `Account.BillingAddress` for `BillingCity`; null for a field that cannot be
 * hidden: a required one, a name, or a system field.
 */
export function permissionName(object: string, field: FieldDef): string | null {
  if (field.custom) return field.nillable || field.type === 'boolean' ? `${object}.${field.name}` : null;
  const whole = field.name.replace(ADDRESS_PART, '$1Address');
  return STANDARD[object]?.includes(whole) ? `${object}.${whole}` : null;
}

/** The standard fields that field-level security can hide, as `Object.Field`. */
export function permissionableFields(): readonly string[] {
  return Object.entries(STANDARD).flatMap(([object, fields]) => fields.map((field) => `${object}.${field}`));
}
