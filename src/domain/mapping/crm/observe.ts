import type { FieldName, Observed } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph, CrmValue } from '../../record/crm-graph.ts';
import { FIELDS } from '../../record/fields.ts';
import { ISSUES } from '../../record/issues.ts';
import type { CrmObservation } from '../../record/observation.ts';
import { calendarDate } from '../../values/date.ts';
import { readForecast } from '../../values/forecast.ts';
import { statusOfStage } from '../../values/status.ts';
import { codeSet, readText } from '../../values/text.ts';
import type { MappingConfig } from '../config.ts';
import { crmCustomerContacts, crmPartnerContacts } from '../kinds/contacts.ts';
import { entityOfAccount, SITE_ID_FIELD } from '../kinds/entity.ts';
import { crmLines } from '../kinds/lines.ts';
import { rawMembers, readMember } from '../kinds/members.ts';
import type { Part } from '../types.ts';
import { OPPORTUNITY_FIELD_NAMES, OPPORTUNITY_FIELDS, type OpportunityField } from './fields.ts';

/**
 * The canonical record of a CRM graph (sales spec 2.1 to 2.7). A field that the user may not see, or whose value
 * has no translation, is left out: it is unknown, and never means "cleared". Pure.
 */
export function observeCrm(graph: CrmGraph, config: MappingConfig): CrmObservation {
  const currency = readText(graph.opportunity['CurrencyIsoCode']) || config.currency;
  const parts: readonly Part[] = [
    { record: opportunityFields(graph.opportunity, config), issues: [] },
    { record: { currency }, issues: [] },
    status(graph.opportunity, config),
    { record: company(graph), issues: [] },
    crmLines(graph.lines, currency, config),
    crmCustomerContacts(graph.contacts),
    crmPartnerContacts(graph.owner),
  ];
  const record = Object.assign({}, ...parts.map((part) => part.record)) as Observed;
  return { graph, record, issues: parts.flatMap((part) => part.issues) };
}

/** The canonical value of one Opportunity field; undefined when it is no value of that kind. */
export function readCrmValue(field: OpportunityField, value: CrmValue, config: MappingConfig): unknown {
  const { kind } = FIELDS[field];
  const text = readText(value);
  if (kind === 'codes') return crmCodes(field, text ?? '', config);
  if (text === null || text === undefined) return text;
  if (kind === 'date') return calendarDate(text, config.zone) ?? undefined;
  return field === 'forecastCategory' ? readForecast(text, config) : text;
}

function crmCodes(field: FieldName, text: string, config: MappingConfig): readonly string[] {
  return codeSet(rawMembers(text).map((member) => readMember(field, member, config)));
}

function opportunityFields(opportunity: CrmFields, config: MappingConfig): Observed {
  const record: Record<string, unknown> = {};
  for (const field of OPPORTUNITY_FIELD_NAMES) {
    const value = opportunity[OPPORTUNITY_FIELDS[field]];
    const known = value === undefined ? undefined : readCrmValue(field, value, config);
    if (known !== undefined) record[field] = known;
  }
  return record;
}

function status(opportunity: CrmFields, config: MappingConfig): Part {
  const stage = readText(opportunity['StageName']);
  if (stage === undefined) return { record: {}, issues: [] };
  const code = stage === null ? null : statusOfStage(stage, config);
  if (code !== null) return { record: { status: code }, issues: [] };
  return { record: {}, issues: [ISSUES.statusWithoutCode()] };
}

function company(graph: CrmGraph): Observed {
  const { account } = graph;
  if (account === null) {
    const none = graph.opportunity['AccountId'] === null;
    return none ? { customerSiteId: null, customerLegalEntity: null } : {};
  }
  const customerLegalEntity = entityOfAccount(account);
  const customerSiteId = readText(account[SITE_ID_FIELD]);
  return {
    ...(customerLegalEntity === undefined ? {} : { customerLegalEntity }),
    ...(customerSiteId === undefined ? {} : { customerSiteId }),
  };
}
