import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../workflows/', import.meta.url);

export type WorkflowFile = { readonly name: string; readonly file: string; readonly source: string };

const nameOf = (file: string): string =>
  file.replace('.ts', '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The workflow files; each exports a workflow function with the file's name. */
export const WORKFLOW_FILES: readonly WorkflowFile[] = readdirSync(FOLDER)
  .map((file) => ({ name: nameOf(file), file, source: readFileSync(new URL(file, FOLDER), 'utf8') }))
  .filter(({ name, source }) => source.includes(`export async function ${name}(`))
  .filter(({ name }) => name !== 'executeCommand');
