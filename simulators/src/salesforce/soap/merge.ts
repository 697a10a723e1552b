import type { XmlElement } from '@rgrove/parse-xml';
import type { Org } from '../org.ts';
import type { ObjectDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import { writableRow } from '../store/find.ts';
import { rowsOf } from '../store/relations.ts';
import { childrenNamed, textOf, valuesOf } from './envelope.ts';

/** The result of a merge (SOAP API Developer Guide, "merge()": MergeResult). */
export type Merged = {
  readonly id: string;
  readonly mergedRecordIds: readonly string[];
  /** Ids of rows that referred to a merged row. */
  readonly updatedRelatedIds: readonly string[];
};

const MERGEABLE: ReadonlySet<string> = new Set(['Account', 'Contact', 'Lead', 'Case']);
/** Elements of a record that are not fields. */
const NO_FIELDS: ReadonlySet<string> = new Set(['type', 'Id', 'fieldsToNull']);
const MOST_LOSERS = 2;

/** Merges one or two rows into the master record, whose fields are written first; all or none. Throws the status codes of SOAP results. */
export function mergeRecords(org: Org, userId: string, request: XmlElement): Merged {
  return org.store.transact(() => {
    const [master] = childrenNamed(request, 'masterRecord');
    const object = objectOf(org, textOf(master, 'type') ?? master?.attributes['xsi:type'] ?? '');
    const losers = childrenNamed(request, 'recordToMergeIds').map(({ text }) => text.trim());
    if (losers.length === 0 || losers.length > MOST_LOSERS) {
      throw failure(400, 'INVALID_NUMBER_FIELDS', `a merge takes one or ${MOST_LOSERS} records`, []);
    }
    const by = { userId };
    const winnerId = textOf(master, 'Id') ?? '';
    const id = String(writableRow(org.store, object, winnerId)['Id']);
    if (master !== undefined) org.dml.update(object, id, fieldsOf(object, master), by);
    const updatedRelatedIds: string[] = [];
    const mergedRecordIds = losers.map((loserId) => {
      const loser = String(writableRow(org.store, object, loserId)['Id']);
      updatedRelatedIds.push(...relatedTo(org, object, loser));
      org.dml.merge(object, id, loser, by);
      return loser;
    });
    return { id, mergedRecordIds, updatedRelatedIds };
  });
}

function objectOf(org: Org, type: string): ObjectDef {
  // In the enterprise WSDL the type is in `xsi:type`, with a prefix.
  const object = org.store.schema.object(type.replace(/^.*:/, ''));
  if (object !== undefined && MERGEABLE.has(object.name)) return object;
  throw failure(400, 'INVALID_TYPE_FOR_OPERATION', `entity type ${type} does not support merge`, []);
}

/** The values of a record in XML, where everything is text. */
function fieldsOf(object: ObjectDef, record: XmlElement): Readonly<Record<string, unknown>> {
  const given = valuesOf(record).filter(([name]) => !NO_FIELDS.has(name));
  const values = given.map(([name, text]) => {
    const isFlag = object.fields.get(name.toLowerCase())?.type === 'boolean';
    return [name, isFlag ? text === 'true' : text] as const;
  });
  const nulls = childrenNamed(record, 'fieldsToNull').map(({ text }) => [text.trim(), null] as const);
  return Object.fromEntries([...values, ...nulls]);
}

function relatedTo(org: Org, object: ObjectDef, id: string): readonly string[] {
  return org.store.schema
    .children(object.name)
    .filter(({ field }) => field !== 'MasterRecordId')
    .flatMap(({ childObject, field }) => rowsOf(org.store, childObject, field, id))
    .map((row) => String(row['Id']));
}
