import type { RecordTypeSource } from '../schema/package-rules.ts';
import type { ObjectDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import type { Row } from '../store/row.ts';
import type { SaveContext } from '../store/rule-types.ts';

/** Record types by `Object.DeveloperName`. */
export type RecordTypes = ReadonlyMap<string, RecordTypeSource>;

export function indexRecordTypes(sources: readonly RecordTypeSource[]): RecordTypes {
  return new Map(sources.map((source) => [`${source.object}.${source.name}`, source]));
}

/** Whether a user may choose a record type, by `Object.DeveloperName`. */
export type MayChoose = (userId: string, recordType: string) => boolean;

/**
 * Checks the written record type, and gives a new row the record type's default picklist values (Help: "Record Types"). A row without a
 * record type has the master record type, which offers every value.
 */
export function applyRecordType(types: RecordTypes, mayChoose: MayChoose, save: SaveContext): void {
  const { given, draft, before, by } = save;
  const row = recordTypeRow(save);
  if (row === undefined) return;
  const name = `${row['SobjectType']}.${row['DeveloperName']}`;
  if (given.has('RecordTypeId')) {
    const isOwn = row['SobjectType'] === save.object.name && row['IsActive'] === true;
    if (!isOwn || !mayChoose(by.userId, name)) throw notForUser(String(row['Id']));
  }
  if (before !== null) return;
  for (const [field, values] of types.get(name)?.picklists ?? []) {
    const chosen = values.find(({ isDefault }) => isDefault);
    if (chosen !== undefined && !given.has(field) && save.object.fields.has(field.toLowerCase()))
      draft[field] = chosen.value;
  }
}

/** Refuses a restricted picklist's value that the row's record type does not offer. */
export function checkRecordTypeValues(types: RecordTypes, save: SaveContext): void {
  const row = recordTypeRow(save);
  const picklists = types.get(`${row?.['SobjectType']}.${row?.['DeveloperName']}`)?.picklists;
  for (const [name, values] of picklists ?? []) {
    const field = save.object.fields.get(name.toLowerCase());
    const isWritten = save.given.has(name) || save.given.has('RecordTypeId');
    if (field === undefined || !field.restricted || !isWritten) continue;
    const offered = new Set(values.map(({ value }) => value));
    const wrong = String(save.draft[name] ?? '')
      .split(';')
      .find((value) => value !== '' && !offered.has(value));
    if (wrong === undefined) continue;
    throw failure(
      400,
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
      `${field.label}: bad value for restricted picklist field: ${wrong}`,
      [name],
    );
  }
}

function recordTypeRow({ store, draft }: SaveContext): Row | undefined {
  const id = draft['RecordTypeId'];
  return typeof id === 'string' ? store.get('RecordType', id) : undefined;
}

function notForUser(id: string): Error {
  const message = `Record Type ID: this ID value isn't valid for the user: ${id}`;
  return failure(400, 'INVALID_CROSS_REFERENCE_KEY', message, ['RecordTypeId']);
}

/** `recordTypeInfos` of a describe, the master record type last. */
export function recordTypeInfos(
  object: ObjectDef,
  rows: readonly Row[],
  available: (name: string) => boolean,
  base: string,
): readonly Readonly<Record<string, unknown>>[] {
  const own = rows.filter((row) => row['SobjectType'] === object.name);
  const info = (row: Row, isMaster: boolean) => ({
    active: row['IsActive'],
    available: isMaster || available(`${object.name}.${row['DeveloperName']}`),
    defaultRecordTypeMapping: isMaster,
    developerName: row['DeveloperName'],
    master: isMaster,
    name: row['Name'],
    recordTypeId: row['Id'],
    urls: { layout: `${base}/sobjects/${object.name}/describe/layouts/${row['Id']}` },
  });
  const master: Row = { Id: '012000000000000AAA', Name: 'Master', DeveloperName: 'Master', IsActive: true };
  return [...own.map((row) => info(row, false)), info(master, true)];
}
