import { FIELDS } from './fields.ts';

/** The permission set of the CRM package for the integration user. */
const OF_PACKAGE = 'Lockstep_Integration';

const MAPPED_BY_DEFAULT: ReadonlySet<string> = new Set(Object.values(FIELDS).map(({ crm }) => crm));
/** Objects of a deal other than the opportunity, and their standard fields that the package's permission set shows. */
const BESIDE: ReadonlySet<string> = new Set(['Account', 'Contact', 'User', 'OpportunityLineItem', 'Product2']);
const STANDARD = /^(?:Name|Website|Billing\w+|Email|FirstName|LastName|Phone|Salutation|Title|TotalPrice)$/;
const OWN = /^(?:Vendor|Lockstep)_/;

/**
 * Whether the package's permission set shows this field to the integration user. `name`: an opportunity field's API name, or a path such as
 * `Account.Website`. For other fields in a mapping, the org needs its own permission set.
 */
export function isInPackage(name: string): boolean {
  const [object = '', field] = name.split('.');
  if (field === undefined) return OWN.test(name) || MAPPED_BY_DEFAULT.has(name);
  return BESIDE.has(object) && (OWN.test(field) || STANDARD.test(field));
}

/**
 * The part of a sentence that asks an administrator to give the integration user access to these fields; without names, to the CRM
 * package's fields.
 */
export function grantOf(names: readonly string[]): string {
  const others = names.filter((name) => !isInPackage(name));
  const own = `assign the permission set ${OF_PACKAGE} to the integration user`;
  if (others.length === 0) return own;
  const extra = (what: string): string =>
    `let a permission set of the org show ${what} to the integration user, because ${OF_PACKAGE} does not include it`;
  return others.length === names.length ? extra('it') : `${own}, and ${extra(others.join(', '))}`;
}
