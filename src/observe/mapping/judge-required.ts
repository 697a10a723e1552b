import { mappedCrmFields } from '../../domain/mapping/index.ts';
import type { CrmSchema } from '../../domain/record/crm-schema.ts';
import type { CrmNames } from '../../domain/record/mapping-config.ts';
import type { Misfit } from './problem.ts';

/** Opportunity fields that every import (creating an opportunity from a vendor record) fills. The org may require values for them. */
const GIVEN: ReadonlySet<string> = new Set([
  'Name',
  'StageName',
  'CloseDate',
  'OwnerId',
  'AccountId',
  'Vendor_Share__c',
  'Vendor_Id__c',
]);

/**
 * Objects that belong to a deal besides the opportunity. Every check of the org reads their descriptions, because every mapping uses them.
 */
export const BESIDE = ['Account', 'Contact', 'OpportunityLineItem', 'Product2', 'User'] as const;

/**
 * Problems of imports (creating opportunities from vendor records): opportunity fields that the org requires and an import cannot fill, and
 * mapped fields of other objects that the org hides.
 */
export function judgeRequired(mapping: CrmNames, schema: CrmSchema): readonly Misfit[] {
  const fields = schema['Opportunity']?.fields ?? {};
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired === true && !GIVEN.has(name));
  const mapped = mappedCrmFields('Opportunity', mapping);
  return [
    ...required.map(
      (name): Misfit => ({
        at: ['fields'],
        verdict: 'warns',
        what: mapped.includes(name)
          ? `Opportunity.${name} is required by the org, and a vendor’s record may lack it`
          : `Opportunity.${name} is required by the org, and nothing of the vendor’s fills it`,
        repair:
          'give the field a default value in the org, or let it be empty: else no vendor-created deal can be made',
      }),
    ),
    ...BESIDE.flatMap((object) => hiddenOf(object, schema)),
  ];
}

function hiddenOf(object: string, schema: CrmSchema): readonly Misfit[] {
  const described = schema[object];
  const at = ['fields'];
  const repair = 'deploy the package, and assign the permission set Lockstep_Integration to the integration user';
  if (described === undefined)
    return [{ at, verdict: 'fails', what: `${object} is not there, or hidden from the integration user`, repair }];
  const hidden = mappedCrmFields(object).filter((name) => described.fields[name] === undefined);
  if (hidden.length === 0) return [];
  const what = `${hidden.map((name) => `${object}.${name}`).join(', ')}: not there, or hidden from the integration user`;
  return [{ at, verdict: 'fails', what, repair }];
}
