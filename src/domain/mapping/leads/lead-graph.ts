import type { CrmFields, CrmGraph, CrmValue, LeadState } from '../../record/crm-graph.ts';
import { LEAD_FIELDS } from './lead-fields.ts';

/** A lead as the CRM shows it. A field that is missing in `fields` is hidden from the integration user. */
export type LeadRow = {
  readonly fields: CrmFields;
  /** Fields of the lead's product, among them the id of its offer; null if the lead has no product, or if the product cannot be read. */
  readonly product: CrmFields | null;
  /** The owning user's `Email`, `FirstName`, `LastName`; null if a queue owns the lead, or the owner cannot be read. */
  readonly owner: CrmFields | null;
  /** The fields of the lead's child record `Lockstep_Lead_Sync__c`, which shows the state of the sync; null if there is none yet. */
  readonly sync: CrmFields | null;
};

/**
 * Represents a lead as if it were an opportunity with account, contact and line, so that mapping and decisions are the same for leads and
 * opportunities. The company and address become the account, the person becomes the only contact, and the offer becomes the only line. If
 * the lead has no name for the deal, the deal gets the company's name. Pure.
 *
 * @param offer the `offerNameId` for a lead that names no offer; null if there is none
 * @param readAt when the CRM answered, ISO
 */
export function graphOfLead(row: LeadRow, offer: string | null, readAt: string): CrmGraph {
  const { fields, owner, sync } = row;
  const opportunity = under(LEAD_FIELDS.opportunity, fields);
  const name = textOf(opportunity['Name']) ?? fields['Company'];
  return {
    opportunity: {
      ...opportunity,
      ...(name === undefined ? {} : { Name: name }),
      ...{ AccountId: null, Amount: null, Pricebook2Id: null },
      ...(isWithoutOpportunity(fields) ? { IsConverted: true } : {}),
    },
    account: under(LEAD_FIELDS.account, fields),
    lines: linesOf(row, offer),
    contacts: [under(LEAD_FIELDS.contact, fields)],
    owner,
    sync,
    readAt,
    lead: stateOf(fields),
  };
}

/**
 * The only line of a lead, made from the lead's offer. The line's id is the lead's id, so that it stays the same line when the lead gets
 * another offer. Empty if the lead names no offer and the tenant has no default offer.
 */
function linesOf({ fields, product }: LeadRow, offer: string | null): readonly CrmFields[] {
  const line = under(LEAD_FIELDS.line, fields);
  const isNamed = textOf(line['Product2Id']) !== null;
  if (!isNamed && offer === null) return [];
  const ofProduct = isNamed ? (product ?? {}) : { Vendor_Offer_Id__c: offer };
  const cells = Object.entries(ofProduct).map(([name, value]) => [`Product2.${name}`, value] as const);
  return [{ ...line, Id: String(fields['Id']), Quantity: 1, ...Object.fromEntries(cells) }];
}

/** Whether a lead was converted without an opportunity. Lockstep does not sync the deal of such a lead. */
function isWithoutOpportunity(fields: CrmFields): boolean {
  return fields['IsConverted'] === true && textOf(fields['ConvertedOpportunityId']) === null;
}

function stateOf(fields: CrmFields): LeadState {
  return {
    isConverted: fields['IsConverted'] === true,
    opportunityId: textOf(fields['ConvertedOpportunityId']),
    mergedInto: textOf(fields['MasterRecordId']),
    namesOffer: (fields[LEAD_FIELDS.line.Product2Id] ?? fields[LEAD_FIELDS.line.TotalPrice] ?? null) !== null,
  };
}

function textOf(value: CrmValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function under(names: Readonly<Record<string, string>>, fields: CrmFields): CrmFields {
  const cells = Object.entries(names).flatMap(([name, leadField]) => {
    const value = fields[leadField];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(cells);
}
