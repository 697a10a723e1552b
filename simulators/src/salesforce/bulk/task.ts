import type { Input } from '../store/input.ts';

export type IngestOperation = 'insert' | 'update' | 'upsert' | 'delete' | 'hardDelete';

/** A row to save: its fields, and its cells as uploaded. */
export type UploadedRow = { readonly input: Input; readonly cells: readonly string[] };

export type RowResult = {
  readonly cells: readonly string[];
  /** The row's id; '' if no row was created or named. */
  readonly id: string;
  readonly created: boolean;
  /** Why the row was refused; null if it was saved. */
  readonly error: string | null;
};

/** Rows to be saved with one operation, with the results so far. */
export type IngestTask = {
  readonly object: string;
  readonly operation: IngestOperation;
  readonly externalIdFieldName: string | null;
  readonly createdById: string;
  readonly apiVersion: number;
  readonly results: RowResult[];
  /** Cells of the rows that were not reached yet. */
  unprocessed: readonly (readonly string[])[];
};

export function hasFailed({ error }: RowResult): boolean {
  return error !== null;
}
