import { FIELDS } from './fields.ts';

/** The API name of the CRM package's permission set for the integration user. */
const OF_PACKAGE = 'Lockstep_Integration';

const MAPPED_BY_DEFAULT: ReadonlySet<string> = new Set(Object.values(FIELDS).map(({ crm }) => crm));
/**
 * Objects, other than the opportunity, that contain fields of a deal. The package's permission set makes standard fields of these objects
 * visible.
 */
const BESIDE: ReadonlySet<string> = new Set(['Account', 'Contact', 'User', 'OpportunityLineItem', 'Product2']);
const STANDARD = /^(?:Name|Website|Billing\w+|Email|FirstName|LastName|Phone|Salutation|Title|TotalPrice)$/;
const OWN = /^(?:Vendor|Lockstep)_/;

/**
 * Whether the permission set of Lockstep's CRM package lets the integration user see this field. `name`: the API name of an opportunity
 * field, or a path such as `Account.Website`. For any other mapped field, the org must add a permission set.
 */
export function isInPackage(name: string): boolean {
  const [object = '', field] = name.split('.');
  if (field === undefined) return OWN.test(name) || MAPPED_BY_DEFAULT.has(name);
  return BESIDE.has(object) && (OWN.test(field) || STANDARD.test(field));
}

/**
 * The part of a sentence that asks an administrator to let the integration user see these fields. Without names, it asks for the CRM
 * package's permission set.
 */
export function grantOf(names: readonly string[]): string {
  const others = names.filter((name) => !isInPackage(name));
  const own = `assign the permission set ${OF_PACKAGE} to the integration user`;
  if (others.length === 0) return own;
  const extra = (what: string): string =>
    `let a permission set of the org show ${what} to the integration user, because ${OF_PACKAGE} does not include it`;
  return others.length === names.length ? extra('it') : `${own}, and ${extra(others.join(', '))}`;
}
