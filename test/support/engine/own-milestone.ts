import { elements, type SourceFiles } from 'lockstep-simulators/testing';
import type { MappingConfig } from '../../../src/domain/record/mapping-config.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import type { World } from './world.ts';

/** An org in which the tenant has its own field for the milestone in addition to the package's field. */
export const ORG_WITH_OWN_MILESTONE: SourceFiles = {
  'objects/Opportunity/fields/Our_Milestone__c.field-meta.xml': [
    'CustomField',
    elements({ fullName: 'Our_Milestone__c', label: 'Milestone', type: 'Text', length: 80 }),
  ],
  'permissionsets/Own_Fields.permissionset-meta.xml': [
    'PermissionSet',
    `${elements({ label: 'Own fields' })}<fieldPermissions>${elements({ editable: true, field: 'Opportunity.Our_Milestone__c', readable: true })}</fieldPermissions>`,
  ],
};

/** The mapping layer that uses this field. */
export const OWN_MILESTONE = { nextMilestone: { crm: 'Our_Milestone__c' } } as const;

/** Replaces the tenant's mapping. */
export function remap(world: World, change: Partial<MappingConfig>): void {
  const runtime = world.runtime as { tenant: Tenant };
  const { tenant } = runtime;
  runtime.tenant = { ...tenant, mapping: { ...tenant.mapping, ...change } };
}
