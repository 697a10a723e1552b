import { choice, field, flag, lookup, readOnly, text } from './fields.ts';
import { FORECAST_NAMES } from './stages.ts';
import type { FieldDef } from './types.ts';

/** Names of user permissions that permission sets show as granted or not. */
export const USER_PERMISSIONS = ['ApiEnabled', 'EnableNotifications', 'ModifyAllData', 'ViewAllData', 'ViewSetup'];

/** Fields of FlowDefinitionView (Object Reference). */
export const FLOW_DEFINITION_VIEW: readonly FieldDef[] = [
  text('DurableId', 255, readOnly),
  text('ApiName', 255, readOnly),
  text('Label', 255, readOnly),
  choice('ProcessType', [], readOnly),
  choice('TriggerType', [], readOnly),
  choice('RecordTriggerType', [], readOnly),
  text('ActiveVersionId', 255, readOnly),
  flag('IsActive', readOnly),
];

/** Fields of DuplicateRule (Object Reference). */
export const DUPLICATE_RULE: readonly FieldDef[] = [
  text('DeveloperName', 80, readOnly),
  text('MasterLabel', 80, readOnly),
  choice('SobjectType', [], readOnly),
  flag('IsActive', readOnly),
];

/** Fields of AssignmentRule (Object Reference). */
export const ASSIGNMENT_RULE: readonly FieldDef[] = [
  text('Name', 120, readOnly),
  choice('SobjectType', ['Case', 'Lead'], readOnly),
  flag('Active', readOnly),
];

/** Fields of Profile (Object Reference). A profile's own permission set shows what it grants. */
export const PROFILE: readonly FieldDef[] = [
  text('Name', 255, { ...readOnly, nillable: false }),
  text('Description', 255, readOnly),
  choice('UserType', ['Standard'], { ...readOnly, restricted: true }),
];

/** Fields of OpportunityStage (Object Reference). */
export const OPPORTUNITY_STAGE: readonly FieldDef[] = [
  text('MasterLabel', 255, readOnly),
  text('ApiName', 255, readOnly),
  flag('IsActive', readOnly),
  field('SortOrder', 'int', { precision: 9, ...readOnly }),
  flag('IsClosed', readOnly),
  flag('IsWon', readOnly),
  choice('ForecastCategory', Object.keys(FORECAST_NAMES), { ...readOnly, restricted: true }),
  choice('ForecastCategoryName', Object.values(FORECAST_NAMES), readOnly),
  field('DefaultProbability', 'percent', { precision: 3, ...readOnly }),
  text('Description', 255, readOnly),
];

/** Fields of PermissionSet (Object Reference). Each profile has its own permission set, with `IsOwnedByProfile`. */
export const PERMISSION_SET: readonly FieldDef[] = [
  text('Name', 80, readOnly),
  flag('IsOwnedByProfile', readOnly),
  lookup('ProfileId', 'Profile', null, readOnly),
  ...USER_PERMISSIONS.map((name) => flag(`Permissions${name}`, readOnly)),
];

/** Fields of PermissionSetAssignment (Object Reference). */
export const PERMISSION_SET_ASSIGNMENT: readonly FieldDef[] = [
  lookup('PermissionSetId', 'PermissionSet', 'Assignments', readOnly),
  lookup('AssigneeId', 'User', 'PermissionSetAssignments', readOnly),
  flag('IsActive', readOnly),
];
