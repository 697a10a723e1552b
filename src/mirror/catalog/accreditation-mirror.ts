import type { CatalogMirror } from './catalog-mirror.ts';

/** How an accreditation of the partner becomes a CRM row (order spec 2.14). */
export const ACCREDITATION_MIRROR = {
  kind: 'accreditation',
  source: 'searchAccreditations',
  object: 'Vendor_Accreditation__c',
  externalId: 'Accreditation_Key__c',
  fields: [
    { from: 'id', to: 'Accreditation_Id__c', kind: 'text' },
    { from: 'name', to: 'Accreditation_Name__c', kind: 'text' },
    { from: 'accreditationType', to: 'Accreditation_Type__c', kind: 'code' },
    { from: 'deploymentType', to: 'Deployment_Type__c', kind: 'code' },
    {
      from: 'industrySolutionExperience.id',
      to: 'Industry_Solution_Experience_Id__c',
      kind: 'text',
    },
    { from: 'industrySolutionExperience.name', to: 'Industry_Solution_Experience__c', kind: 'text' },
    { from: 'solutionRelease.id', to: 'Solution_Release_Id__c', kind: 'text' },
    { from: 'solutionRelease.name', to: 'Solution_Release__c', kind: 'text' },
    { from: 'industry.id', to: 'Industry_Id__c', kind: 'text' },
    { from: 'industry.name', to: 'Industry__c', kind: 'text' },
  ],
  others: ['Accreditation_Key__c', 'Active__c'],
  active: 'Active__c',
} as const satisfies CatalogMirror;
