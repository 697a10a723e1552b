import avro from 'avsc';
import type { ChangeEvent } from '../../domain/streams/change-events.ts';
import { namesOf, type SchemaField } from './bitmaps.ts';

/** Reads events of one schema. Throws if the payload is not of the schema. */
export type EventDecoder = {
  /** The schema's name, such as `ContactChangeEvent`. */
  readonly name: string;
  readonly decode: (payload: Buffer) => ChangeEvent;
};

const HEADER = 'ChangeEventHeader';

/** Makes a decoder from the text of an Avro schema. Throws if the text is no schema of a change event. */
export function createDecoder(schemaJson: string): EventDecoder {
  const type = avro.Type.forSchema(JSON.parse(schemaJson) as avro.Schema);
  if (!(type instanceof avro.types.RecordType) || type.fields[0]?.name !== HEADER)
    throw new TypeError('no schema of a change event');
  const fields = type.fields.map(({ name, type: of }): SchemaField => ({ name, parts: partsOf(of) }));
  return { name: type.name ?? '', decode: (payload) => eventOf(fields, type.fromBuffer(payload) as Message) };
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

/** Returns the parts of a compound field: the fields of its record type, which may be inside a union. */
function partsOf(type: avro.Type): readonly string[] {
  if (type instanceof avro.types.RecordType) return type.fields.map(({ name }) => name);
  const branches = (type as { readonly types?: readonly avro.Type[] }).types ?? [];
  return branches.flatMap(partsOf);
}
