import { createHash } from 'node:crypto';
import avro from 'avsc';
import type { FieldDef, FieldType, ObjectDef } from '../schema/types.ts';
import { apiInstantMs } from '../store/instant.ts';
import type { Value } from '../store/row.ts';
import { CHANGE_TYPES, type ChangeEvent } from './change-event.ts';
import { eventNameOf } from './entities.ts';
import { type EventField, eventFields } from './event-fields.ts';

/** How an object's change events are written: their Avro schema, and its id. */
export interface EventSchema {
  readonly object: ObjectDef;
  readonly id: string;
  readonly json: string;
  /**
   * The event in Avro's binary form, with the fields that `maySee` allows; other fields appear unchanged. `enriched`: the fields that the
   * channel adds where they have a value (Change Data Capture guide: Enrich Change Events).
   */
  encode(event: ChangeEvent, maySee: (field: FieldDef) => boolean, enriched?: readonly string[]): Buffer;
}

const NAMESPACE = 'com.sforce.eventbus';

/**
 * Avro types, and the annotations that schemas of real orgs show beside them: no document lists them, and those of `id`, `url`,
 * `anyType` and of texts that are areas are assumed. Dates and date-times are epoch milliseconds.
 */
const AVRO: Readonly<Record<FieldType, readonly [type: string, doc: string]>> = {
  id: ['string', 'Data:EntityId'],
  string: ['string', 'Data:Text'],
  textarea: ['string', 'Data:StringPlusClob'],
  picklist: ['string', 'Data:DynamicEnum'],
  multipicklist: ['string', 'Data:MultiEnum'],
  boolean: ['boolean', 'Data:Boolean'],
  int: ['int', 'Data:Integer'],
  double: ['double', 'Data:Double'],
  currency: ['double', 'Data:Currency'],
  percent: ['double', 'Data:Percent'],
  date: ['long', 'Data:DateOnly'],
  datetime: ['long', 'Data:DateTime'],
  email: ['string', 'Data:Email'],
  phone: ['string', 'Data:Phone'],
  url: ['string', 'Data:Url'],
  reference: ['string', 'ForeignKey:EntityId'],
  anyType: ['string', 'Data:Text'],
};

export function eventSchema(object: ObjectDef): EventSchema {
  const fields = eventFields(object);
  const declared = {
    name: eventNameOf(object),
    namespace: NAMESPACE,
    type: 'record',
    fields: [headerField(), ...declareAll(object, fields)],
  };
  const id = createHash('md5').update(JSON.stringify(declared)).digest('base64url');
  const json = JSON.stringify({ ...declared, uuid: id });
  const type = avro.Type.forSchema(JSON.parse(json));
  return {
    object,
    id,
    json,
    encode: (event, maySee, enriched = []) => type.toBuffer(messageOf(fields, withBesides(event, enriched), maySee)),
  };
}

function headerField(): object {
  const texts = { type: 'array', items: 'string' };
  const type = {
    type: 'record',
    name: 'ChangeEventHeader',
    fields: [
      { name: 'entityName', type: 'string' },
      { name: 'recordIds', type: texts },
      { name: 'changeType', type: { type: 'enum', name: 'ChangeType', symbols: CHANGE_TYPES } },
      { name: 'changeOrigin', type: 'string' },
      { name: 'transactionKey', type: 'string' },
      { name: 'sequenceNumber', type: 'int' },
      { name: 'commitTimestamp', type: 'long' },
      { name: 'commitNumber', type: 'long' },
      { name: 'commitUser', type: 'string' },
      { name: 'nulledFields', type: texts },
      { name: 'diffFields', type: texts },
      { name: 'changedFields', type: texts },
    ],
  };
  return { name: 'ChangeEventHeader', type };
}

/** The body's fields, each nullable. A compound type is declared at its first use and named at later ones. */
function declareAll(object: ObjectDef, fields: readonly EventField[]): readonly object[] {
  const known = new Set<string>();
  return fields.map((each) => {
    if (each.kind === 'single') return declare(object, each.name, each.field);
    const isKnown = known.has(each.type);
    known.add(each.type);
    const parts = each.parts.map(({ name }) => ({ name, type: ['null', 'string'], default: null }));
    const record = isKnown ? each.type : { type: 'record', name: each.type, fields: parts };
    return { name: each.name, type: ['null', record], default: null };
  });
}

function declare(object: ObjectDef, name: string, field: FieldDef): object {
  const [type, annotation] = AVRO[field.type];
  const doc = field.custom ? `${annotation}:${fieldId(object, field)}` : annotation;
  return { name, type: ['null', type], doc, default: null };
}

/** The id of a custom field, 15 characters, as in schemas of real orgs; equal in all simulated orgs. */
function fieldId(object: ObjectDef, field: FieldDef): string {
  const digest = createHash('sha256').update(`${object.name}.${field.name}`).digest('base64');
  return `00N${digest.replace(/[^A-Za-z0-9]/g, '').slice(0, 12)}`;
}

/** The event with the values of these fields added, although the change did not touch the fields. */
function withBesides({ besides = {}, ...event }: ChangeEvent, enriched: readonly string[]): ChangeEvent {
  const added = Object.entries(besides).filter(([name, value]) => enriched.includes(name) && value !== null);
  return { ...event, values: { ...Object.fromEntries(added), ...event.values } };
}

/** The event as its schema has it: header and body. */
function messageOf(fields: readonly EventField[], event: ChangeEvent, maySee: (field: FieldDef) => boolean): object {
  const tells = (field: FieldDef | null): field is FieldDef =>
    field !== null && field.name in event.values && maySee(field);
  const shownValue = (field: FieldDef | null) =>
    tells(field) ? avroValue(field, event.values[field.name] ?? null) : null;
  const body = fields.map((each): [string, unknown] => {
    if (each.kind === 'single') return [each.name, shownValue(each.field)];
    const hasValue = each.parts.some(({ field }) => shownValue(field) !== null);
    return [
      each.name,
      hasValue ? Object.fromEntries(each.parts.map((part) => [part.name, shownValue(part.field)])) : null,
    ];
  });
  const isChanged = (field: FieldDef | null) => tells(field) && event.changed.includes(field.name);
  const { changed: _, values, ...header } = event;
  return {
    ChangeEventHeader: {
      ...header,
      changedFields: bitmaps(fields, isChanged),
      nulledFields: bitmaps(fields, (field) => isChanged(field) && values[field?.name ?? ''] === null),
      diffFields: [],
    },
    ...Object.fromEntries(body),
  };
}

/**
 * Fields as bits of their positions in the schema (Event Deserialization Considerations): one hexadecimal number for single fields, and
 * `place-number` for the parts of each compound.
 */
function bitmaps(fields: readonly EventField[], holds: (field: FieldDef | null) => boolean): readonly string[] {
  const single = fields.map((each) => each.kind === 'single' && holds(each.field));
  const nested = fields.flatMap((each, index) => {
    if (each.kind === 'single') return [];
    const bits = each.parts.map(({ field }) => holds(field));
    return bits.includes(true) ? [`${index + 1}-${hexOf(bits)}`] : [];
  });
  // The header is the first field of the schema.
  return single.includes(true) ? [hexOf([false, ...single]), ...nested] : nested;
}

function hexOf(bits: readonly boolean[]): string {
  const number = bits.reduce((sum, bit, place) => (bit ? sum | (1n << BigInt(place)) : sum), 0n);
  const digits = number.toString(16).toUpperCase();
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

function avroValue(field: FieldDef, value: Value): Value {
  const isTime = field.type === 'date' || field.type === 'datetime';
  return isTime && typeof value === 'string' ? apiInstantMs(value) : value;
}
