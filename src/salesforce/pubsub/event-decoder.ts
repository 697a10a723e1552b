import { setTimeout as pause } from 'node:timers/promises';
import avro from 'avsc';
import type { ChangeEvent } from '../../domain/streams/change-events.ts';
import { namesOf, type SchemaField } from './bitmaps.ts';

/** Decodes the change events of one Avro schema. `decode` throws if an event does not have that schema. */
export type EventDecoder = {
  /** The schema's name, such as `ContactChangeEvent`. */
  readonly name: string;
  readonly decode: (payload: Buffer) => ChangeEvent;
};

const HEADER = 'ChangeEventHeader';

/**
 * The maximum size of an accepted event schema: in characters, and in names of fields and types. An object has at most 800 custom fields.
 * Most of the time to parse a schema is spent on its names.
 */
const [MOST_TEXT, MOST_NAMES] = [512 * 1024, 2_000];
/** The largest event that Salesforce sends, in bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Makes a decoder for an Avro schema. Throws if the text is not the schema of a change event, or if the schema allows a list whose decoding
 * could take very long.
 */
export function createDecoder(schemaJson: string): EventDecoder {
  if (schemaJson.length > MOST_TEXT || schemaJson.split('"name"').length > MOST_NAMES)
    throw new TypeError('a large schema');
  const type = avro.Type.forSchema(JSON.parse(schemaJson) as avro.Schema);
  if (!(type instanceof avro.types.RecordType) || type.fields[0]?.name !== HEADER)
    throw new TypeError('no schema of a change event');
  if (hasOtherLists(type)) throw new TypeError('a list of other items than texts');
  const fields = type.fields.map(({ name, type: of }): SchemaField => ({ name, parts: partsOf(of) }));
  return { name: type.name ?? '', decode: (payload) => eventOf(fields, read(type, payload)) };
}

/** The size, in bytes, from which on an event is large: decoding it may take milliseconds, so Lockstep pauses afterwards. */
const LARGE_BYTES = 16 * 1024;

/**
 * After a large event, Lockstep pauses this many times as long as the decoding of the event took, so that the process can do other work.
 */
const PAUSE_FACTOR = 10;

/**
 * Decodes an event. After a large event, pauses for ten times as long as the decoding took, so that an answer with many events leaves most
 * of the process's time to other work.
 */
export async function decodeInTurn({ decode }: EventDecoder, payload: Buffer): Promise<ChangeEvent> {
  const begunMs = performance.now();
  try {
    return decode(payload);
  } finally {
    if (payload.length >= LARGE_BYTES) await pause(Math.ceil(PAUSE_FACTOR * (performance.now() - begunMs)));
  }
}

function read(type: avro.Type, payload: Buffer): Message {
  if (payload.length > MOST_BYTES) throw new TypeError('a large event');
  return type.fromBuffer(payload) as Message;
}

/**
 * Whether an Avro type contains a map, or a list whose items are not texts. Change events have neither, and decoding such a list could take
 * very long.
 */
function hasOtherLists(type: avro.Type): boolean {
  if (type instanceof avro.types.MapType) return true;
  if (type instanceof avro.types.ArrayType) return !(type.itemsType instanceof avro.types.StringType);
  if (type instanceof avro.types.RecordType) return type.fields.some((field) => hasOtherLists(field.type));
  return branchesOf(type).some(hasOtherLists);
}

/** The types that an Avro union type consists of; empty for any other type. */
function branchesOf(type: avro.Type): readonly avro.Type[] {
  return (type as { readonly types?: readonly avro.Type[] }).types ?? [];
}

type Message = Readonly<Record<string, unknown>> & { readonly [HEADER]: Header };
type Header = {
  readonly entityName: string;
  readonly recordIds: readonly string[];
  readonly changeType: string;
  readonly changeOrigin: string;
  readonly transactionKey: string;
  readonly commitUser: string;
  readonly changedFields: readonly string[];
};

function eventOf(fields: readonly SchemaField[], { [HEADER]: header, ...values }: Message): ChangeEvent {
  const { recordIds, changedFields } = header;
  const texts = [header.entityName, header.changeType, header.changeOrigin, header.transactionKey, header.commitUser];
  if (![recordIds, changedFields].every(Array.isArray) || ![...texts, ...recordIds, ...changedFields].every(isText))
    throw new TypeError('no header of a change event');
  return {
    object: header.entityName,
    ids: header.recordIds,
    type: header.changeType,
    origin: header.changeOrigin,
    user: header.commitUser,
    transaction: header.transactionKey,
    // Cleared fields are among the changed fields too, with a null value. The header's `nulledFields` may lack some of them.
    changed: namesOf(fields, header.changedFields),
    values,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * The names of the subfields of a compound field, such as an address. In the event's Avro schema, the type of a compound field is an Avro
 * record, or a union that contains one. The fields of that Avro record are the subfields. Empty for any other type.
 */
function partsOf(type: avro.Type): readonly string[] {
  if (type instanceof avro.types.RecordType) return type.fields.map(({ name }) => name);
  return branchesOf(type).flatMap(partsOf);
}
