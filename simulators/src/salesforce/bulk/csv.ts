import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { JobFailure } from './job-failure.ts';

/** Delimiters by the name that a job gives them. */
export const DELIMITERS = {
  BACKQUOTE: '`',
  CARET: '^',
  COMMA: ',',
  PIPE: '|',
  SEMICOLON: ';',
  TAB: '\t',
} as const;

export const LINE_ENDINGS = { LF: '\n', CRLF: '\r\n' } as const;

export type CsvFormat = {
  readonly columnDelimiter: keyof typeof DELIMITERS;
  readonly lineEnding: keyof typeof LINE_ENDINGS;
};

export type CsvTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/**
 * Reads the CSV of a job: UTF-8, a header row, quotes doubled within quotes, no blank around quotes. Throws JobFailure, as Salesforce fails
 * the whole job, for other line endings than the job's and for malformed CSV. Bulk API 2.0 guide, "Prepare CSV Files".
 */
export function readCsv(text: string, format: CsvFormat): CsvTable {
  if (text.trim() === '') return { header: [], rows: [] };
  checkLineEnding(text, format);
  const [header = [], ...rows] = parseRows(text, format);
  return { header, rows };
}

function parseRows(text: string, { columnDelimiter, lineEnding }: CsvFormat): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: DELIMITERS[columnDelimiter],
      record_delimiter: LINE_ENDINGS[lineEnding],
      skip_empty_lines: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new JobFailure(`InvalidBatch : Failed to parse CSV: ${error.message}`);
  }
}

/** Checks the line ending after the header row, because later line endings may be inside quotes. */
function checkLineEnding(text: string, { lineEnding }: CsvFormat): void {
  const end = /\r?\n/.exec(text)?.[0];
  if (end === undefined || end === LINE_ENDINGS[lineEnding]) return;
  throw new JobFailure(
    `ClientInputError : LineEnding is invalid on user data. Current LineEnding setting is ${lineEnding}`,
  );
}

/** A table as Salesforce writes it: every cell in quotes, the job's delimiter and line ending. */
export function writeCsv(table: CsvTable, { columnDelimiter, lineEnding }: CsvFormat): string {
  return stringify([table.header, ...table.rows] as string[][], {
    delimiter: DELIMITERS[columnDelimiter],
    record_delimiter: LINE_ENDINGS[lineEnding],
    quoted: true,
    quoted_empty: true,
  });
}
