import type { FieldName, Observed } from '../../record/canonical.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { contactBody } from '../kinds/contacts.ts';
import { entityBody } from '../kinds/entity.ts';
import { lineBodies } from '../kinds/lines.ts';
import type { CreateBody, CreateContext } from '../types.ts';
import { type BodyParts, CORE_FIELDS, coreValue, intentOf } from './fields.ts';

/**
 * The full body of a create (sales spec 4.1). Unset optional fields are left out, so that the vendor's documented
 * defaults apply. `intent` is null when a required field is missing; issues of optional fields leave just that
 * field or line out. Pure.
 */
export function createBody(record: Observed, context: CreateContext): CreateBody {
  const parts: BodyParts = { core: {}, rest: {}, record: {} };
  const issues: Issue[] = [];
  addCore(record, context, parts, issues);
  addLines(record, context, parts, issues);
  addEntity(record, parts);
  addContacts(record, parts);
  const missing = REQUIRED.filter((field) => !(field in parts.record));
  if (context.config.partnerId === '') issues.push(ISSUES.partnerIdMissing());
  issues.push(...missing.map((field) => ISSUES.requiredOnCreate(field, REPAIRS[field])));
  const complete = missing.length === 0 && context.config.partnerId !== '';
  return {
    intent: complete ? intentOf(parts, context.reference, context.config.partnerId) : null,
    issues,
  };
}

const REQUIRED = [
  'name',
  'status',
  'closeDate',
  'currency',
  'offerLines',
  'customerLegalEntity',
] as const satisfies readonly FieldName[];

const REPAIRS: Readonly<Record<(typeof REQUIRED)[number], string>> = {
  name: 'fill Opportunity.Name',
  status: 'choose an Opportunity.StageName that has a vendor status',
  closeDate: 'fill Opportunity.CloseDate',
  currency: 'fill Opportunity.CurrencyIsoCode or the currency of the tenant file',
  offerLines: 'add a product with Product2.Vendor_Offer_Id__c to the opportunity',
  customerLegalEntity:
    'fill Opportunity.AccountId with an account whose address and vendor fields the integration user may see',
};

function addCore(record: Observed, { config }: CreateContext, parts: BodyParts, issues: Issue[]): void {
  for (const field of CORE_FIELDS) {
    const result = coreValue(field, record, record.status ?? null, config);
    if (result.kind === 'send') {
      parts.core[field] = result.value;
      parts.record[field] = record[field];
    }
    if (result.kind === 'withhold' && result.issue !== null) issues.push(result.issue);
  }
}

function addLines(record: Observed, { config }: CreateContext, parts: BodyParts, issues: Issue[]): void {
  const lines = lineBodies(record.offerLines ?? [], config, new Set());
  issues.push(...lines.issues);
  if (lines.sent.length === 0) return;
  parts.rest['offerLines'] = lines.body;
  parts.record['offerLines'] = lines.sent;
}

function addEntity(record: Observed, parts: BodyParts): void {
  const entity = record.customerLegalEntity;
  if (entity === undefined || entity === null) return;
  const siteId = record.customerSiteId ?? null;
  parts.rest['customerLegalEntity'] = entityBody(entity, siteId);
  parts.record['customerLegalEntity'] = entity;
  parts.record['customerSiteId'] = siteId;
}

function addContacts(record: Observed, parts: BodyParts): void {
  for (const field of ['customerContacts', 'partnerContacts'] as const) {
    const contacts = record[field] ?? [];
    if (contacts.length === 0) continue;
    parts.rest[field] = contacts.map((contact) => contactBody(contact, 'create'));
    parts.record[field] = contacts;
  }
}
