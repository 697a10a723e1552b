import type { MirrorField } from '../mirror.ts';
import type { CatalogMirror } from './catalog-mirror.ts';

/** Fields of a product from its latest release (order spec 2.16). */
export const INFORMATION_FIELDS = [
  { from: 'number', to: 'Vendor_Product_Number__c', kind: 'text' },
  { from: 'trigram', to: 'Vendor_Trigram__c', kind: 'text' },
  { from: 'type', to: 'Vendor_Product_Type__c', kind: 'code' },
  { from: 'defaultSupportLevel', to: 'Vendor_Support_Level__c', kind: 'code' },
  { from: 'licensingScheme', to: 'Vendor_Licensing_Scheme__c', kind: 'code' },
  { from: 'dsOffering', to: 'Vendor_Offering__c', kind: 'code' },
  { from: 'remoteAccess', to: 'Vendor_Remote_Access__c', kind: 'flag' },
  { from: 'extendedEnterpriseUser', to: 'Vendor_Extended_Enterprise_User__c', kind: 'flag' },
  { from: 'release', to: 'Vendor_Release__c', kind: 'text' },
  { from: 'name', to: 'Name', kind: 'text' },
  { from: 'prerequisite', to: 'Vendor_Prerequisite__c', kind: 'text' },
  { from: 'availabilityStatus', to: 'Vendor_Availability__c', kind: 'code' },
  { from: 'portfolio', to: 'Vendor_Portfolio__c', kind: 'text' },
] as const satisfies readonly MirrorField[];

export const RELEASE_FIELDS = [
  { from: 'release', to: 'Release__c', kind: 'text' },
  { from: 'name', to: 'Product_Name__c', kind: 'text' },
  { from: 'prerequisite', to: 'Prerequisite__c', kind: 'text' },
  { from: 'availabilityStatus', to: 'Availability__c', kind: 'code' },
] as const satisfies readonly MirrorField[];

/** Fields of a package component (order spec 2.17). */
export const CONTENT_FIELDS = [
  { from: 'number', to: 'Component_Number__c', kind: 'text' },
  { from: 'portfolio', to: 'Portfolio__c', kind: 'text' },
  { from: 'release', to: 'Release__c', kind: 'text' },
  { from: 'quantity', to: 'Quantity__c', kind: 'number' },
] as const satisfies readonly MirrorField[];

const BY_NUMBER = 'Vendor_Product_Number__c';

/** How a product of the vendor becomes a product in the CRM, with the fields of its latest release. */
export const PRODUCT_MIRROR = {
  kind: 'product',
  source: 'searchProductInformation',
  object: 'Product2',
  externalId: BY_NUMBER,
  fields: INFORMATION_FIELDS,
  others: ['ProductCode', 'IsActive'],
  active: 'IsActive',
} as const satisfies CatalogMirror;

export const RELEASE_MIRROR = {
  kind: 'release',
  source: 'searchProductInformation',
  object: 'Vendor_Product_Release__c',
  externalId: 'Release_Key__c',
  fields: RELEASE_FIELDS,
  others: ['Release_Key__c', 'Product__c', 'Active__c'],
  active: 'Active__c',
  references: [{ field: 'Product__c', externalId: BY_NUMBER }],
} as const satisfies CatalogMirror;

/** How a component of a package or offer becomes a CRM row. Only components of the package's latest release are copied. */
export const COMPONENT_MIRROR = {
  kind: 'component',
  source: 'searchPackageContent',
  object: 'Vendor_Package_Component__c',
  externalId: 'Component_Key__c',
  fields: CONTENT_FIELDS,
  others: ['Component_Key__c', 'Package__c', 'Package_Release__c', 'Component__c', 'Active__c'],
  active: 'Active__c',
  references: [
    { field: 'Package__c', externalId: BY_NUMBER },
    { field: 'Component__c', externalId: BY_NUMBER },
  ],
} as const satisfies CatalogMirror;
