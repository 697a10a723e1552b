import { fromCrmText } from '../../domain/mapping/index.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmSchema, OfferedValues, SchemaField, SchemaObject } from '../../domain/record/crm-schema.ts';
import { NARROWABLE } from '../../domain/record/fields.ts';
import type { ImportAssignment } from '../../domain/record/import-assignment.ts';
import { crmFieldOf, directionOf, type MappingConfig } from '../../domain/record/mapping-config.ts';
import { FORECASTS, forecastCode, readForecast } from '../../domain/values/forecast.ts';
import { readReason } from '../../domain/values/reasons.ts';
import { fieldAt } from './judge-fields.ts';
import type { Misfit } from './problem.ts';

type Tenant = { readonly mapping: MappingConfig; readonly imports: ImportAssignment };

/**
 * Problems of record types. A record type that the settings for imports name is missing in the org. Or a record type does not offer a
 * picklist value that Lockstep writes after a change at the vendor. A restricted picklist refuses such a value (Salesforce Help: "Record
 * Types").
 */
export function judgeRecordTypes({ mapping, imports }: Tenant, schema: CrmSchema): readonly Misfit[] {
  const opportunity = schema['Opportunity'];
  if (opportunity === undefined) return [];
  const created = imports.recordType ?? opportunity.defaultRecordType;
  const written = writtenValues(mapping, schema);
  return [
    ...judgeNamed('recordType', imports.recordType, opportunity),
    ...judgeNamed('accountRecordType', imports.accountRecordType ?? null, schema['Account']),
    ...Object.entries(opportunity.offered).flatMap(([name, offered]): readonly Misfit[] =>
      offered === null
        ? [notShown(name)]
        : written.flatMap((each) => judgeOffer(each, offered, { name, isOfCreated: name === created })),
    ),
  ];
}

function judgeNamed(
  key: 'recordType' | 'accountRecordType',
  name: string | null,
  object: SchemaObject | undefined,
): readonly Misfit[] {
  if (name === null || object === undefined || object.recordTypes.includes(name)) return [];
  return [
    {
      at: ['imports', key],
      verdict: 'fails',
      what: `the record type ${name} of imports.${key} is not there, not active, or not for the integration user`,
      repair: `correct imports.${key} in the tenant file, or assign the record type to the integration user`,
    },
  ];
}

function notShown(name: string): Misfit {
  return {
    at: ['fields'],
    verdict: 'warns',
    what: `which values the record type ${name} offers is hidden from the integration user`,
    repair: 'let the integration user see opportunities, and look at the record type in Setup yourself',
  };
}

/** A picklist field that Lockstep writes after a change at the vendor, with the values that it may write. */
type Written = {
  readonly field: FieldName;
  readonly path: string;
  readonly found: SchemaField;
  readonly values: readonly string[];
  /** The vendor's meaning of a picklist value. If two picklist values have one meaning, Lockstep may write either of them. */
  readonly meaning: (value: string) => string;
};

function writtenValues(mapping: MappingConfig, schema: CrmSchema): readonly Written[] {
  return NARROWABLE.flatMap((field): readonly Written[] => {
    const path = crmFieldOf(field, mapping);
    const found = fieldAt(path, schema);
    if (found === null || path.includes('.') || directionOf(field, mapping) === 'to-vendor') return [];
    const meaning = meaningOf(field, mapping);
    const values = found.values.filter((value) => isVendors(field, value, mapping));
    return values.length === 0 ? [] : [{ field, path, found, values, meaning }];
  });
}

function meaningOf(field: FieldName, mapping: MappingConfig): (value: string) => string {
  return (value) => {
    const text = fromCrmText(value, field, mapping);
    if (field === 'forecastCategory') return readForecast(text, mapping);
    return field === 'reasonWon' || field === 'reasonLost' ? readReason(field, text, mapping) : text;
  };
}

/**
 * Whether a change at the vendor can make Lockstep write this picklist value. A stage: if the stage table allows the vendor's status to set
 * it. A forecast: if it is one of the vendor's categories (sales spec 2.3). A value of another field: always.
 */
function isVendors(field: FieldName, value: string, mapping: MappingConfig): boolean {
  if (field === 'status') return mapping.stages.some(({ stage, inbound }) => inbound && stage === value);
  if (field !== 'forecastCategory') return true;
  const code = meaningOf(field, mapping)(value);
  return Object.keys(FORECASTS).some((name) => (forecastCode(name, mapping) ?? name) === code);
}

function judgeOffer(
  { field, path, found, values, meaning }: Written,
  offered: OfferedValues,
  { name, isOfCreated }: { readonly name: string; readonly isOfCreated: boolean },
): readonly Misfit[] {
  const offer = offered[path];
  if (offer === undefined || (!found.isRestricted && !isOfCreated)) return [];
  const meant = new Set(offer.map(meaning));
  const missing = values.filter((value) => !meant.has(meaning(value)));
  if (missing.length === 0) return [];
  const type = `the record type ${name}${isOfCreated ? ', which vendor-created deals get,' : ''}`;
  const then = found.isRestricted
    ? 'the picklist is restricted, so a deal of that type waits to which the vendor gives one'
    : 'they are written all the same, and nobody can choose them';
  return [
    {
      at: field === 'status' ? ['stages'] : ['fields', field, 'crm'],
      verdict: found.isRestricted && isOfCreated ? 'fails' : 'warns',
      what: `${type} does not offer ${listed(missing)} of ${path}: ${then}`,
      repair: `let ${name} offer them (${field === 'status' ? 'its sales process' : 'Picklists Available for Editing'})${isOfCreated ? ', or name another in imports.recordType' : ''}`,
    },
  ];
}

const MOST_LISTED = 5;

function listed(values: readonly string[]): string {
  const more = values.length - MOST_LISTED;
  return values.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
