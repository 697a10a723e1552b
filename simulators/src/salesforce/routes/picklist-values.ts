import { createHash } from 'node:crypto';
import type { Org } from '../org.ts';
import type { RecordTypeSource } from '../schema/package-rules.ts';
import { FORECAST_NAMES, stageOf } from '../schema/stages.ts';
import type { FieldDef, ObjectDef, PicklistValue } from '../schema/types.ts';
import { failure, notFound } from '../store/failure.ts';
import type { ApiRequest, Params, Route } from './route.ts';

/** Id of the master record type, which every object has and which offers every value. */
const MASTER = '012000000000000AAA';
const ID_LENGTH = 15;
/** Objects of this org that the User Interface API does not know ("Supported Objects"). */
const UNSUPPORTED: ReadonlySet<string> = new Set(['Task', 'RecordType', 'Organization']);

const OF_TYPE = '/ui-api/object-info/:type/picklist-values/:recordType';

/**
 * Routes for the picklist values that a record type offers, of fields that the user sees (User Interface API Developer Guide: "Picklist
 * Values").
 */
export const PICKLIST_VALUE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: OF_TYPE,
    operation: 'picklistValues',
    handle: (org, request, params) => {
      const object = supported(org, params['type']);
      const picklists = [...object.fields.values()].filter(isPicklist);
      const picklistFieldValues = Object.fromEntries(
        picklists.map((field) => [field.name, valuesOf(org, request, { object, field, params })]),
      );
      return { status: 200, body: { eTag: eTagOf(picklistFieldValues), picklistFieldValues } };
    },
  },
  {
    method: 'GET',
    pattern: `${OF_TYPE}/:field`,
    operation: 'picklistValues.field',
    handle: (org, request, params) => {
      const object = supported(org, params['type']);
      const field = object.fields.get(params['field']?.toLowerCase() ?? '');
      if (field === undefined) throw notFound();
      if (!isPicklist(field)) throw failure(400, 'INVALID_FIELD', `Field ${field.name} is not a picklist.`);
      return { status: 200, body: valuesOf(org, request, { object, field, params }) };
    },
  },
];

function supported(org: Org, name = ''): ObjectDef {
  const object = org.store.schema.object(name);
  if (object !== undefined && !UNSUPPORTED.has(object.name)) return object;
  throw failure(400, 'INVALID_TYPE', `Object ${name} is not supported in UI API`);
}

function isPicklist({ type }: FieldDef): boolean {
  return type === 'picklist' || type === 'multipicklist';
}

type Asked = { readonly object: ObjectDef; readonly field: FieldDef; readonly params: Params };

function valuesOf(org: Org, { base }: ApiRequest, asked: Asked): object {
  const { object, field, params } = asked;
  const offered = offeredBy(org, object, params['recordType'] ?? '').get(field.name);
  const shown = field.picklist.filter(
    ({ value }) => offered === undefined || offered.some((each) => each.value === value),
  );
  const isDefault = ({ value, isDefault: byField }: PicklistValue) =>
    offered === undefined ? byField : offered.some((each) => each.value === value && each.isDefault);
  const controlling = object.fields.get(field.controller?.toLowerCase() ?? '')?.picklist ?? [];
  const values = shown.map((choice) => choiceOf(org, asked, choice));
  const answer = {
    controllerValues: Object.fromEntries(controlling.map(({ value }, place) => [value, place])),
    defaultValue: values[shown.findIndex(isDefault)] ?? null,
    url: `${base}/ui-api/object-info/${object.name}/picklist-values/${params['recordType']}/${field.name}`,
    values,
  };
  return { ...answer, eTag: eTagOf(answer) };
}

/** The values that a record type offers, by field. The error for an unknown record type, or one of another object, is assumed. */
function offeredBy(org: Org, object: ObjectDef, id: string): RecordTypeSource['picklists'] {
  if (id.slice(0, ID_LENGTH) === MASTER.slice(0, ID_LENGTH)) return new Map();
  const row = [...org.store.rows('RecordType')].find(
    (each) => String(each['Id']).slice(0, ID_LENGTH) === id.slice(0, ID_LENGTH),
  );
  if (row?.['SobjectType'] !== object.name) throw notFound();
  const type = org.metadata.rules.recordTypes.find(
    (each) => each.object === object.name && each.name === row['DeveloperName'],
  );
  return type?.picklists ?? new Map();
}

function choiceOf(org: Org, asked: Asked, { value, label, validFor }: PicklistValue): object {
  return { attributes: attributesOf(org, asked, value), label, validFor: validFor ?? [], value };
}

/** The attributes of a stage, in the API's own spelling ("Picklist Value": attributes). */
function attributesOf({ store }: Org, { object, field }: Asked, value: string): object | null {
  if (object.name !== 'Opportunity' || field.name !== 'StageName') return null;
  const { closed, probability, forecast, won } = stageOf(store.rows('OpportunityStage'), value);
  return {
    closed,
    defaultProbability: probability,
    forecastCategoryName: FORECAST_NAMES[forecast],
    picklistAtrributesValueType: 'OpportunityStage',
    won,
  };
}

function eTagOf(body: unknown): string {
  return createHash('md5').update(JSON.stringify(body)).digest('hex');
}
