import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmSchema, SchemaField } from '../../domain/record/crm-schema.ts';
import { FIELDS, MAPPABLE } from '../../domain/record/fields.ts';
import { crmFieldOf, type MappingConfig } from '../../domain/record/mapping-config.ts';
import { CLIENT_FORECASTS, forecastCode } from '../../domain/values/forecast.ts';
import { listOfField } from '../../domain/values/lists.ts';
import { type ReasonField, shownReasons } from '../../domain/values/reasons.ts';
import type { NotedCode, StreamLedger } from '../../ledger/streams/stream-ledger.ts';
import { fieldAt, fitOf } from '../../observe/mapping/judge-fields.ts';
import { schemaFor } from '../../observe/mapping/judge-mapping.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { Crm } from '../../salesforce/crm.ts';

/** A field of Salesforce's opportunity, as the integration user sees it. */
export type OrgField = {
  readonly name: string;
  /** The field's label in the org; its API name if the org shows no label. */
  readonly label: string;
  readonly type: string;
  readonly isWritable: boolean;
  /**
   * The fields of Lockstep that can be mapped to this opportunity field. `holds`: the opportunity field can store their values. `shows`:
   * their values can only be read from it.
   */
  readonly fits: Readonly<Partial<Record<FieldName, 'holds' | 'shows'>>>;
};

export type MappingChoices = {
  readonly shape: 'mapping-choices/1';
  readonly tenant: string;
  readonly orgFields: readonly OrgField[];
  /** Names of the org's active opportunity stages. */
  readonly stages: readonly string[];
  /** The active revenue types that the picklist of the org's opportunity products has. */
  readonly revenueTypes: readonly string[];
  /**
   * The values from which a translation table of a field can be made: the org's picklist values (`crm`) and the vendor's codes (`vendor`).
   * Contains each field that can be mapped to another CRM field. Dates are left out, because the mapping cannot translate them.
   */
  readonly values: Readonly<
    Partial<Record<FieldName, { readonly crm: readonly string[]; readonly vendor: readonly string[] }>>
  >;
};

/**
 * The choices that a mapping can make: the org's fields and picklist values, and the vendor's known codes. `mapping` names the CRM fields
 * whose picklist values are returned. Throws the CRM's errors.
 */
export async function mappingChoices(
  ports: { readonly crm: Pick<Crm, 'schema'>; readonly ledger: Pick<StreamLedger, 'notedCodes'> },
  { tenant }: Pick<Tenant, 'tenant'>,
  mapping: MappingConfig,
): Promise<MappingChoices> {
  const schema = await schemaFor(ports.crm, mapping);
  const noted = await ports.ledger.notedCodes(tenant);
  const fields = schema['Opportunity']?.fields ?? {};
  return {
    shape: 'mapping-choices/1',
    tenant,
    orgFields: Object.entries(fields)
      .map(([name, field]) => orgField(name, field))
      .toSorted((one, other) => one.label.localeCompare(other.label) || one.name.localeCompare(other.name)),
    stages: fields['StageName']?.values ?? [],
    revenueTypes: schema['OpportunityLineItem']?.fields['Vendor_Revenue_Type__c']?.values ?? [],
    values: Object.fromEntries(
      MAPPABLE.filter((field) => FIELDS[field].kind !== 'date').map((field) => [
        field,
        {
          crm: valuesAt(crmFieldOf(field, mapping), schema),
          vendor: vendorValues(field, mapping, noted),
        },
      ]),
    ),
  };
}

function orgField(name: string, field: SchemaField): OrgField {
  const fits = MAPPABLE.flatMap((own) => {
    const fit = fitOf(own, field.type);
    return fit === null ? [] : [[own, fit] as const];
  });
  const { label = '', type, updateable, isCalculated } = field;
  return {
    ...{ name, label: label === '' ? name : label, type, isWritable: updateable && !isCalculated },
    fits: Object.fromEntries(fits),
  };
}

function valuesAt(path: string, schema: CrmSchema): readonly string[] {
  return fieldAt(path, schema)?.values ?? [];
}

/**
 * The vendor's known codes for a field: those in the vendor's documents, in the tenant's lists and tables, and in vendor records that
 * Lockstep has read.
 */
function vendorValues(field: FieldName, mapping: MappingConfig, noted: readonly NotedCode[]): readonly string[] {
  return [
    ...new Set([
      ...(listOfField(field, mapping) ?? []),
      ...documented(field, mapping),
      ...noted.filter((one) => one.field === field).map(({ code }) => code),
      ...(mapping.fields?.[field]?.values ?? []).map(([, code]) => code),
    ]),
  ];
}

function documented(field: FieldName, mapping: MappingConfig): readonly string[] {
  if (field === 'forecastCategory')
    return CLIENT_FORECASTS.map((name) => forecastCode(name, mapping)).filter((code) => code !== null);
  if (field === 'reasonWon' || field === 'reasonLost') return reasonsOf(field, mapping);
  return [];
}

function reasonsOf(field: ReasonField, { values }: MappingConfig): readonly string[] {
  return [...shownReasons(field), ...Object.values(values[field])];
}
