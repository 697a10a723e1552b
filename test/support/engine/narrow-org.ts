import { elements, type SourceFiles } from 'lockstep-simulators/testing';

/** An org whose administrator has shortened one field and made another a restricted picklist. */
export const NARROW_ORG: SourceFiles = {
  'objects/Opportunity/fields/Vendor_Campaign_Code__c.field-meta.xml': [
    'CustomField',
    elements({ fullName: 'Vendor_Campaign_Code__c', type: 'Text', length: 10 }),
  ],
  'objects/Opportunity/fields/Vendor_GTM_Tactic__c.field-meta.xml': [
    'CustomField',
    `${elements({ fullName: 'Vendor_GTM_Tactic__c', type: 'Picklist' })}<valueSet><restricted>true</restricted><valueSetDefinition>${['alpha', 'beta', 'padded', 'ümläut "q"'].map((name) => `<value>${elements({ fullName: name, default: false, label: name })}</value>`).join('')}</valueSetDefinition></valueSet>`,
  ],
};
