import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Input } from '../store/input.ts';
import { JobFailure } from './job-failure.ts';

/** Turns the cells of a row into the fields that a save takes. An empty cell is no field at all. */
export type RowReader = (cells: readonly string[]) => Input;

/** The cell text for "no value". An empty cell means "leave unchanged". */
const NULL_CELL = '#N/A';
const TRUE_WORDS = /^(yes|y|true|on|1)$/i;
const FALSE_WORDS = /^(no|n|false|off|0)$/i;

type Column = {
  /** The field that the column fills; for a parent by external id, the lookup. */
  readonly field: FieldDef;
  /** The parent's external id; null for a field of the row itself. */
  readonly parentField: string | null;
};

/**
 * Reads a header row: field names, or `Relationship.ExternalId__c` for a parent by its external id. Throws JobFailure for an unknown name.
 * Bulk API guide, "Relationship Fields in a Header Row", "Valid CSV Record Rows".
 */
export function readHeader(object: ObjectDef, header: readonly string[]): RowReader {
  const columns = header.map((name) => readColumn(object, name));
  return (cells) => {
    const input: Record<string, unknown> = {};
    for (const [i, { field, parentField }] of columns.entries()) {
      const cell = cells[i] ?? '';
      if (cell === '') continue;
      const value = readCell(cell, field.type === 'boolean');
      const parentName = field.reference?.parentName;
      if (parentField === null || parentName == null || value === null) input[field.name] = value;
      else input[parentName] = { [parentField]: value };
    }
    return input;
  };
}

function readColumn(object: ObjectDef, header: string): Column {
  const name = header.trim();
  const [relationship = '', parentField] = name.split('.');
  if (parentField === undefined) return { field: fieldOf(object, name, relationship), parentField: null };
  if (relationship.includes(':')) {
    throw new JobFailure(`InvalidBatch : type is not needed for non polymorphic foreign key ${name}`);
  }
  const field = [...object.fields.values()].find(
    ({ reference }) =>
      reference?.others.length === 0 && reference.parentName?.toLowerCase() === relationship.toLowerCase(),
  );
  if (field === undefined) throw noField(name);
  return { field, parentField };
}

function fieldOf(object: ObjectDef, header: string, name: string): FieldDef {
  const field = object.fields.get(name.toLowerCase());
  if (field === undefined) throw noField(header);
  return field;
}

function noField(name: string): JobFailure {
  return new JobFailure(`InvalidBatch : Field name not found : ${name}`);
}

function readCell(cell: string, isBoolean: boolean): string | boolean | null {
  if (cell === NULL_CELL) return null;
  if (!isBoolean) return cell;
  if (TRUE_WORDS.test(cell)) return true;
  return FALSE_WORDS.test(cell) ? false : cell;
}
