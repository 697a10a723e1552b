import type { Org } from '../org.ts';
import { USER_PERMISSIONS } from '../schema/setup-objects.ts';
import { makeId } from '../store/ids.ts';
import { toApiInstant } from '../store/instant.ts';
import type { Row, Value } from '../store/row.ts';
import { plantStages } from './plant-stages.ts';

type Fields = Readonly<Record<string, Value>>;

/**
 * Replaces the rows that show an org's setup: flows, duplicate rules, profiles, permission sets, to whom they are assigned, and the stages
 * of opportunities. Their ids depend only on their position in the list. Users without a profile get a profile.
 */
export function plantSetup(org: Org): void {
  const { store } = org;
  for (const [type, rows] of Object.entries(setupRows(org))) {
    for (const { Id } of [...store.rows(type)]) store.purge(type, String(Id));
    for (const [place, fields] of rows.entries()) store.put(type, rowOf(org, type, place, fields));
  }
  plantStages(org, org.picklists.list());
  for (const user of [...store.rows('User')]) {
    const place = user['Id'] === org.identity.salesUserId ? 0 : 1;
    store.put('User', { ...user, ProfileId: user['ProfileId'] ?? idAt(org, '00e', place) });
  }
}

/** The administrator's profile, and a profile that grants nothing. */
const PROFILES = ['System Administrator', 'Minimum Access - Salesforce'] as const;

function setupRows(org: Org): Readonly<Record<string, readonly Fields[]>> {
  const { flows, duplicateRules } = org.metadata.setup;
  const sets = permissionSets(org);
  return {
    FlowDefinitionView: flows.map((flow, place) => ({
      ApiName: flow.name,
      Label: flow.label,
      ProcessType: flow.processType,
      TriggerType: flow.triggerType,
      RecordTriggerType: flow.recordTriggerType,
      IsActive: flow.isActive,
      DurableId: idAt(org, '300', place),
      ActiveVersionId: flow.isActive ? idAt(org, '301', place) : null,
    })),
    DuplicateRule: duplicateRules.map(({ object, name, label, isActive }) => ({
      DeveloperName: name,
      MasterLabel: label,
      SobjectType: object,
      IsActive: isActive,
    })),
    AssignmentRule: org.metadata.rules.assignmentRules.map((rule) => ({
      Name: rule.name,
      SobjectType: rule.object,
      Active: rule.isActive,
    })),
    Profile: PROFILES.map((Name) => ({ Name, Description: null, UserType: 'Standard' })),
    PermissionSet: sets.map(({ fields }) => fields),
    PermissionSetAssignment: sets.flatMap(({ assignees }, place) =>
      assignees.map((AssigneeId) => ({
        AssigneeId,
        PermissionSetId: idAt(org, '0PS', place),
        IsActive: true,
      })),
    ),
  };
}

/** Permission sets of the two profiles and of the package. */
function permissionSets(org: Org) {
  const { metadata, access, identity } = org;
  const { salesUserId, integrationUserId } = identity;
  const assigned = new Set(access.grants(integrationUserId).sets);
  const granting = (Name: string, profile: number | null, grants: (permission: string) => boolean): Fields => ({
    Name,
    IsOwnedByProfile: profile !== null,
    ProfileId: profile === null ? null : idAt(org, '00e', profile),
    ...Object.fromEntries(USER_PERMISSIONS.map((each) => [`Permissions${each}`, grants(each)])),
  });
  return [
    { fields: granting('X00eAdministrator', 0, () => true), assignees: [salesUserId] },
    { fields: granting('X00eBaseProfile', 1, () => false), assignees: [integrationUserId] },
    ...metadata.permissionSets.map((set) => ({
      fields: granting(set.name, null, (each) => set.user.has(each)),
      assignees: assigned.has(set) ? [integrationUserId] : [],
    })),
  ];
}

function rowOf(org: Org, type: string, place: number, fields: Fields): Row {
  const object = org.store.schema.object(type);
  const at = toApiInstant(org.clock.now());
  const by = org.identity.salesUserId;
  const own = {
    CreatedDate: at,
    CreatedById: by,
    LastModifiedDate: at,
    LastModifiedById: by,
    SystemModstamp: at,
  };
  return {
    Id: idAt(org, object?.keyPrefix ?? '', place),
    ...(object?.fields.has('systemmodstamp') ? own : {}),
    ...fields,
  };
}

/** The id of a setup row, by its position in the list. All ids of an org contain two characters of its organization id. */
function idAt({ identity }: Org, keyPrefix: string, place: number): string {
  return makeId(keyPrefix, identity.organizationId.slice(3, 5), place + 1);
}
