import { choice, field, flag, lookup, readOnly, text } from './fields.ts';
import { FORECAST_NAMES } from './stages.ts';
import type { FieldDef } from './types.ts';

/** Names of user permissions that permission sets show as granted or not. */
export const USER_PERMISSIONS = ['ApiEnabled', 'EnableNotifications', 'ModifyAllData', 'ViewAllData', 'ViewSetup'];

/** Object Reference: FlowDefinitionView. */
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

/** Object Reference: DuplicateRule. */
export const DUPLICATE_RULE: readonly FieldDef[] = [
  text('DeveloperName', 80, readOnly),
  text('MasterLabel', 80, readOnly),
  choice('SobjectType', [], readOnly),
  flag('IsActive', readOnly),
];

/** Object Reference: Profile. Its permission set shows what it grants. */
export const PROFILE: readonly FieldDef[] = [
  text('Name', 255, { ...readOnly, nillable: false }),
  text('Description', 255, readOnly),
  choice('UserType', ['Standard'], { ...readOnly, restricted: true }),
];

/** Object Reference: OpportunityStage. */
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

/** Object Reference: PermissionSet. Each profile has its own permission set, with `IsOwnedByProfile`. */
export const PERMISSION_SET: readonly FieldDef[] = [
  text('Name', 80, readOnly),
  flag('IsOwnedByProfile', readOnly),
  lookup('ProfileId', 'Profile', null, readOnly),
  ...USER_PERMISSIONS.map((name) => flag(`Permissions${name}`, readOnly)),
];

/** Object Reference: PermissionSetAssignment. */
export const PERMISSION_SET_ASSIGNMENT: readonly FieldDef[] = [
  lookup('PermissionSetId', 'PermissionSet', 'Assignments', readOnly),
  lookup('AssigneeId', 'User', 'PermissionSetAssignments', readOnly),
  flag('IsActive', readOnly),
];
