import { permissionableFields } from '../schema/permissionable.ts';
import { ALL_RIGHTS, NO_RIGHTS, type ObjectRights, type PermissionSet } from './types.ts';

const OWN_WORK: ObjectRights = { ...ALL_RIGHTS, viewAll: false, modifyAll: false };
const READ: ObjectRights = { ...NO_RIGHTS, read: true };

/**
 * What the profile Standard User grants of what is simulated: work on the records of sales, and reading of products (Help: "Standard
 * Profiles"). It grants no custom field and no custom object.
 */
export const SALES_PROFILE: PermissionSet = {
  name: 'Standard User',
  objects: new Map([
    ...['Account', 'Contact', 'Lead', 'Opportunity'].map((object) => [object, OWN_WORK] as const),
    ...['Product2', 'Pricebook2'].map((object) => [object, READ] as const),
  ]),
  fields: new Map(permissionableFields().map((field) => [field, 'edit'] as const)),
  custom: new Set(),
  user: new Set(['ApiEnabled', 'ConvertLeads', 'EditTask']),
  recordTypes: new Set(),
};
