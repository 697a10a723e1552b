import { LEAD_FIELDS } from '../../domain/mapping/leads/lead-fields.ts';
import type { CrmSchema, SchemaObject } from '../../domain/record/crm-schema.ts';
import type { LeadSettings, MappingConfig } from '../../domain/record/mapping-config.ts';
import { statusCode } from '../../domain/values/status.ts';
import type { Misfit } from './problem.ts';

/** The CRM objects whose descriptions are needed to check the mapping's section `leads`: `Lead` if the mapping syncs leads, else none. */
export function objectsOfLeads({ leads }: MappingConfig): readonly string[] {
  return leads === undefined ? [] : ['Lead'];
}

/**
 * Problems of the mapping's section `leads`: fields that the org lacks, and lead statuses that cannot be sent or received. None if the
 * tenant syncs no leads.
 */
export function judgeLeads(mapping: MappingConfig, { Lead }: CrmSchema): readonly Misfit[] {
  const { leads } = mapping;
  if (leads === undefined) return [];
  if (Lead === undefined) return [HIDDEN];
  return [...withoutFields(Lead), ...withoutOffer(leads), ...leads.statuses.flatMap(judged(mapping, Lead))];
}

const HIDDEN: Misfit = {
  at: ['leads'],
  verdict: 'fails',
  what: 'leads: Lead is hidden from the integration user',
  repair: 'assign the permission set Lockstep_Leads to the integration user',
};

function withoutFields({ fields }: SchemaObject): readonly Misfit[] {
  const ours = Object.values(LEAD_FIELDS).flatMap((names) => Object.values(names));
  const missing = [...new Set(ours)].filter((name) => name.endsWith('__c') && fields[name] === undefined);
  const hidden = REQUIRED.filter((name) => fields[name] === undefined);
  return [
    ...shownNone(missing, 'deploy crm-package/leads and assign Lockstep_Leads'),
    ...shownNone(hidden, 'show it to the integration user: the vendor takes no lead without it'),
  ];
}

/** Standard fields of a lead that the vendor requires. A lead is not sent if one of these fields is hidden. */
const REQUIRED = ['Company', 'Country', 'Status'] as const;

function shownNone(names: readonly string[], repair: string): readonly Misfit[] {
  if (names.length === 0) return [];
  return [
    { at: ['leads'], verdict: 'fails', what: `leads: the org does not show ${names.join(', ')} of Lead`, repair },
  ];
}

function withoutOffer({ offer }: LeadSettings): readonly Misfit[] {
  if (offer !== null) return [];
  const what = 'leads.offer: a lead that names no product waits, because the vendor requires an offer';
  return [
    { at: ['leads', 'offer'], verdict: 'warns', what, repair: 'set it, or let sales persons choose "Vendor: offer"' },
  ];
}

function judged(mapping: MappingConfig, { fields }: SchemaObject) {
  const inOrg = fields['Status']?.values ?? [];
  return ({ stage, status, inbound }: LeadSettings['statuses'][number], place: number): readonly Misfit[] => {
    const at = ['leads', 'statuses', place];
    if (statusCode(status, mapping) === null) {
      const what = `leads.statuses: ${status} has no code, so leads with the status ${stage} wait`;
      return [{ at, verdict: 'warns', what, repair: `give its code as vendor.values.status.${status}` }];
    }
    if (inOrg.length === 0 || inOrg.includes(stage)) return [];
    const moved = inbound ? ', to which the vendor’s status moves leads' : '';
    const what = `leads.statuses: the org has no active lead status ${stage}${moved}`;
    return [{ at, verdict: inbound ? 'fails' : 'warns', what, repair: 'give the row the name that the org has' }];
  };
}
